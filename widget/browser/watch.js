// Watches the requests of Python's boot, Pyodide's own included: counts what arrives, and notices what does not come,
// or not whole. On a page's own thread other requests pass by unwatched.

import { SIZES } from "./built.js";

const REPORT_EVERY = 64 * 1024; // bytes, so that a fast line does not flood the page with reports
const OURS = new URL("./", import.meta.url).href;

// Taken once: a page that starts Python again must not watch its own watching.
const plainFetch = globalThis.fetch;
const plainInstantiate = globalThis.WebAssembly?.instantiateStreaming;

export class Watch {
  /** @type {{name: string, problem: string} | null} the package that is being loaded */
  loading = null;
  /** @type {(error: Error) => void} */
  #giveUp = () => {};
  #runtime;
  #report;
  #bytes = 0;
  #reported = 0;

  /**
   * @param {string} runtime the address of the folder of the browser's Python
   * @param {(message: import("./protocol.d.ts").Report) => void} report
   */
  constructor(runtime, report) {
    this.#runtime = runtime;
    this.#report = report;
    /** @type {Promise<never>} */
    this.failure = new Promise((_, reject) => {
      this.#giveUp = reject;
    });
    this.failure.catch(() => {}); // after the boot nobody waits for it
    this.#watchRequests();
    this.#watchCompilation();
  }

  #watchRequests() {
    globalThis.fetch = async (input, init) => {
      const address = input instanceof Request ? input.url : String(input);
      if (!address.startsWith(this.#runtime) && !address.startsWith(OURS)) return plainFetch(input, init);
      const name = nameOf(address, this.#runtime);
      const response = await plainFetch(input, init).catch(() => {
        throw this.#fail(name, init?.integrity ? "it did not come, or it is another file" : "no connection");
      });
      if (!response.ok) throw this.#fail(name, `status ${response.status}`);
      return response.body === null ? response : this.#counted(name, response, response.body);
    };
  }

  /**
   * @param {string} name
   * @param {Response} response
   * @param {ReadableStream<Uint8Array>} body
   */
  #counted(name, response, body) {
    let size = 0;
    /** @type {TransformStream<Uint8Array, Uint8Array>} */
    const counter = new TransformStream({
      transform: (chunk, controller) => {
        size += chunk.byteLength;
        this.#count(chunk.byteLength, size);
        controller.enqueue(chunk);
      },
      flush: () => {
        const expected = SIZES[name];
        if (expected !== undefined && size !== expected) {
          throw this.#fail(name, `it has ${size} bytes and should have ${expected}`);
        }
      },
    });
    body.pipeTo(counter.writable).catch(() => this.#fail(name, "the connection broke off"));
    const headers = new Headers(response.headers);
    // A host that does not know the type of WebAssembly is no reason to fail.
    if (name.endsWith(".wasm")) headers.set("Content-Type", "application/wasm");
    return new Response(counter.readable, { status: response.status, headers });
  }

  /**
   * @param {number} more bytes
   * @param {number} size of the file so far
   */
  #count(more, size) {
    this.#bytes += more;
    if (this.#bytes - this.#reported < REPORT_EVERY) return;
    this.#reported = this.#bytes;
    if (this.loading === null) this.#report({ v: 1, type: "progress", bytes: this.#bytes });
    else {
      const { name } = this.loading;
      this.#report({ v: 1, type: "package", name, bytes: size, isThere: false, problem: null });
    }
  }

  /** Notice when what arrived is not WebAssembly, which Pyodide's loader only prints. */
  #watchCompilation() {
    if (globalThis.WebAssembly === undefined || plainInstantiate === undefined) return;
    WebAssembly.instantiateStreaming = (source, imports) =>
      plainInstantiate(source, imports).catch((error) => {
        this.#giveUp(
          new Error(`runtime/pyodide.asm.wasm is damaged, or this browser cannot run it (${error.message}).`),
        );
        throw error;
      });
  }

  /**
   * @param {string} name
   * @param {string} reason
   */
  #fail(name, reason) {
    const error = new Error(`${name} could not be loaded: ${reason}.`);
    if (this.loading !== null) this.loading.problem = error.message;
    this.#giveUp(error);
    return error;
  }
}

/**
 * The name of a file as the page knows it: with its folder if that is the runtime.
 *
 * @param {string} address
 * @param {string} runtime
 */
export function nameOf(address, runtime) {
  const { href, pathname } = new URL(address, globalThis.location.href);
  const name = pathname.split("/").at(-1) ?? "";
  return href.startsWith(runtime) ? `runtime/${name}` : name;
}
