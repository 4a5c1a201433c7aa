// Plays a session: one step on at a time, until its end. It knows the number of the step and of the last one.

const UNHURRIED = 1600; // ms per step at speed 1: time to read a caption

export class Player {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #isPlaying = false;
  #step = 0;
  #steps = 0;
  /** @type {(to: number) => void} */
  #go;
  /** @type {(isPlaying: boolean) => void} */
  #tell;
  /** @type {() => number} */
  #speed;

  /**
   * @param {(to: number) => void} go to a step
   * @param {(isPlaying: boolean) => void} tell whether it plays
   * @param {() => number} speed how fast the reader wants it now
   */
  constructor(go, tell, speed) {
    this.#go = go;
    this.#tell = tell;
    this.#speed = speed;
  }

  /**
   * Take note of where the session is. The next step follows a while after this one has been drawn.
   *
   * @param {number} step
   * @param {number} steps
   */
  note(step, steps) {
    this.#step = step;
    this.#steps = steps;
    if (this.#isPlaying) this.#wait();
  }

  toggle() {
    if (this.#isPlaying) this.stop();
    else this.#start();
  }

  stop() {
    clearTimeout(this.#timer);
    this.#isPlaying = false;
    this.#tell(false);
  }

  #start() {
    this.#isPlaying = true;
    this.#tell(true);
    // At the end there is nothing to play but all of it again.
    this.#go(this.#step >= this.#steps ? 0 : this.#step + 1);
  }

  #wait() {
    clearTimeout(this.#timer);
    if (this.#step >= this.#steps) this.stop();
    else this.#timer = setTimeout(() => this.#go(this.#step + 1), UNHURRIED / this.#speed());
  }
}
