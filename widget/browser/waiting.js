// The presses that the address does not hold yet. Those that wait for Python stand in the history's entry beside the
// address, so that a page which is loaded again, or left and come back to, still has them. Nothing is stored.

import { isPress } from "./recording.js";

/**
 * @typedef {import("./protocol.d.ts").Command} Command
 * @typedef {{command: Command, name: string}} Press what is asked for, and what its button says
 */

const MOST = 200; // presses of an entry: far more than anybody waits with
const LONGEST = 200; // characters of a name

export class Waiting {
  /** @type {Press[]} */
  #presses = [];
  #isAboutToKeep = false;

  /** The presses that the address does not hold, oldest first. */
  get presses() {
    return [...this.#presses];
  }

  /** What an entry of the history is to hold; beyond the most, it is the first ones that make sense alone. */
  get state() {
    return this.#presses.length > 0 ? { waiting: this.#presses.slice(0, MOST) } : null;
  }

  /** Begin anew, and return the presses that an entry of the history holds, to be sent again. @param {unknown} state */
  take(state) {
    this.#presses = [];
    return keptIn(state);
  }

  /** Take note of a press, before it is sent. @param {Press} press */
  note(press) {
    if (isKept(press.command)) this.#presses.push(press);
  }

  /** The newest press stands for the one before it, too. @param {Press} press */
  overtake(press) {
    const { length } = this.#presses;
    if (press === this.#presses.at(-1) && length > 1) this.#presses.splice(length - 2, 1);
  }

  /** The address holds these from now on. @param {Press[]} presses */
  leaveOut(presses) {
    this.#presses = this.#presses.filter((press) => !presses.includes(press));
  }

  /** Write them beside the address as it is: once, however many are sent at a time. */
  keep() {
    if (this.#isAboutToKeep || (this.state === null && history.state === null)) return;
    this.#isAboutToKeep = true;
    queueMicrotask(() => {
      this.#isAboutToKeep = false;
      try {
        history.replaceState(this.state, "");
      } catch {
        // A frame may forbid it, and browsers limit how often and how much: then they last as long as the page.
      }
    });
  }
}

/**
 * The presses in an entry. Other scripts, or a build before this one, may have written it: what is not wholly of this
 * form is left alone, since presses with a gap lead somewhere else. Whether they can be done is for Python to say.
 *
 * @param {unknown} state
 * @returns {Press[]}
 */
function keptIn(state) {
  if (!isPlain(state) || !Array.isArray(state.waiting) || state.waiting.length > MOST) return [];
  return state.waiting.every(isWhole) ? state.waiting : [];
}

/** What a page asks for as it opens, it asks for anew. @param {Command} command */
function isKept(command) {
  return isPress(command) && command.type !== "open";
}

/** @param {unknown} value */
function isWhole(value) {
  if (!isPlain(value) || typeof value.name !== "string" || value.name.length > LONGEST) return false;
  const { command } = value;
  if (!isPlain(command) || typeof command.type !== "string") return false;
  if (!isKept(/** @type {Command} */ (command))) return false;
  return Object.values(command).every(
    (field) => isScalar(field) || (isPlain(field) && Object.values(field).every(isScalar)),
  );
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
function isPlain(value) {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** @param {unknown} value */
function isScalar(value) {
  return value === null || ["string", "boolean"].includes(typeof value) || Number.isFinite(value);
}
