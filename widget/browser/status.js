// Tells a reader how Python stands: in words, by a bar, and to the styles in `data-state`.

const MEGABYTE = 1e6;

/**
 * @typedef {object} Words
 * @property {[string, string]} waits what one that waits does, and what several do
 * @property {string} kept what a reader has when Python does not run
 *
 * @typedef {object} Standing
 * @property {number} bytes of the runtime that have arrived; infinite once Python starts
 * @property {string} python its version, once it answers
 * @property {string} problem why it does not run
 * @property {boolean} isWanted whether it may come: over a line that costs, the reader is asked first
 * @property {boolean} holdsPage whether the page stands still while Python starts
 * @property {number} waiting presses that have no answer yet
 * @property {boolean} isBehind whether they are told of although Python is there: it takes long to answer them
 * @property {boolean} isOpening whether a link is still to be opened
 */

/** @type {Words} */
const OF_PRESSES = {
  waits: ["press waits", "presses wait"],
  kept: "Presses that were recorded are answered all the same; the others are kept as long as this page is open.",
};

export class Status {
  /** @type {Standing} */
  #now = {
    bytes: 0,
    python: "",
    problem: "",
    isWanted: true,
    holdsPage: false,
    waiting: 0,
    isBehind: false,
    isOpening: false,
  };
  #failures = 0; // since Python was wanted: a reader who tries again sees that it was tried
  #root;
  #say;
  #words;

  /**
   * @param {HTMLElement} root the element that it is told in
   * @param {(text: string) => void} say to those who do not see it
   * @param {Words} words
   */
  constructor(root, say, words = OF_PRESSES) {
    this.#root = root;
    this.#say = say;
    this.#words = words;
  }

  get isLive() {
    return this.#now.python !== "";
  }

  get hasFailed() {
    return this.#now.problem !== "";
  }

  get isWanted() {
    return this.#now.isWanted;
  }

  /** @param {Partial<Standing>} change */
  tell(change) {
    const hadWaiting = this.#now.waiting;
    this.#now = { ...this.#now, ...change };
    const { problem, waiting } = this.#now;
    if (change.problem) this.#failures += 1;
    if (change.python) this.#failures = 0;
    const waits = this.#waitingWords();
    this.#root.dataset.state = this.#state();
    this.#root.toggleAttribute("data-waits", waits !== "");
    this.write("[data-mode]", this.#mode());
    this.write("[data-waiting]", waits);
    this.write(".kv-ask [data-waiting-too]", waits);
    this.write(".kv-problem [data-waiting-too]", waits);
    if (waiting > hadWaiting && waits !== "") this.#say(waits);
    this.write("[data-problem]", problem && `${this.#failed()} ${problem} ${this.#words.kept}`);
    const bar = this.#root.querySelector("progress");
    if (bar === null) return;
    if (this.#now.bytes < this.#total) bar.value = this.#now.bytes / this.#total;
    else bar.removeAttribute("value");
  }

  /** A button that starts Python goes with what it is about, and the focus would go with it: it comes here. */
  focus() {
    /** @type {HTMLElement | null} */ (this.#root.querySelector("[data-mode]"))?.focus();
  }

  /**
   * @param {string} selector
   * @param {string} text
   */
  write(selector, text) {
    const element = this.#root.querySelector(selector);
    if (element !== null && element.textContent !== text) element.textContent = text;
  }

  get #total() {
    return Number(this.#root.dataset.bytes);
  }

  #state() {
    if (this.#now.problem) return "failed";
    if (this.#now.python) return "live";
    return this.#now.isWanted ? "loading" : "asking";
  }

  #mode() {
    const { bytes, python, problem, isWanted, holdsPage } = this.#now;
    if (problem || !isWanted) return "recorded";
    if (python) return `live · Python ${python}`;
    if (bytes >= this.#total)
      return `recorded · starting Python${holdsPage ? ", this page stands still" : ""}`;
    return `recorded · loading Python: ${megabytes(bytes)} of ${megabytes(this.#total)} MB`;
  }

  #failed() {
    return `Python is not running${this.#failures > 1 ? `, after ${this.#failures} tries` : ""}.`;
  }

  #waitingWords() {
    const { python, waiting, isBehind, isOpening } = this.#now;
    const [one, several] = this.#words.waits;
    const opens = isOpening && !python ? "The link opens as soon as Python is there." : "";
    if (waiting < 1 || (python && !isBehind)) return opens;
    return `${opens} ${waiting} ${waiting === 1 ? one : several} for Python`.trim();
  }
}

/** @param {number} bytes */
function megabytes(bytes) {
  return (bytes / MEGABYTE).toFixed(1);
}
