// Boots Python in a module worker, and passes commands to it. All answers come from widget/session.py, or on a
// page with exercises from the class that its address names.

/**
 * @typedef {import("./protocol.d.ts").Message} Message
 * @typedef {import("./protocol.d.ts").Report} Report
 */

import { SIZES } from "./sizes.js";

const RUNTIME = new URL("../../runtime/", import.meta.url).href;
const APP = new URL("./app.zip", import.meta.url).href;
const APP_FOLDER = "/app"; // in the file system of the browser's Python
/** @type {Record<string, string>} which Python answers: module and class */
const APPS = {
  widget: "widget.session:Session",
  quiz: "exercises.quiz:Quiz",
  sheet: "exercises.sheet:Sheet",
  portfolio: "exercises.portfolio:Portfolio",
};
const REPORT_EVERY = 64 * 1024; // bytes, so that a fast line does not flood the page with reports

/** @type {(error: Error) => void} */
let giveUp;
/** @type {Promise<never>} */
const failure = new Promise((_, reject) => {
  giveUp = reject;
});

/** @type {{name: string, problem: string} | null} the package that is being loaded */
let loading = null;

// Pyodide's loader waits for ever when one of its files does not come, so a failed request ends the boot itself.
/** @type {Promise<{dispatch: (text: string) => string, load: (name: string) => Promise<void>}>} */
const booted = Promise.race([boot(), failure]);

self.onmessage = async (/** @type {MessageEvent<Message>} */ event) => {
  try {
    const { dispatch, load } = await booted;
    if ("load" in event.data) await load(event.data.load);
    else report({ v: 1, type: "frame", frame: JSON.parse(dispatch(JSON.stringify(event.data.command))) });
  } catch (error) {
    report({ v: 1, type: "failed", sentence: `Python stopped: ${sentenceOf(error)}` });
  }
};

booted.catch((error) => {
  report({ v: 1, type: "failed", sentence: sentenceOf(error) });
});

/** @returns {typeof booted} */
async function boot() {
  watchRequests();
  watchCompilation();
  const app = fetch(APP).then((response) => response.arrayBuffer());
  app.catch(() => {}); // watchRequests has told of it
  const { loadPyodide } = await import(`${RUNTIME}pyodide.mjs`).catch(() => {
    throw new Error("runtime/pyodide.mjs could not be loaded.");
  });
  const python = await loadPyodide({ indexURL: RUNTIME });
  report({ v: 1, type: "starting" });
  const archive = await app;
  try {
    python.unpackArchive(archive, "zip", { extractDir: APP_FOLDER });
  } catch {
    throw new Error("app.zip is damaged: Python cannot unpack it.");
  }
  const asked = new URL(self.location.href).searchParams.get("app") ?? "widget";
  const [module, name] = (APPS[asked] ?? "").split(":");
  const dispatch = python.runPython(`
    import sys
    sys.path.insert(0, "${APP_FOLDER}")
    from ${module} import ${name}
    ${name}().dispatch_json
  `);
  report({ v: 1, type: "live", python: python.runPython("import platform; platform.python_version()") });
  return { dispatch, load: (name) => loadPackage(python, name) };
}

/**
 * Load a package of Python's, and tell how that goes. Pyodide does not say when one has not come, or is not what
 * its digest promises, so only importing it shows that it is there. A package that is there is not loaded again.
 *
 * @param {{loadPackage: (name: string, options: object) => Promise<unknown>, runPython: (code: string) => unknown}} python
 * @param {string} name
 */
async function loadPackage(python, name) {
  if (loading !== null) return;
  loading = { name, problem: "" };
  let isThere = true;
  try {
    await python.loadPackage(name, { messageCallback: () => {}, errorCallback: () => {} });
    python.runPython(`import ${name}`);
  } catch {
    isThere = false;
  }
  const { problem } = loading;
  loading = null;
  const reason = isThere ? null : problem || `${name} is damaged, or this browser cannot run it.`;
  report({ v: 1, type: "package", name, bytes: 0, isThere, problem: reason });
}

/** Watch every request, Pyodide's own included: count what arrives, and notice what does not, or not whole. */
function watchRequests() {
  const plainFetch = self.fetch;
  let bytes = 0;
  let reported = 0;
  self.fetch = async (input, init) => {
    const name = nameOf(input instanceof Request ? input.url : String(input));
    /** @param {string} reason */
    const fail = (reason) => {
      const error = new Error(`${name} could not be loaded: ${reason}.`);
      if (loading !== null) loading.problem = error.message;
      giveUp(error);
      return error;
    };
    const response = await plainFetch(input, init).catch(() => {
      throw fail(init?.integrity ? "it did not come, or it is another file" : "no connection");
    });
    if (!response.ok) throw fail(`status ${response.status}`);
    if (response.body === null) return response;
    let size = 0;
    /** @type {TransformStream<Uint8Array, Uint8Array>} */
    const counter = new TransformStream({
      transform(chunk, controller) {
        size += chunk.byteLength;
        bytes += chunk.byteLength;
        if (bytes - reported >= REPORT_EVERY) {
          reported = bytes;
          if (loading === null) report({ v: 1, type: "progress", bytes });
          else
            report({ v: 1, type: "package", name: loading.name, bytes: size, isThere: false, problem: null });
        }
        controller.enqueue(chunk);
      },
      flush() {
        const expected = name.startsWith("runtime/") ? SIZES[name] : undefined;
        if (expected !== undefined && size !== expected) {
          throw fail(`it has ${size} bytes and should have ${expected}`);
        }
      },
    });
    response.body.pipeTo(counter.writable).catch(() => fail("the connection broke off"));
    const headers = new Headers(response.headers);
    // A host that does not know the type of WebAssembly is no reason to fail.
    if (name.endsWith(".wasm")) headers.set("Content-Type", "application/wasm");
    return new Response(counter.readable, { status: response.status, headers });
  };
}

/** Notice when what arrived is not WebAssembly, which Pyodide's loader only prints. */
function watchCompilation() {
  const plain = WebAssembly.instantiateStreaming;
  WebAssembly.instantiateStreaming = (source, imports) =>
    plain(source, imports).catch((error) => {
      giveUp(
        new Error(`runtime/pyodide.asm.wasm is damaged, or this browser cannot run it (${error.message}).`),
      );
      throw error;
    });
}

/** @param {Report} message */
function report(message) {
  self.postMessage(message);
}

/**
 * The name of a file as the page knows it: with its folder if that is the runtime.
 *
 * @param {string} address
 */
function nameOf(address) {
  const { href, pathname } = new URL(address, self.location.href);
  const name = pathname.split("/").at(-1) ?? "";
  return href.startsWith(RUNTIME) ? `runtime/${name}` : name;
}

/**
 * A sentence for a reader. The last line of a Python traceback says the most; a module that did not load is
 * named by its whole address.
 *
 * @param {unknown} error
 */
function sentenceOf(error) {
  if (!(error instanceof Error)) return "Python did not start.";
  const line = error.message.trim().split("\n").at(-1) ?? "";
  const module = /https?:\S+\.m?js/.exec(line);
  if (module !== null) return `${nameOf(module[0])} could not be loaded.`;
  return /[.!?]$/.test(line) ? line : `${line}.`;
}
