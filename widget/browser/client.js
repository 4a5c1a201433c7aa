// Keeps a worker with Python in it, and hands it commands one at a time, in order. A command is never dropped:
// those that come before Python is there wait, and if Python has to be started again it does all of them again.

/**
 * @typedef {import("./protocol.d.ts").Command} Command
 * @typedef {import("./protocol.d.ts").Frame} Frame
 * @typedef {import("./protocol.d.ts").Report} Report
 *
 * @typedef {object} Listener
 * @property {(bytes: number) => void} progress so many bytes of the runtime have arrived
 * @property {() => void} starting all has arrived, and Python starts
 * @property {(python: string) => void} live Python answers from now on; its version
 * @property {(frame: Frame) => void} frame the answer to a command
 * @property {(count: number) => void} waiting so many commands wait for an answer
 * @property {(report: import("./protocol.d.ts").PackageReport) => void} loading how a package that is wanted gets on
 * @property {(sentence: string) => void} failed Python could not be started, or stopped
 */

export class Client {
  /** @type {Worker | null} */
  #worker = null;
  /** @type {Listener} */
  #listener;
  #isLive = false;
  /** @type {Command[]} done since the beginning, to be done again after a restart */
  #done = [];
  /** @type {Command[]} the first is with Python while #isBusy */
  #queue = [];
  #isBusy = false;
  /** @type {Set<string>} packages that are wanted, and are loaded again after a restart */
  #wanted = new Set();

  /** @param {Listener} listener */
  constructor(listener) {
    this.#listener = listener;
  }

  /** Presses that have no answer yet; to be shown, to look and to be opened with a link are no presses. */
  get waiting() {
    return this.#queue.filter(({ type }) => !["show", "look", "open"].includes(type)).length;
  }

  /** Start Python, or start it again. */
  start() {
    this.stop();
    this.#queue = [...this.#done, ...this.#queue];
    this.#done = [];
    try {
      this.#worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    } catch (error) {
      this.#fail(
        `This browser does not let the page start a worker: ${error instanceof Error ? error.message : error}`,
      );
      return;
    }
    this.#worker.onmessage = (event) => this.#hear(event.data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#fail(event.message ? `Python stopped: ${event.message}.` : "worker.js could not be loaded.");
    };
  }

  /** Stop Python; what it has done is remembered. */
  stop() {
    this.#worker?.terminate();
    this.#worker = null;
    this.#isLive = false;
    this.#isBusy = false;
  }

  /** @param {Command} command */
  send(command) {
    // Of a slider's way only the newest place matters, as long as Python has not begun with an earlier one.
    const last = this.#queue.at(-1);
    const isUntouched = this.#queue.length > (this.#isBusy ? 1 : 0);
    if (isUntouched && last !== undefined && overtakes(command, last)) this.#queue.pop();
    this.#queue.push(command);
    this.#listener.waiting(this.waiting);
    this.#next();
  }

  /** Want a package of Python's: it is loaded as soon as Python is there. Commands do not wait for it. */
  load(/** @type {string} */ name) {
    this.#wanted.add(name);
    if (this.#isLive) this.#post({ v: 1, load: name });
  }

  #next() {
    const command = this.#queue[0];
    if (!this.#isLive || this.#isBusy || command === undefined) return;
    this.#isBusy = true;
    this.#post({ v: 1, command });
  }

  /** @param {import("./protocol.d.ts").Message} message */
  #post(message) {
    this.#worker?.postMessage(message);
  }

  /** @param {Report} report */
  #hear(report) {
    switch (report.type) {
      case "progress":
        this.#listener.progress(report.bytes);
        break;
      case "starting":
        this.#listener.starting();
        break;
      case "live":
        this.#isLive = true;
        this.#listener.live(report.python);
        for (const name of this.#wanted) this.#post({ v: 1, load: name });
        this.#next();
        break;
      case "frame":
        this.#finish(report.frame);
        break;
      case "package":
        this.#listener.loading(report);
        break;
      case "failed":
        this.#fail(report.sentence);
        break;
    }
  }

  /** @param {Frame} frame */
  #finish(frame) {
    this.#isBusy = false;
    const command = this.#queue.shift();
    const leavesNothing = command === undefined || command.type === "look" || command.type === "export";
    if (frame.problem === null && !leavesNothing) this.#done.push(command);
    this.#listener.frame(frame);
    this.#listener.waiting(this.waiting);
    this.#next();
  }

  /** @param {string} sentence */
  #fail(sentence) {
    this.stop();
    this.#listener.failed(sentence);
  }
}

/**
 * @param {Command} newer
 * @param {Command} older
 */
function overtakes(newer, older) {
  if (newer.type === "setting") return older.type === "setting" && newer.name === older.name;
  const isOnlyAPlace = newer.type === "show" || newer.type === "step" || newer.type === "look";
  return isOnlyAPlace && newer.type === older.type && !("move" in newer) && !("by" in newer);
}
