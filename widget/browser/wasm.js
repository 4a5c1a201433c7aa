// WebAssembly as Python's loader uses it, with less to wait for. On a page's own thread all else passes by unchanged.

const SMALL = 128; // bytes: what stands around one function, not a library
const PlainModule = globalThis.WebAssembly?.Module;
const plainInstantiate = globalThis.WebAssembly?.instantiateStreaming;

/** Whether a file can be compiled while it comes, which an old browser cannot do. */
export const canStream = plainInstantiate !== undefined;

/**
 * Let the loader have an engine that is compiled already, or is about to be, when it asks with a stand-in for its file.
 *
 * @param {Response} standIn
 * @param {Promise<WebAssembly.Module>} engine
 */
export function instantiateInstead(standIn, engine) {
  WebAssembly.instantiateStreaming = async (source, imports) => {
    if ((await source) !== standIn) return plainInstantiate(source, imports);
    const module = await engine;
    return { module, instance: await WebAssembly.instantiate(module, imports) };
  };
}

/**
 * For each of hundreds of functions that Python may call, the loader compiles a small module to hold it. There are few
 * kinds of them, and each is compiled once.
 */
export function compileAlikeOnce() {
  if (PlainModule === undefined) return;
  /** @type {Map<string, WebAssembly.Module>} */
  const compiled = new Map();
  WebAssembly.Module = new Proxy(PlainModule, {
    construct(Module, [source]) {
      if (!(source instanceof Uint8Array) || source.length > SMALL) return new Module(source);
      const code = source.toString();
      const module = compiled.get(code) ?? new Module(/** @type {BufferSource} */ (source));
      compiled.set(code, module);
      return module;
    },
  });
}
