// One Python for all widgets of a page: in a worker, or on the page's own thread where it may have no worker. It
// hands each answer to the session that asked. Nothing here knows what a command means.

import { NotLoaded, whyNot } from "./problems.js";
import { Silence } from "./silence.js";

/**
 * @typedef {import("./protocol.d.ts").Message} Message
 * @typedef {import("./protocol.d.ts").Report} Report
 *
 * @typedef {object} Thread
 * @property {(message: Message) => void} post
 * @property {() => void} end
 */

/** @type {Map<string, (report: Report) => void>} session to who listens for it */
const listeners = new Map();
/** @type {Thread | null} */
let thread = null;
/** @type {Report | null} the newest that concerns all, for those who join later */
let state = null;
let joined = 0;
let losses = 0;
const silence = new Silence();
let scriptsAreThere = () => {};
let damaged = ""; // the file that was not what it should be, and is to come anew

const MOST_LOSSES = 3; // times that Python is started again by itself, before the reader is asked
const LINGER = 30_000; // ms that Python stays when nobody needs it: a theme may be about to show its next page here

/** @type {ReturnType<typeof setTimeout> | undefined} */
let leaving;

/**
 * Listen for a new session, and start Python if it is not there yet.
 *
 * @param {(report: Report) => void} listener
 * @returns {string} the session's name
 */
export function join(listener) {
  clearTimeout(leaving);
  joined += 1;
  const session = String(joined);
  listeners.set(session, listener);
  if (thread === null) start();
  else if (state !== null) listener(state);
  return session;
}

/** @param {string} session that ends; some time after the last of them Python ends, too */
export function leave(session) {
  listeners.delete(session);
  post({ v: 1, end: session });
  if (listeners.size === 0) leaving = setTimeout(end, LINGER);
}

function end() {
  scriptsAreThere();
  thread?.end();
  thread = null;
  state = null;
}

/** Python does not answer any more: end it, so that whoever listens starts it again. */
export function giveUp() {
  losses += 1;
  if (losses > MOST_LOSSES) hear({ v: 1, type: "failed", sentence: "Python stopped, time and again." });
  else hear({ v: 1, type: "lost" });
}

/** @param {Message} message */
export function post(message) {
  thread?.post(message);
}

function start() {
  state = null;
  scriptsAreThere = silence.expect();
  silence.signal.addEventListener("abort", () => fail("worker.js", ""));
  try {
    const worker = new Worker(scriptOfWorker(), { type: "module", name: damaged });
    let hasSpoken = false;
    worker.onmessage = ({ data }) => {
      hasSpoken = true;
      hear(data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      // A worker that never ran: the page may have none, or its script did not come, which the page will notice too.
      if (hasSpoken) giveUp();
      else startHere();
    };
    thread = { post: (message) => worker.postMessage(message), end: () => worker.terminate() };
  } catch {
    startHere();
  }
}

/** A frame without an origin may have no worker from any address, but one whose script the address itself is. */
function scriptOfWorker() {
  const { href } = new URL("./worker.js", import.meta.url);
  return self.origin === "null" ? `data:text/javascript,${encodeURIComponent(`import "${href}";`)}` : href;
}

/** Start Python on the page's own thread. It cannot be stopped; what it says after its end goes unheard. */
function startHere() {
  let isEnded = false;
  const python = import("./python.js").then(
    ({ Python }) => new Python((report) => isEnded || hear(fromHere(report)), damaged),
    () => isEnded || fail("python.js", "it did not come"),
  );
  thread = {
    post: async (message) => {
      const there = await python;
      if (typeof there === "object" && !isEnded) there.hear(message);
    },
    end: () => {
      isEnded = true;
    },
  };
}

/** @param {Report} report of a Python that starts where the page does all else */
function fromHere(report) {
  return report.type === "starting" ? { ...report, holdsPage: true } : report;
}

/**
 * A script of Python's did not come: until they are there, nobody but the page can tell.
 *
 * @param {string} script
 * @param {string} reason if it is nothing else
 */
function fail(script, reason) {
  const { message } = new NotLoaded(script, whyNot(reason, silence.signal));
  hear({ v: 1, type: "failed", sentence: message });
}

/** @param {Report} report */
function hear(report) {
  scriptsAreThere();
  if (report.type === "frame") {
    listeners.get(report.session)?.(report);
    return;
  }
  if (report.type === "failed") damaged = report.damaged ?? "";
  if (report.type === "failed" || report.type === "lost") end();
  state = report.type === "package" ? state : report;
  for (const listener of [...listeners.values()]) listener(report);
}
