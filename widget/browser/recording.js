// What the build recorded of the first presses: it answers them until Python is there. widget/recording.py writes
// it, by running the same Python, and says how it is read.

/**
 * @typedef {import("./protocol.d.ts").Command} Command
 * @typedef {import("./protocol.d.ts").Frame} Frame
 */

// They change nothing that is recorded, and wait for Python without holding up what follows.
const ASIDE = ["show", "look", "attend", "open_panel", "export"];

export class Recording {
  /** @type {string[]} */
  #names;
  /** @type {string[]} */
  #regions;
  /** @type {(number | string)[][]} */
  #frames;
  /** @type {Record<string, number>[]} */
  #following;

  /** @param {{names: string[], regions: string[], frames: (number | string)[][], following: Record<string, number>[]}} content */
  constructor({ names, regions, frames, following }) {
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

  /**
   * @param {number} number
   * @returns {Frame}
   */
  frame(number) {
    const entry = this.#frames[number] ?? [];
    const regions = Object.fromEntries(
      this.#names.map((name, column) => [name, this.#regions[Number(entry[column])] ?? ""]),
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
