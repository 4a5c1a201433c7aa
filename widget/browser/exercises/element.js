// <kv-exercise>: the quiz, the sheet of variants, a chart, or the calculator on a page. It forwards what a reader
// answers to Python and patches regions with what comes back; what is right is decided there, and nowhere here.

/**
 * @typedef {import("./protocol.d.ts").ExerciseCommand} ExerciseCommand
 * @typedef {import("./protocol.d.ts").ExerciseFrame} ExerciseFrame
 */

import { remember } from "../address.js";
import { askFirst, want } from "../asking.js";
import { Client } from "../client.js";
import { keepForLater } from "../line.js";
import { patch } from "../patch.js";
import { Status } from "../status.js";
import { droppedFile, textOf } from "./files.js";
import { copyLink } from "./links.js";
import { liveForm, settleFields } from "./live.js";
import { forget, keep, kept } from "./memory.js";
import { press } from "./presses.js";
import { answerFromRecord } from "./recorded.js";
import { save } from "./save.js";

const EVENTS = ["click", "submit", "input", "change", "dragover", "drop"];
const REST = 300; // ms without another frame, before a sentence is spoken

class KvExercise extends HTMLElement {
  /** @type {Client | null} */
  #client = null;
  /** @type {Map<Element, string>} region to the markup that stands in it */
  #drawn = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #saying;
  #judged = 0; // entries that the record has answered, and that Python only does again
  #status = new Status(this, (text) => this.#say(text), {
    waits: ["entry waits", "entries wait"],
    kept: "The page stays as it is, and what you enter is kept.",
  });

  connectedCallback() {
    if (this.#client !== null) return;
    this.#client = new Client(
      {
        progress: (bytes) => this.#status.tell({ bytes }),
        starting: (holdsPage) => this.#status.tell({ bytes: Number.POSITIVE_INFINITY, holdsPage }),
        live: (python) => {
          this.#status.tell({ python });
          keepForLater();
        },
        loading: () => {},
        waiting: (waiting, isBehind) => {
          if (waiting === 0) this.#judged = 0;
          this.#status.tell({ waiting: waiting - this.#judged, isBehind });
        },
        lost: () => this.#notThere(),
        refused: () => {}, // its sentence stands in the frame, for the notice
        recorded: () => {}, // what is recorded of exercises stands in their page
        rehearsed: () => {},
        failed: (sentence) => this.#status.tell({ problem: sentence }),
        // The client hands on what a worker says, and this page's worker runs another Python.
        frame: (frame) => this.#draw(/** @type {ExerciseFrame} */ (/** @type {unknown} */ (frame))),
      },
      this.#app,
    );
    for (const type of EVENTS) this.addEventListener(type, this);
    for (const type of ["popstate", "online"]) addEventListener(type, this);
    const memory = this.#app === "quiz" ? kept() : "";
    if (memory) this.#send({ type: "resume", memory });
    // The theme's links to sections are no links of ours.
    if (location.hash.includes("=")) {
      this.#send({ type: "open", link: location.hash });
      this.#status.write("[data-notice]", "What the link asks for comes as soon as Python is live.");
    }
    askFirst(this.#status, () => this.#start());
    this.#start();
  }

  disconnectedCallback() {
    for (const type of ["popstate", "online"]) removeEventListener(type, this);
    this.#client?.stop();
    this.#client = null;
  }

  get #app() {
    return this.dataset.app ?? "";
  }

  /** @param {Event} event */
  handleEvent(event) {
    if (event.type === "popstate") {
      if (location.hash.includes("=")) this.#send({ type: "open", link: location.hash });
      return;
    }
    if (event.type === "online" && this.#status.hasFailed) this.#start();
    const target = event.target;
    if (!(target instanceof Element)) return;
    if (event instanceof DragEvent) this.#take(droppedFile(event, this.#app));
    if (event.type === "input" || event.type === "change") this.#change(target, event.type === "input");
    if (event.type === "submit" && target instanceof HTMLFormElement) {
      event.preventDefault();
      // One that answers at once has sent what was changed.
      if (!target.hasAttribute("data-live")) this.#submit(target);
    }
    if (event.type === "click") {
      const link = target.closest("a[data-copy]");
      if (link instanceof HTMLAnchorElement) copyLink(link, event);
      this.#click(target);
    }
  }

  /** @param {HTMLFormElement} form */
  #submit(form) {
    /** @type {Record<string, string>} */
    const fields = {};
    const data = new FormData(form);
    for (const name of data.keys()) fields[name] = data.getAll(name).join(",");
    const command = { ...JSON.parse(form.dataset.command ?? "{}"), fields };
    if (!this.#status.isLive) {
      const said = answerFromRecord(form, command);
      if (said) this.#say(said);
      if (said && !said.includes("waits")) this.#judged += 1;
    }
    this.#send(command);
  }

  /**
   * A file is chosen, or a control of a form that answers at once is changed. While a slider moves, only what it
   * says when Python is free is sent; what it says at last always is.
   *
   * @param {Element} target
   * @param {boolean} isMoving
   */
  #change(target, isMoving) {
    if (target instanceof HTMLInputElement && target.type === "file") {
      if (!isMoving) this.#take(target.files?.[0]);
      return;
    }
    const command = liveForm(target, isMoving);
    if (command !== null && (!isMoving || (this.#client?.waiting ?? 0) === 0)) this.#send(command);
  }

  /** @param {File | null | undefined} file */
  async #take(file) {
    if (!file) return;
    const text = await textOf(file);
    if (text === null)
      this.#status.write("[data-notice]", "The file is not taken. The browser could not read it.");
    else this.#send({ type: "read", text });
  }

  /** @param {Element} target */
  #click(target) {
    if (target.closest("[data-retry]")) this.#start();
    if (target.closest("[data-want]")) want(this.#status, () => this.#start());
    if (target.closest("[data-retry], [data-want]")) this.#status.focus();
    if (target.closest("[data-print]")) print();
    const block = target.closest("button[data-block]");
    if (block !== null) press(block);
    const button = target.closest("button[data-command]");
    if (!(button instanceof HTMLButtonElement)) return;
    if (button.dataset.confirm && !confirm(button.dataset.confirm)) return;
    this.#send(JSON.parse(button.dataset.command ?? "{}"));
  }

  /** @param {ExerciseCommand} command */
  #send(command) {
    // The client passes on what it is given; this page's Python knows other commands than the widget's.
    this.#client?.send(/** @type {import("../protocol.d.ts").Command} */ (/** @type {unknown} */ (command)));
  }

  #start() {
    this.#status.tell({ problem: "" });
    this.#notThere();
    if (this.#status.isWanted) this.#client?.start();
  }

  /** Python is on its way, or on its way again. */
  #notThere() {
    this.#status.tell({ python: "", bytes: 0 });
  }

  /** @param {ExerciseFrame} frame */
  #draw(frame) {
    const focused = document.activeElement;
    const place = this.#placeOf(focused);
    for (const [name, markup] of Object.entries(frame.regions)) {
      const region = this.querySelector(`[data-region="${name}"]`);
      if (region === null || this.#drawn.get(region) === markup) continue;
      patch(region, markup);
      this.#drawn.set(region, markup);
      settleFields(region);
    }
    if (focused && !focused.isConnected) this.#restoreFocus(place);
    this.#status.write("[data-notice]", frame.problem ?? "");
    if (frame.said) this.#say(frame.said);
    if (frame.memory) keep(frame.memory);
    if (frame.memory === "") forget();
    if (frame.link !== null && (this.#client?.waiting ?? 0) === 0) remember(frame.link);
    if (frame.show !== null) document.getElementById(frame.show)?.scrollIntoView();
    if (frame.file !== null) save(frame.file);
    this.dispatchEvent(new CustomEvent("kv-frame", { detail: frame, bubbles: true }));
  }

  /** Where the focus is: the region, and the how-manieth of its buttons. @param {Element | null} focused */
  #placeOf(focused) {
    const region = focused?.closest("[data-region]");
    if (!focused || !region || !this.contains(region)) return null;
    return { region, index: [...region.querySelectorAll("button")].indexOf(/** @type {any} */ (focused)) };
  }

  /**
   * Another variant is another form: its button at the same place gets the focus, so that a keyboard reader is not
   * thrown back to the top.
   *
   * @param {{region: Element, index: number} | null} place
   */
  #restoreFocus(place) {
    if (place === null) return;
    const buttons = [...place.region.querySelectorAll("button")];
    // The number of blocks differs from variant to variant, and the buttons below them are counted from the end.
    const command = buttons.find((button) => button.textContent === "Another variant");
    (command ?? buttons.at(place.index) ?? buttons.at(-1))?.focus();
  }

  /** Say a sentence once no other has followed it for a moment. @param {string} text */
  #say(text) {
    clearTimeout(this.#saying);
    this.#status.write("[data-said]", "");
    this.#saying = setTimeout(() => this.#status.write("[data-said]", text), REST);
  }
}

customElements.define("kv-exercise", KvExercise);
