// Watches the requests of Python's boot, Pyodide's own included: counts what arrives, and notices what does not come,
// or is not the file that the build wrote. On a page's own thread other requests pass by unwatched.

import { FILES } from "./built.js";
import { canDigest, digestOf } from "./digest.js";
import { Damaged, NotLoaded, nameOf, whyNot } from "./problems.js";
import { Silence } from "./silence.js";
import { canStream, compileAlikeOnce, instantiateInstead } from "./wasm.js";

const REPORT_EVERY = 64 * 1024; // bytes, so that a fast line does not flood the page with reports
const WASM = "application/wasm";
const ENGINE = "runtime/pyodide.asm.wasm";
const OURS = new URL("./", import.meta.url).href;

// Taken once: a page that starts Python again must not watch its own watching.
const plainFetch = globalThis.fetch;

export class Watch {
  /** @type {{name: string, problem: string} | null} the package that is being loaded */
  loading = null;
  isHere = false; // from an earlier visit, as far as is known: then nothing comes over the line, or is counted
  /** @type {(error: Error) => void} */
  #giveUp = () => {};
  #runtime;
  #report;
  /** @type {Set<string>} files to ask the server for, whatever the browser has of them */
  #anew;
  /** @type {Promise<WebAssembly.Module> | null} Python, being compiled */
  #engine = null;
  #standIn = new Response();
  #silence = new Silence();
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
  }

  /**
   * A module of the runtime, run only if its file is what it should be. It is fetched to look at it; the import then
   * takes it from the browser's cache.
   *
   * @param {string} file
   */
  async module(file) {
    const address = `${this.#runtime}${file}`;
    await fetch(address);
    return import(address).catch(() => {
      throw this.#fail(new NotLoaded(nameOf(address, this.#runtime), whyNot("it is not sent as JavaScript")));
    });
  }

  #watchRequests() {
    globalThis.fetch = async (input, init) => {
      const address = input instanceof Request ? input.url : String(input);
      const isOurs = address.startsWith(this.#runtime) || address.startsWith(OURS);
      const name = nameOf(address, this.#runtime);
      if (!isOurs || FILES[name] === undefined) return plainFetch(input, init);
      if (name === ENGINE && this.#engine !== null) return this.#standIn;
      const isThere = this.#silence.expect();
      try {
        const response = await this.#ask(name, input, init);
        const { status, headers } = response;
        return new Response(await this.#content(name, response), { status, headers });
      } finally {
        isThere();
      }
    };
  }

  /**
   * Compile Python's WebAssembly while other things come. Pyodide's loader asks for its file later, and gets for a
   * stand-in of it what was compiled.
   */
  compileAhead() {
    compileAlikeOnce();
    if (!canStream) return; // the loader compiles it by itself
    const isThere = this.#silence.expect();
    this.#engine = this.#compiled().finally(isThere);
    this.#engine.catch(() => {}); // the loader waits for it
    instantiateInstead(this.#standIn, this.#engine);
  }

  /** It is compiled while it comes, and used only if it is what it should be. */
  async #compiled() {
    const response = await this.#ask(ENGINE, `${this.#runtime}${ENGINE.split("/").at(-1)}`);
    const copy = response.clone();
    const content = this.isHere
      ? copy.arrayBuffer().then((all) => this.#whole(ENGINE, new Uint8Array(all)))
      : this.#content(ENGINE, copy);
    content.catch(() => {}); // waited for below
    const isTyped = response.headers.get("Content-Type") === WASM;
    // A host that does not know the type of WebAssembly is no reason to fail.
    const typed = isTyped ? response : new Response(response.body, { headers: { "Content-Type": WASM } });
    const module = await WebAssembly.compileStreaming(typed).catch(async (error) => {
      await content; // if that is not what it should be, it is the cause
      const reason = `it is damaged, or this browser cannot run it (${error.message})`;
      throw this.#fail(new Damaged(ENGINE, reason));
    });
    await content;
    return module;
  }

  /**
   * @param {string} name
   * @param {RequestInfo | URL} input
   * @param {RequestInit} [init]
   */
  async #ask(name, input, init) {
    const isAnew = this.#anew.has(name);
    /** @type {RequestInit} */
    const how = { ...init, ...(isAnew && { cache: "reload" }), ...(canDigest && { integrity: "" }) };
    const { signal } = this.#silence;
    const response = await plainFetch(input, { ...how, signal }).catch(() => {
      throw this.#fail(new NotLoaded(name, whyNot("no connection", signal)));
    });
    if (!response.ok) throw this.#fail(new NotLoaded(name, `status ${response.status}`));
    return response;
  }

  /**
   * The content of a file, if it is what the build wrote; it is counted as it comes.
   *
   * @param {string} name
   * @param {Response} response
   */
  async #content(name, response) {
    const content = new Uint8Array(FILES[name]?.size ?? 0);
    let size = 0;
    const reader = response.body?.getReader();
    const { signal } = this.#silence;
    for (;;) {
      const piece = await reader?.read().catch(() => {
        throw this.#fail(new NotLoaded(name, whyNot("the connection broke off", signal)));
      });
      if (piece?.value === undefined) break;
      if (size + piece.value.byteLength <= content.byteLength) content.set(piece.value, size);
      size += piece.value.byteLength;
      this.#count(piece.value.byteLength, size);
    }
    return this.#whole(name, content, size);
  }

  /**
   * @param {string} name
   * @param {Uint8Array<ArrayBuffer>} content
   * @param {number} size of what came
   */
  async #whole(name, content, size = content.byteLength) {
    const expected = FILES[name];
    if (size !== expected?.size) {
      throw this.#fail(new Damaged(name, `it has ${size} bytes and should have ${expected?.size}`));
    }
    if (canDigest && (await digestOf(content)) !== expected.digest) {
      throw this.#fail(new Damaged(name, "it is another file than the one that belongs here"));
    }
    this.#anew.delete(name);
    return content;
  }

  /**
   * @param {number} more bytes
   * @param {number} size of the file so far
   */
  #count(more, size) {
    this.#bytes += more;
    this.#silence.broken();
    if (this.isHere && this.loading === null) return;
    if (this.#bytes - this.#reported < REPORT_EVERY) return;
    this.#reported = this.#bytes;
    if (this.loading === null) this.#report({ v: 1, type: "progress", bytes: this.#bytes });
    else {
      const { name } = this.loading;
      this.#report({ v: 1, type: "package", name, bytes: size, isThere: false, problem: null });
    }
  }

  /** @template {Error} Problem @param {Problem} problem */
  #fail(problem) {
    if (problem instanceof Damaged) this.#anew.add(problem.file);
    if (this.loading !== null) this.loading.problem ||= problem.message;
    this.#giveUp(problem); // the first is the cause, and what follows goes unheard
    return problem;
  }
}
