// Boots Python and answers messages. It runs in a module worker, or on the page's own thread where a page may have
// no worker. All answers come from Python: from widget/session.py, or from the class that an app has for it.

import { RUNTIME as FOLDER } from "./built.js";
import { Damaged, nameOf } from "./problems.js";
import { forgetSnapshot, keepSnapshot, keptSnapshot } from "./snapshot.js";
import { Watch } from "./watch.js";

/**
 * @typedef {import("./protocol.d.ts").Message} Message
 * @typedef {import("./protocol.d.ts").Report} Report
 *
 * @typedef {object} Pyodide
 * @property {(code: string) => unknown} runPython
 * @property {{get: (name: string) => any}} globals
 * @property {(name: string, options: object) => Promise<unknown>} loadPackage
 * @property {(options: object) => Uint8Array<ArrayBuffer>} makeMemorySnapshot
 * @property {{writeFile: (path: string, content: Uint8Array) => void}} FS
 *
 * @typedef {object} Engine Python's module of JavaScript, around its WebAssembly
 * @property {(settings: object) => Promise<{HEAPU8: Uint8Array}>} default
 *
 * @typedef {object} Answers
 * @property {(session: string, madeBy: string, text: string) => string} dispatch
 * @property {(session: string) => void} end
 * @property {(name: string) => Promise<void>} load
 */

const RUNTIME = new URL(`../../${FOLDER}`, import.meta.url).href;
const APP = new URL("./app.zip", import.meta.url).href;
const APP_FILE = "/app.zip"; // in the file system of the browser's Python, which imports from it as it is
const SEEN = 50; // ms until a page has shown what it was told
const QUIET = 2000; // ms without a command, before what may wait is done
const PATIENCE = 20_000; // ms for a kept memory to wake: many times what it takes

/** @type {Record<string, string>} which Python answers: module and class */
const APPS = {
  widget: "widget.session:Session",
  quiz: "exercises.quiz:Quiz",
  sheet: "exercises.sheet:Sheet",
  portfolio: "exercises.portfolio:Portfolio",
  calculator: "exercises.calculator:Calculator",
};

const IMPORTS = `
import sys
sys.path.insert(0, "${APP_FILE}")
from widget.sessions import Sessions
import widget.parts.captions, platform
sessions = Sessions()
sessions.prepare()
version = platform.python_version()
`;

export class Python {
  /** @type {(message: Report) => void} */
  #report;
  /** @type {Watch} */
  #watch;
  /** @type {Promise<Answers>} */
  #answers;
  /** @type {(() => void) | null} what to do once nobody presses */
  #later = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #quiet;

  /**
   * @param {(message: Report) => void} report what is to be told to the page
   * @param {string} damaged a file that was not what it should be when Python was started before
   */
  constructor(report, damaged) {
    this.#report = report;
    report({ v: 1, type: "progress", bytes: 0 }); // the scripts are there
    this.#watch = new Watch(RUNTIME, report, damaged);
    // Pyodide's loader waits for ever when one of its files does not come, so a failed request ends the boot itself.
    this.#answers = Promise.race([this.#boot(), this.#watch.failure]);
    this.#answers.catch((error) => {
      const file = error instanceof Damaged ? error.file : "";
      report({ v: 1, type: "failed", sentence: sentenceOf(error), damaged: file });
    });
  }

  /** @param {Message} message */
  async hear(message) {
    let answers;
    try {
      answers = await this.#answers;
    } catch {
      return; // the boot has told of it
    }
    try {
      if ("load" in message) await answers.load(message.load);
      else if ("end" in message) answers.end(message.end);
      else {
        const { session, app, command } = message;
        const frame = JSON.parse(answers.dispatch(session, APPS[app] ?? "", JSON.stringify(command)));
        this.#report({ v: 1, type: "frame", session, frame });
      }
    } catch (error) {
      this.#report({ v: 1, type: "failed", sentence: `Python stopped: ${sentenceOf(error)}` });
    }
    this.#whenQuiet();
  }

  /** @returns {Promise<Answers>} */
  async #boot() {
    if (globalThis.WebAssembly === undefined) {
      throw new Error("This browser runs no WebAssembly, which Python needs here.");
    }
    // All comes at the same time, and is waited for where it is needed.
    const app = fetch(APP).then(async (response) => new Uint8Array(await response.arrayBuffer()));
    const loader = this.#watch.module("pyodide.mjs");
    const engine = this.#watch.module("pyodide.asm.mjs");
    for (const coming of [app, loader, engine]) coming.catch(() => {});
    const kept = await keptSnapshot();
    this.#watch.isHere = kept !== null;
    this.#watch.compileAhead();
    if (kept !== null) this.#report({ v: 1, type: "starting" });
    const { loadPyodide } = await loader;
    /** @param {object} options @returns {Promise<Pyodide>} */
    const boot = (options) => loadPyodide({ indexURL: RUNTIME, ...options });
    const python = (kept && (await this.#wake(boot, engine, kept))) ?? (await this.#start(boot, engine, app));
    python.FS.writeFile(APP_FILE, await app);
    const { dispatch_json: dispatch, end } = python.globals.get("sessions");
    const version = String(python.globals.get("version"));
    this.#report({ v: 1, type: "live", python: version, isWoken: python.isWoken });
    this.#whenQuiet();
    return { dispatch, end, load: (name) => this.#load(python, name) };
  }

  /**
   * Python as it was kept after an earlier visit, or null. Its memory is read while the engine starts, which is
   * told no more than how large that is.
   *
   * @param {(options: object) => Promise<Pyodide>} boot
   * @param {Promise<Engine>} engine
   * @param {import("./snapshot.js").Kept} kept
   */
  async #wake(boot, engine, kept) {
    const content = kept.read();
    // An engine that cannot start with what it was told of a memory does not say so.
    const givenUp = new Promise((_, reject) => {
      content.catch(reject);
      setTimeout(reject, PATIENCE);
    });
    /** @param {object} settings */
    const createPyodideModule = async (settings) => {
      const start = (await engine).default;
      const module = await start(Object.assign(settings, { INITIAL_MEMORY: kept.size }));
      (await content)(module.HEAPU8);
      return module;
    };
    try {
      const python = await Promise.race([boot({ createPyodideModule, _loadSnapshot: kept.head }), givenUp]);
      if (python.globals.get("sessions") === undefined) throw new Error("What was kept is another Python's.");
      return Object.assign(python, { isWoken: true });
    } catch {
      this.#watch.isHere = false;
      await forgetSnapshot();
      return null;
    }
  }

  /**
   * Python from the start, with our modules imported; and a snapshot of that for the next visit, when there is time.
   *
   * @param {(options: object) => Promise<Pyodide>} boot
   * @param {Promise<Engine>} engine
   * @param {Promise<Uint8Array>} app
   */
  async #start(boot, engine, app) {
    /** @param {object} settings */
    const createPyodideModule = async (settings) => (await engine).default(settings);
    const python = await boot({ createPyodideModule, _makeSnapshot: true });
    this.#report({ v: 1, type: "starting" });
    // On a page's own thread what was told is to be seen before the page stands still.
    if ("document" in globalThis) await new Promise((resolve) => setTimeout(resolve, SEEN));
    python.FS.writeFile(APP_FILE, await app);
    try {
      python.runPython(IMPORTS);
    } catch (error) {
      if (String(error).includes("ZipImportError"))
        throw new Error("app.zip is damaged: Python cannot read it.");
      throw error;
    }
    try {
      // Before there is any session: a snapshot holds nothing of a reader.
      const memory = python.makeMemorySnapshot({ serializer: (/** @type {unknown} */ value) => value });
      this.#later = () => keepSnapshot(memory);
    } catch {
      // Then the next visit boots from the start again.
    }
    return Object.assign(python, { isWoken: false });
  }

  #whenQuiet() {
    if (this.#later === null) return;
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => {
      this.#later?.();
      this.#later = null;
    }, QUIET);
  }

  /**
   * Load a package of Python's, and tell how that goes. Pyodide does not say when one has not come, or is not what
   * its digest promises, so only importing it shows that it is there. One that is there is not loaded again.
   *
   * @param {Pyodide} python
   * @param {string} name
   */
  async #load(python, name) {
    if (this.#watch.loading !== null) return;
    this.#watch.loading = { name, problem: "" };
    let isThere = true;
    try {
      await python.loadPackage(name, { messageCallback: () => {}, errorCallback: () => {} });
      python.runPython(`import ${name}`);
    } catch {
      isThere = false;
    }
    const { problem } = this.#watch.loading;
    this.#watch.loading = null;
    const reason = isThere ? null : problem || `${name} is damaged, or this browser cannot run it.`;
    this.#report({ v: 1, type: "package", name, bytes: 0, isThere, problem: reason });
  }
}

/**
 * A sentence for a reader. The last line of a Python traceback says the most; a module that did not load is
 * named by its whole address.
 *
 * @param {unknown} error
 */
function sentenceOf(error) {
  if (!(error instanceof Error)) return "Python did not start.";
  const lines = error.message.trim().split("\n");
  // After a module that is missing Pyodide adds advice for developers.
  const line = lines.findLast((each) => /^\w*(Error|Exception)\b/.test(each)) ?? lines.at(-1) ?? "";
  const module = /https?:\S+\.m?js/.exec(line);
  if (module !== null) return `${nameOf(module[0], RUNTIME)} could not be loaded.`;
  return /[.!?]$/.test(line) ? line : `${line}.`;
}
