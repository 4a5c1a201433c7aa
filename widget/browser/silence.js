// Notices that nothing comes over a line any more, though something is to come. A browser would wait for ever.

const TICK = 5000; // ms; a page that was frozen misses ticks, and so its line is not blamed
const PATIENCE = 6; // ticks without a byte

export class Silence {
  /** @type {Set<symbol>} one for each file that is to come */
  #expected = new Set();
  #ticks = 0; // since anything came
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #ticking;
  #over = new AbortController();

  /** For the requests of what is expected: it is aborted when nothing has come for too long. */
  get signal() {
    return this.#over.signal;
  }

  /**
   * A file is to come.
   *
   * @returns {() => void} to be called when it is there, or will not come
   */
  expect() {
    if (this.#expected.size === 0) {
      this.#ticks = 0;
      this.#over = new AbortController();
      this.#ticking = setInterval(() => this.#tick(), TICK);
    }
    const file = Symbol();
    this.#expected.add(file);
    return () => {
      this.#expected.delete(file);
      if (this.#expected.size === 0) clearInterval(this.#ticking);
    };
  }

  /** Something came. */
  broken() {
    this.#ticks = 0;
  }

  #tick() {
    this.#ticks += 1;
    if (this.#ticks >= PATIENCE) this.#over.abort();
  }
}
