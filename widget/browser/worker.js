// Boots Python in a module worker, and passes commands to it. All answers come from widget/session.py.

/**
 * @typedef {import("./protocol.d.ts").Message} Message
 * @typedef {import("./protocol.d.ts").Report} Report
 */

const RUNTIME = new URL("../../runtime/", import.meta.url).href;
const APP = new URL("./app.zip", import.meta.url).href;
const APP_FOLDER = "/app"; // in the file system of the browser's Python
const REPORT_EVERY = 64 * 1024; // bytes, so that a fast line does not flood the page with reports

/** @type {(error: Error) => void} */
let giveUp;
/** @type {Promise<never>} */
const failure = new Promise((_, reject) => {
  giveUp = reject;
});

// Pyodide's loader waits for ever when one of its files does not come, so a failed request ends the boot itself.
/** @type {Promise<(text: string) => string>} */
const booted = Promise.race([boot(), failure]);

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
  watchRequests();
  const app = fetch(APP).then((response) => response.arrayBuffer());
  app.catch(() => {}); // watchRequests has told of it
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

/** Watch every request, Pyodide's own included: count what arrives, and notice what does not. */
function watchRequests() {
  const plainFetch = self.fetch;
  let bytes = 0;
  let reported = 0;
  self.fetch = async (input, init) => {
    const name = nameOf(input instanceof Request ? input.url : String(input));
    /** @param {string} reason */
    const fail = (reason) => {
      const error = new Error(`${name} could not be loaded: ${reason}.`);
      giveUp(error);
      return error;
    };
    const response = await plainFetch(input, init).catch(() => {
      throw fail("no connection");
    });
    if (!response.ok) throw fail(`status ${response.status}`);
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
    response.body.pipeTo(counter.writable).catch(() => fail("the connection broke off"));
    return new Response(counter.readable, response);
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
