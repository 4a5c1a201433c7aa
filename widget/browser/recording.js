// What the build recorded of the first presses: it answers them until Python is there. widget/recording.py writes
// it, by running the same Python, and says how it is read.

/**
 * @typedef {import("./protocol.d.ts").Command} Command
 * @typedef {import("./protocol.d.ts").Frame} Frame
 */

// They change nothing that is recorded, and wait for Python without holding up what follows.
const ASIDE = ["show", "look", "attend", "open_panel", "export"];
const PANELS = ["chart", "table"];

export class Recording {
  /** @type {string[]} */
  #names;
  /** @type {string[]} */
  #pieces;
  /** @type {number[][]} region: the numbers of its pieces */
  #regions;
  /** @type {(number | string)[][]} */
  #frames;
  /** @type {Record<string, number>[]} */
  #following;
  /** @type {string[]} region: its markup, once it has been put together: most presses change few of them */
  #markups = [];

  /**
   * @param {object} content
   * @param {string[]} content.names
   * @param {string[]} content.pieces
   * @param {number[][]} content.regions
   * @param {(number | string)[][]} content.frames
   * @param {Record<string, number>[]} content.following
   */
  constructor({ names, pieces, regions, frames, following }) {
    this.#pieces = pieces;
    this.#names = names;
    this.#regions = regions;
    this.#frames = frames;
    this.#following = following;
  }

  /**
   * The recording for a view, or null if there is none to be had.
   *
   * @param {string} view
   */
  static async of(view) {
    try {
      const response = await fetch(new URL(`./recorded-${view}.bin`, import.meta.url));
      if (!response.ok || response.body === null) return null;
      const body = response.body.pipeThrough(new DecompressionStream("gzip"));
      return new Recording(await new Response(body).json());
    } catch {
      return null; // then presses wait for Python
    }
  }

  /**
   * Follow commands from how the widget opens, as far as they were recorded.
   *
   * @param {Command[]} commands
   * @returns {{at: number, answered: number}} where they lead, and how many of the presses among them lead there
   */
  follow(commands) {
    let at = 0;
    let answered = 0;
    for (const command of commands) {
      if (ASIDE.includes(command.type)) continue;
      const next = this.#following[at]?.[JSON.stringify(normal(command))];
      if (next === undefined) break;
      at = next;
      answered += 1;
    }
    return { at, answered };
  }

  /** One of the pictures that the first press leads to, or the first if none is recorded. */
  get second() {
    return this.frame(Object.values(this.#following[0] ?? {})[0] ?? 0);
  }

  /**
   * @param {number} number
   * @returns {Frame}
   */
  frame(number) {
    const entry = this.#frames[number] ?? [];
    // What a panel shows is drawn while it is open, by Python: until then it stays as it came with the page.
    const drawn = this.#names.filter((name) => !PANELS.includes(name));
    const regions = Object.fromEntries(
      drawn.map((name) => [name, this.#markup(Number(entry[this.#names.indexOf(name)]))]),
    );
    const [step, steps, link, caption] = entry.slice(this.#names.length);
    return {
      v: 1,
      regions,
      snapshot: { step: Number(step) },
      contiguous: [],
      paged: [],
      caption: String(caption),
      looked: "",
      link: String(link),
      steps: Number(steps),
      file: null,
      problem: null,
    };
  }

  /** @param {number} region */
  #markup(region) {
    this.#markups[region] ??= (this.#regions[region] ?? []).map((piece) => this.#pieces[piece]).join("");
    return this.#markups[region];
  }
}

/** A link as Python writes it, without what is not of the session. @param {Command} command */
function normal(command) {
  if (command.type !== "open") return command;
  const pairs = command.link.replace(/^[#?]/, "").split("&");
  return { ...command, link: pairs.filter((pair) => !pair.startsWith("theme=")).join("&") };
}

/** @param {Command} command */
export function isPress(command) {
  return !ASIDE.includes(command.type);
}
