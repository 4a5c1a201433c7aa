// Boots Python in a module worker, and passes commands to it. All answers come from widget/session.py.

/**
 * @typedef {import("./protocol.d.ts").Message} Message
 * @typedef {import("./protocol.d.ts").Report} Report
 */

const RUNTIME = new URL("../../runtime/", import.meta.url).href;
const APP = new URL("./app.zip", import.meta.url).href;
const APP_FOLDER = "/app"; // in the file system of the browser's Python
const REPORT_EVERY = 64 * 1024; // bytes, so that a fast line does not flood the page with reports

/** @type {Promise<(text: string) => string>} */
const booted = boot();

self.onmessage = async (/** @type {MessageEvent<Message>} */ event) => {
  try {
    const dispatch = await booted;
    report({ v: 1, type: "frame", frame: JSON.parse(dispatch(JSON.stringify(event.data.command))) });
  } catch (error) {
    report({ v: 1, type: "failed", sentence: `Python stopped: ${lastLine(error)}` });
  }
};

booted.catch((error) => {
  report({ v: 1, type: "failed", sentence: lastLine(error) });
});

/** @returns {Promise<(text: string) => string>} */
async function boot() {
  countBytes();
  const app = fetchWhole(APP);
  app.catch(() => {}); // it is awaited below; until then a failure is not yet anybody's
  const { loadPyodide } = await import(`${RUNTIME}pyodide.mjs`).catch(() => {
    throw new Error("runtime/pyodide.mjs could not be loaded.");
  });
  const python = await loadPyodide({ indexURL: RUNTIME });
  report({ v: 1, type: "starting" });
  python.unpackArchive(await app, "zip", { extractDir: APP_FOLDER });
  const dispatch = python.runPython(`
    import sys
    sys.path.insert(0, "${APP_FOLDER}")
    from widget.session import Session
    Session().dispatch_json
  `);
  report({ v: 1, type: "live", python: python.runPython("import platform; platform.python_version()") });
  return dispatch;
}

/**
 * @param {string} address
 * @returns {Promise<ArrayBuffer>}
 */
async function fetchWhole(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${nameOf(address)} could not be loaded (status ${response.status}).`);
  return response.arrayBuffer();
}

/** Count what arrives, Pyodide's own files included: its loader has no way to report how far it is. */
function countBytes() {
  const plainFetch = self.fetch;
  let bytes = 0;
  let reported = 0;
  self.fetch = async (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    const response = await plainFetch(input, init).catch(() => {
      throw new Error(`${nameOf(address)} could not be loaded: no connection.`);
    });
    if (!response.ok) {
      throw new Error(`${nameOf(address)} could not be loaded (status ${response.status}).`);
    }
    if (response.body === null) return response;
    /** @type {TransformStream<Uint8Array, Uint8Array>} */
    const counter = new TransformStream({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes - reported >= REPORT_EVERY) {
          reported = bytes;
          report({ v: 1, type: "progress", bytes });
        }
        controller.enqueue(chunk);
      },
    });
    return new Response(response.body.pipeThrough(counter), response);
  };
}

/** @param {Report} message */
function report(message) {
  self.postMessage(message);
}

/** @param {string} address */
function nameOf(address) {
  return new URL(address, self.location.href).pathname.split("/").slice(-2).join("/");
}

/**
 * The last line of an error is the sentence; a Python traceback has many before it.
 *
 * @param {unknown} error
 */
function lastLine(error) {
  const text = error instanceof Error ? error.message : String(error);
  return text.trim().split("\n").at(-1) ?? text;
}
