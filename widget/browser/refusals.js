// Tells what could not be done in a line that stays until the reader has done something else: the link of the
// address, which stays as well, and presses that waited, where Python goes on to the next and a caption is soon gone.

import { notify } from "./embedding.js";

/** @typedef {import("./protocol.d.ts").Command} Command */

const MOST = 3; // told one by one

export class Refusals {
  #root;
  /** @type {WeakMap<Command, string>} press to what its button says */
  #names = new WeakMap();
  /** @type {string[]} */
  #presses = [];
  #problem = ""; // of the link in the address
  #link = ""; // of the session that was drawn last
  #hasGoneOn = false; // whether something was pressed since the line stands there

  /** @param {HTMLElement} root the widget */
  constructor(root) {
    this.#root = root;
  }

  /**
   * Take note of a press.
   *
   * @param {Command} command
   * @param {string} name
   */
  note(command, name) {
    this.#names.set(command, name);
    this.#hasGoneOn = true;
  }

  /**
   * Tell of a press that waited in vain.
   *
   * @param {Command} command
   * @param {string} problem as Python says it
   */
  add(command, problem) {
    this.#hasGoneOn = false;
    const name = this.#names.get(command);
    this.#presses.push(name ? `“${name}”. ${problem}` : problem);
    this.#tell();
  }

  /** Tell that the link in the address could not be opened. @param {string} problem as Python says it */
  addLink(problem) {
    this.#hasGoneOn = false;
    this.#problem = problem;
    this.#tell();
  }

  /** Take note of what is drawn. @param {string} link of the session */
  drawn(link) {
    if (this.#hasGoneOn && link !== this.#link) this.clear();
    this.#link = link;
  }

  clear() {
    this.#hasGoneOn = false;
    if (this.#presses.length === 0 && this.#problem === "") return;
    this.#presses = [];
    this.#problem = "";
    this.#tell();
  }

  #tell() {
    notify(this.#root, [this.#problem, this.#inVain()].filter(Boolean).join(" "));
  }

  #inVain() {
    const { length } = this.#presses;
    if (length === 0) return "";
    const count = length === 1 ? "One press that waited" : `${length} presses that waited`;
    const more = length > MOST ? [`And ${length - MOST} more.`] : [];
    return `${count} could not be done: ${[...this.#presses.slice(0, MOST), ...more].join(" ")}`;
  }
}
