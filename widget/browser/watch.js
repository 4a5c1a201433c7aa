// Watches the requests of Python's boot, Pyodide's own included: counts what arrives, and notices what does not come,
// or is not the file that the build wrote. On a page's own thread other requests pass by unwatched.

import { FILES } from "./built.js";
import { canDigest, digestOf } from "./digest.js";

const REPORT_EVERY = 64 * 1024; // bytes, so that a fast line does not flood the page with reports
const OURS = new URL("./", import.meta.url).href;

// Taken once: a page that starts Python again must not watch its own watching.
const plainFetch = globalThis.fetch;
const plainInstantiate = globalThis.WebAssembly?.instantiateStreaming;

/** A file that came and is not what it should be: the browser may have it like that in its cache. */
export class Damaged extends Error {
  /**
   * @param {string} file
   * @param {string} sentence
   */
  constructor(file, sentence) {
    super(sentence);
    this.file = file;
  }
}

export class Watch {
  /** @type {{name: string, problem: string} | null} the package that is being loaded */
  loading = null;
  /** @type {(error: Error) => void} */
  #giveUp = () => {};
  #runtime;
  #report;
  /** @type {Set<string>} files to ask the server for, whatever the browser has of them */
  #anew;
  #bytes = 0;
  #reported = 0;

  /**
   * @param {string} runtime the address of the folder of the browser's Python
   * @param {(message: import("./protocol.d.ts").Report) => void} report
   * @param {string} damaged the file that was not what it should be when Python was started before, if one was
   */
  constructor(runtime, report, damaged) {
    this.#runtime = runtime;
    this.#report = report;
    this.#anew = new Set([damaged]);
    /** @type {Promise<never>} */
    this.failure = new Promise((_, reject) => {
      this.#giveUp = reject;
    });
    this.failure.catch(() => {}); // after the boot nobody waits for it
    this.#watchRequests();
    this.#watchCompilation();
  }

  /**
   * A module of the runtime, run only if its file is what it should be. It is fetched to look at it; the import then
   * takes it from the browser's cache.
   *
   * @param {string} file
   */
  async module(file) {
    const address = `${this.#runtime}${file}`;
    const response = await fetch(address);
    await response.arrayBuffer();
    return import(address).catch(() => {
      throw this.#fail(notLoaded(nameOf(address, this.#runtime), "it is not sent as JavaScript"));
    });
  }

  #watchRequests() {
    globalThis.fetch = async (input, init) => {
      const address = input instanceof Request ? input.url : String(input);
      if (!address.startsWith(this.#runtime) && !address.startsWith(OURS)) return plainFetch(input, init);
      const name = nameOf(address, this.#runtime);
      const isAnew = this.#anew.has(name);
      const how = { ...init, ...(isAnew && { cache: "reload" }), ...(canDigest && { integrity: "" }) };
      const response = await plainFetch(input, /** @type {RequestInit} */ (how)).catch(() => {
        throw this.#fail(notLoaded(name, "no connection"));
      });
      if (!response.ok) throw this.#fail(notLoaded(name, `status ${response.status}`));
      return response.body === null ? response : this.#checked(name, response, response.body);
    };
  }

  /**
   * The response with its bytes counted. Its end comes only if they are what the build wrote.
   *
   * @param {string} name
   * @param {Response} response
   * @param {ReadableStream<Uint8Array>} body
   */
  #checked(name, response, body) {
    const expected = FILES[name];
    const whole = new Uint8Array(expected?.size ?? 0);
    let size = 0;
    /** @type {TransformStream<Uint8Array, Uint8Array>} */
    const counter = new TransformStream({
      transform: (chunk, controller) => {
        if (size + chunk.byteLength <= whole.byteLength) whole.set(chunk, size);
        size += chunk.byteLength;
        this.#count(chunk.byteLength, size);
        controller.enqueue(chunk);
      },
      flush: async () => {
        if (expected === undefined) return;
        if (size !== expected.size) {
          throw this.#fail(damaged(name, `it has ${size} bytes and should have ${expected.size}`));
        }
        if (canDigest && (await digestOf(whole)) !== expected.digest) {
          throw this.#fail(damaged(name, "it is another file than the one that belongs here"));
        }
        this.#anew.delete(name);
      },
    });
    body.pipeTo(counter.writable).catch(() => this.#fail(notLoaded(name, "the connection broke off")));
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
        const name = "runtime/pyodide.asm.wasm";
        throw this.#fail(
          new Damaged(name, `${name} is damaged, or this browser cannot run it (${error.message}).`),
        );
      });
  }

  /** @template {Error} Problem @param {Problem} problem */
  #fail(problem) {
    if (problem instanceof Damaged) this.#anew.add(problem.file);
    if (this.loading !== null) this.loading.problem ||= problem.message;
    this.#giveUp(problem); // the first is the cause, and what follows goes unheard
    return problem;
  }
}

/**
 * @param {string} name
 * @param {string} reason
 */
function notLoaded(name, reason) {
  return new Error(`${name} could not be loaded: ${reason}.`);
}

/**
 * @param {string} name
 * @param {string} reason
 */
function damaged(name, reason) {
  return new Damaged(name, notLoaded(name, reason).message);
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
