// One session with Python: hands it commands one at a time, in order. A command is never dropped: those that come
// before Python is there are answered from the recording, as far as it goes, and wait; if Python has to be started
// again it does all of them again. While it catches up with what is on the page, nothing is drawn anew.

import { giveUp, join, leave, post } from "./host.js";
import { isPress, Recording } from "./recording.js";

/**
 * @typedef {import("./protocol.d.ts").Command} Command
 * @typedef {import("./protocol.d.ts").Frame} Frame
 * @typedef {import("./protocol.d.ts").Report} Report
 *
 * @typedef {object} Listener
 * @property {(bytes: number) => void} progress so many bytes of the runtime have arrived
 * @property {(holdsPage: boolean) => void} starting all has arrived, and Python starts; and whether the page stands
 *   still while it does
 * @property {(python: string, isWoken: boolean) => void} live Python answers from now on: its version, and whether
 *   it started from what an earlier visit had kept
 * @property {(frame: Frame) => void} frame the answer to a command
 * @property {(command: Command, frame: Frame, hasWaited: boolean) => void} refused a command was not done, as the
 *   frame that comes next says; and whether it had waited for Python
 * @property {(frame: Frame) => void} recorded the answer to the commands so far, as the build recorded it
 * @property {(frame: Frame) => void} rehearsed what a press may be answered with soon
 * @property {(count: number, isBehind: boolean) => void} waiting so many commands wait for an answer; and whether
 *   they have waited longer than Python takes as a rule, or from before it was there
 * @property {(report: import("./protocol.d.ts").PackageReport) => void} loading how a package that is wanted gets on
 * @property {() => void} lost Python stopped by itself, and is started again
 * @property {(sentence: string) => void} failed Python could not be started, or stopped
 */

const PATIENCE = 20_000; // ms for an answer, before Python counts as lost: many times what the longest takes
const PROMPT = 1000; // ms for an answer, before a reader is told that it is waited for

export class Client {
  /** @type {Listener} */
  #listener;
  /** @type {string | null} */
  #session = null;
  #isLive = false;
  /** @type {Command[]} done since the beginning, to be done again after a restart */
  #done = [];
  /** @type {Command[]} the first is with Python while #isBusy */
  #queue = [];
  #isBusy = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #waitingLong;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #notPrompt;
  #isSlow = false; // the answer that is waited for does not come promptly
  /** @type {Recording | null} of the first presses, for the view that was asked for last */
  #recording = null;
  #view = "";
  #hasRestarted = false; // after Python had answered: what is on the page may be beyond the recording
  #answered = 0; // presses at the front of the queue whose answer is on the page already
  #drawn = 0; // the recorded picture that is on the page
  /** @type {Set<Command>} presses that waited when Python came: they may have become impossible */
  #late = new Set();
  /** @type {Set<string>} packages that are wanted, and are loaded again after a restart */
  #wanted = new Set();

  #app;

  /**
   * @param {Listener} listener
   * @param {string} app which Python answers, as python.js knows them
   */
  constructor(listener, app = "widget") {
    this.#listener = listener;
    this.#app = app;
  }

  /** Presses that have no answer yet; what a page opens with is none. */
  get waiting() {
    return this.#unanswered.filter(({ type }) => type !== "open").length;
  }

  /** Whether a link is still to be opened: what is drawn is not yet what it leads to. */
  get isOpening() {
    return this.#unanswered.some(({ type }) => type === "open");
  }

  /** Whether Python is there and has answered all that it was asked. */
  get isIdle() {
    return this.#isLive && this.#queue.length === 0;
  }

  /** Whether Python is there. */
  get isLive() {
    return this.#isLive;
  }

  get #isBehind() {
    return this.#isSlow || this.#queue.some((command) => this.#late.has(command));
  }

  get #unanswered() {
    return this.#queue.filter(isPress).slice(this.#answered);
  }

  /** Start Python, or start it again. */
  start() {
    this.stop();
    this.#hasRestarted ||= this.#done.length > 0;
    this.#answered += this.#done.filter(isPress).length;
    this.#queue = [...this.#done, ...this.#queue];
    this.#done = [];
    this.#session = join((report) => this.#hear(report));
    this.#tellWaiting();
  }

  /** Stop listening; what was done is remembered. */
  stop() {
    if (this.#session !== null) leave(this.#session);
    this.#session = null;
    this.#isLive = false;
    this.#waitNoMore();
  }

  /**
   * @param {Command} command
   * @returns {boolean} whether it stands for the one before it, too, which is not done any more
   */
  send(command) {
    // Of a slider's way only the newest place matters, as long as Python has not begun with an earlier one.
    const last = this.#queue.at(-1);
    const isUntouched = this.#queue.length > (this.#isBusy ? 1 : 0);
    const isNewer = isUntouched && last !== undefined && overtakes(command, last);
    if (isNewer) this.#queue.pop();
    this.#queue.push(command);
    if (command.type === "show") this.#turnTo(command.view);
    this.#preview();
    this.#tellWaiting();
    this.#next();
    return isNewer;
  }

  /** Leave out the presses that wait: the page turns to what stands for itself. One may be with Python already. */
  leaveOut() {
    const begun = this.#isBusy ? this.#queue.slice(0, 1) : [];
    const waiting = this.#unanswered;
    this.#queue = this.#queue.filter((command) => begun.includes(command) || !waiting.includes(command));
  }

  /** Get the recording for a view, unless Python is there already. @param {string} view */
  async #turnTo(view) {
    this.#view = view;
    if (this.#isLive || this.#app !== "widget") return;
    const recording = await Recording.of(view);
    if (view !== this.#view || this.#isLive) return;
    this.#recording = recording;
    this.#drawn = -1;
    this.#preview();
    this.#tellWaiting();
    if (recording !== null) setTimeout(() => this.#listener.rehearsed(recording.second));
  }

  /** Answer from the recording, as long as Python has answered nothing itself. */
  #preview() {
    if (this.#isLive || this.#recording === null || this.#hasRestarted) return;
    const { at, answered } = this.#recording.follow(this.#queue);
    this.#answered = answered;
    if (at === this.#drawn) return;
    this.#drawn = at;
    this.#listener.recorded(this.#recording.frame(at));
  }

  /** Want a package of Python's: it is loaded as soon as Python is there. Commands do not wait for it. */
  load(/** @type {string} */ name) {
    this.#wanted.add(name);
    if (this.#isLive) post({ v: 1, load: name });
  }

  #next() {
    const command = this.#queue[0];
    if (!this.#isLive || this.#isBusy || command === undefined || this.#session === null) return;
    this.#isBusy = true;
    post({ v: 1, session: this.#session, app: this.#app, command });
    this.#waitingLong = setTimeout(giveUp, PATIENCE);
    this.#notPrompt = setTimeout(() => {
      this.#isSlow = true;
      this.#tellWaiting();
    }, PROMPT);
  }

  #waitNoMore() {
    this.#isBusy = false;
    this.#isSlow = false;
    clearTimeout(this.#waitingLong);
    clearTimeout(this.#notPrompt);
  }

  #tellWaiting() {
    this.#listener.waiting(this.waiting, this.#isBehind);
  }

  /** @param {Report} report */
  #hear(report) {
    switch (report.type) {
      case "progress":
        this.#listener.progress(report.bytes);
        break;
      case "starting":
        this.#listener.starting(report.holdsPage === true);
        break;
      case "live":
        this.#isLive = true;
        this.#late = new Set(this.#unanswered);
        this.#tellWaiting();
        this.#listener.live(report.python, report.isWoken);
        for (const name of this.#wanted) post({ v: 1, load: name });
        // A report that is heard while joining comes before the session has its name.
        queueMicrotask(() => this.#next());
        break;
      case "frame":
        this.#finish(report.frame);
        break;
      case "package":
        this.#listener.loading(report);
        break;
      case "lost":
        this.#listener.lost();
        this.start();
        break;
      case "failed":
        this.#fail(report.sentence);
        break;
    }
  }

  /** @param {Frame} frame */
  #finish(frame) {
    this.#waitNoMore();
    const command = this.#queue.shift();
    const leavesNothing = command === undefined || command.type === "look" || command.type === "export";
    if (frame.problem === null && !leavesNothing) this.#done.push(command);
    if (this.#answered > 0 && command !== undefined && isPress(command)) this.#answered -= 1;
    if (frame.problem !== null && command !== undefined) {
      this.#listener.refused(command, frame, this.#late.has(command));
    }
    // What was answered before is on the page, and older pictures would only flicker by.
    if (this.#answered === 0 || frame.file !== null) this.#listener.frame(frame);
    this.#tellWaiting();
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
