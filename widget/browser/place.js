// Where a session is kept: in the address and its entry of the history, where they are the widget's, and otherwise
// for as long as the page's scripts run.

import { openedWith, remember } from "./address.js";
import { Waiting } from "./waiting.js";

/**
 * @typedef {import("./protocol.d.ts").Command} Command
 * @typedef {import("./waiting.js").Press} Press
 */

/**
 * A widget of a page to the session there, for a theme that brings a page back by itself.
 *
 * @type {Map<string, string>}
 */
const leftAt = new Map();

export class Place {
  #root;
  #waiting = new Waiting();
  #key = "";
  /** @type {string | null} the link of the session on the page, while the address says what could not be opened */
  #held = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #remembering;

  /** @param {HTMLElement} root the widget */
  constructor(root) {
    this.#root = root;
  }

  /** Whether the page's address is the widget's: on a page of its own, not within a lesson. */
  get hasAddress() {
    return this.#root.hasAttribute("data-address");
  }

  /** Come here: the link that leads to the session, and the presses that waited on top of it. */
  enter() {
    this.leave(); // or the address that was left would come back
    this.#held = null;
    // Within a lesson the page says which session belongs to it.
    const opens = this.#root.dataset.opens ?? "";
    // Two of one page may open alike, and each has its own; what a page brings back stands where it stood.
    const index = [...document.querySelectorAll("kv-pool")].indexOf(this.#root);
    this.#key = `${location.pathname} ${index} ${opens}`;
    if (this.hasAddress) return { link: openedWith(), presses: this.#waiting.take(history.state) };
    return { link: leftAt.get(this.#key) ?? opens, presses: [] };
  }

  leave() {
    clearTimeout(this.#remembering);
  }

  /**
   * Take note of a press while it is sent.
   *
   * @param {Press} press
   * @param {(command: Command) => boolean} send says whether it stands for the one before it, too
   */
  note(press, send) {
    this.#waiting.note(press);
    if (send(press.command)) this.#waiting.overtake(press);
  }

  /** Keep the presses that wait. */
  keep() {
    if (this.hasAddress) this.#waiting.keep();
  }

  /**
   * What the address says could not be opened. It stays there until something else is done, for a reader to mend.
   *
   * @param {string} link of the session on the page
   */
  hold(link) {
    this.#held = link;
  }

  /**
   * Keep the session: in the address if that is the widget's. A browser lays the page out before it changes an
   * address, and the patched picture does not wait for that.
   *
   * @param {string} link of the session after all presses so far
   */
  remember(link) {
    leftAt.set(this.#key, link);
    if (!this.hasAddress) return;
    const isHeld = link === this.#held;
    if (!isHeld) this.#held = null;
    const { presses } = this.#waiting;
    this.leave();
    this.#remembering = setTimeout(() => {
      this.#waiting.leaveOut(presses);
      if (isHeld) this.keep();
      else remember(link, this.#waiting.state);
    });
  }
}
