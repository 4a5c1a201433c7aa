// <kv-pool>: the widget on a page. It forwards presses to Python and patches regions with what Python answers;
// what memory looks like, and every word about it, is in the markup that comes back.

import { askFirst, want } from "./asking.js";
import { AttentionPanel } from "./attention.js";
import { Client } from "./client.js";
import { takeEarly } from "./early.js";
import { fitIn } from "./embedding.js";
import { focusedPlace, restoreFocus } from "./focus.js";
import { offerFullScreen } from "./fullscreen.js";
import { listenToKeys } from "./keys.js";
import { keepForLater } from "./line.js";
import { linkUp } from "./linking.js";
import { closeMenus } from "./menu.js";
import { Motion } from "./motion.js";
import { patch, settle } from "./patch.js";
import { Place } from "./place.js";
import { Player } from "./player.js";
import { isPress } from "./recording.js";
import { Refusals } from "./refusals.js";
import { offerSharing } from "./sharing.js";
import { walkSlots } from "./slots.js";
import { offerSnippet } from "./snippet.js";
import { Status } from "./status.js";
import { themeOf } from "./theme.js";

const REST = 500; // ms without another frame, before a caption is spoken
const STRIDE = 100; // the same for a slot that is gone to, which a reader waits for before going on

class KvPool extends HTMLElement {
  /** @type {ResizeObserver | null} */
  #observer = null;
  #connection = new AbortController();
  #attention = new AttentionPanel(
    this,
    (command) => this.#send(command),
    (name) => this.#client.load(name),
    () => this.#client.waiting === 0,
  );
  #player = new Player(
    (to) => this.#send({ type: "step", to }),
    (isPlaying) => this.#status.write("[data-play]", isPlaying ? "Pause" : "Play"),
    // Read when it is needed: after a reload a browser puts back what was chosen, and tells nobody.
    () => Number(/** @type {HTMLSelectElement | null} */ (this.querySelector("[data-speed]"))?.value ?? 1),
  );
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #saying;
  #saysLook = false; // whether a slot was gone to with the keys, and is to be heard
  #hasDrawn = false; // the first frame is what the page has shown all along
  #motion = new Motion();
  #link = () => {};
  /** @type {Map<Element, string>} region to the markup that stands in it */
  #drawn = new Map();
  #view = "";
  #place = new Place(this);
  #refusals = new Refusals(this);
  #status = new Status(this, (text) => this.#say(text));
  #client = new Client({
    progress: (bytes) => this.#status.tell({ bytes }),
    starting: (holdsPage) => this.#status.tell({ bytes: Number.POSITIVE_INFINITY, holdsPage }),
    live: (python, isWoken) => {
      this.dataset.start = isWoken ? "kept" : "new";
      this.#status.tell({ python });
      this.#attention.turned("live");
      keepForLater();
    },
    lost: () => this.#notThere(),
    loading: (report) => this.#attention.loading(report),
    waiting: (waiting, isBehind) => {
      this.#status.tell({ waiting, isBehind, isOpening: this.#client.isOpening });
      if (waiting > 0 && !this.#client.isLive) this.#place.keep();
    },
    failed: (sentence) => {
      this.#status.tell({ problem: sentence });
      this.#attention.turned("failed");
    },
    refused: (command, frame, hasWaited) => {
      const problem = frame.problem ?? "";
      if (command.type === "open") {
        this.#place.hold(frame.link);
        this.#refusals.addLink(problem);
      } else if (hasWaited) this.#refusals.add(command, problem);
    },
    frame: (frame) => {
      this.removeAttribute("data-recorded");
      this.#draw(frame);
    },
    recorded: (frame) => {
      this.setAttribute("data-recorded", "");
      this.#draw(frame);
    },
    rehearsed: (frame) => this.#rehearse(frame),
  });

  connectedCallback() {
    for (const type of ["click", "input"]) this.addEventListener(type, this);
    this.#link = linkUp(this);
    walkSlots(this, (command, isByKey) => {
      this.#saysLook = isByKey;
      this.#send(command);
    });
    this.#connection = new AbortController();
    this.#attention.listen(this.#connection.signal);
    for (const part of [fitIn, offerSnippet, offerFullScreen, listenToKeys, closeMenus]) {
      part(this, this.#connection.signal);
    }
    offerSharing(this, (command) => this.#send(command), this.#connection.signal);
    this.#observer = new ResizeObserver(() => this.#measure());
    this.#observer.observe(this);
    this.#measure();
    askFirst(this.#status, () => this.#start());
    addEventListener("online", this);
    if (this.#place.hasAddress) addEventListener("popstate", this);
    const link = this.#open();
    // Only the calculator's links speak of a model.
    if (this.#place.hasAddress && link.includes("of=")) this.#tellModel(link);
    this.#start();
    for (const event of takeEarly(this)) this.handleEvent(event);
  }

  disconnectedCallback() {
    for (const type of ["popstate", "online"]) removeEventListener(type, this);
    this.#place.leave();
    this.#observer?.disconnect();
    this.#connection.abort();
    this.#player.stop();
    this.#client.stop(); // what was done is remembered, and done again if the element comes back
  }

  /** For scripts that drive the widget: whether Python is live, and all that was asked of it is drawn. */
  get isIdle() {
    return this.#client.isIdle;
  }

  /** @param {Event} event */
  handleEvent(event) {
    if (event.type === "popstate") this.#open(true);
    if (event.type === "online" && this.#status.hasFailed) this.#start();
    const target = event.target;
    if (!(target instanceof Element)) return;
    if (event.type === "click") this.#click(target);
    if (event.type === "input" && target instanceof HTMLInputElement) this.#slide(target);
  }

  /** @param {Element} target */
  #click(target) {
    this.#saysLook = false;
    if (target.closest("[data-retry]")) {
      this.#start();
      this.#status.focus();
    }
    if (target.closest("[data-want]")) {
      want(this.#status, () => this.#start());
      this.#status.focus();
    }
    if (target.closest("[data-play]")) this.#player.toggle();
    const button = target.closest("button[data-command]");
    if (!(button instanceof HTMLButtonElement)) return;
    this.#player.stop();
    const command = JSON.parse(button.dataset.command ?? "{}");
    const fields = button.closest("[data-form]")?.querySelectorAll("input[data-field]") ?? [];
    for (const field of /** @type {Iterable<HTMLInputElement>} */ (fields)) {
      if (!field.reportValidity()) return;
      command[field.dataset.field ?? ""] = Number(field.value);
    }
    // A pixel picture cannot follow its reader's colours, so it takes those that it is asked for in.
    const name = button.getAttribute("aria-label") ?? button.textContent ?? "";
    this.#send(command.type === "export" ? { ...command, theme: themeOf(this) } : command, name);
  }

  /** @param {HTMLInputElement} slider */
  #slide(slider) {
    if (slider.type !== "range" || !slider.dataset.command || !slider.dataset.field) return;
    this.#player.stop();
    const command = { ...JSON.parse(slider.dataset.command), [slider.dataset.field]: Number(slider.value) };
    this.#send(command, slider.getAttribute("aria-label") ?? "");
  }

  /**
   * @param {import("./protocol.d.ts").Command} command
   * @param {string} name of the button, if it was one
   */
  #send(command, name = "") {
    if (isPress(command)) this.#refusals.note(command, name);
    this.#place.note({ command, name }, (noted) => this.#client.send(noted));
  }

  /**
   * Open what the page leads to, with the presses that waited there. Those that wait now stay behind with theirs.
   *
   * @param {boolean} isBack whether the widget has been somewhere else
   */
  #open(isBack = false) {
    const { link, presses } = this.#place.enter();
    this.#refusals.clear();
    if (this.#place.hasAddress) this.#client.leaveOut();
    if (link || isBack) this.#client.send({ type: "open", link });
    for (const { command, name } of presses) this.#send(command, name);
    return link;
  }

  /** @param {string} link */
  async #tellModel(link) {
    try {
      const { tellModel } = await import("./model.js");
      tellModel(this, link);
    } catch {
      // Over a line that breaks off the script does not come: then the line is not there, and all else is.
    }
  }

  #start() {
    this.#status.tell({ problem: "" });
    this.#notThere();
    if (this.#status.isWanted) this.#client.start();
  }

  /** Python is on its way, or on its way again. */
  #notThere() {
    this.#status.tell({ python: "", bytes: 0 });
    this.#attention.turned("coming");
  }

  /** Ask for the broadest pictures that fit, out of those that Python draws. */
  #measure() {
    const room = this.querySelector(".kv-pair")?.clientWidth ?? 0;
    const views = Object.entries(
      /** @type {Record<string, number>} */ (JSON.parse(this.dataset.views ?? "{}")),
    );
    const view = (views.findLast(([, width]) => width <= room) ?? views[0])?.[0] ?? "";
    if (view === this.#view || view === "") return;
    this.#view = view;
    this.#send({ type: "show", view });
  }

  /** @param {import("./protocol.d.ts").Frame} frame */
  #draw(frame) {
    const focused = focusedPlace(this);
    const keepValues = this.#client.waiting > 0;
    for (const [name, markup] of Object.entries(frame.regions)) {
      const region = this.querySelector(`[data-region="${name}"]`);
      if (region === null) continue;
      if (this.#drawn.get(region) !== markup) patch(region, markup);
      this.#drawn.set(region, markup);
      if (!keepValues) settle(region);
    }
    this.#motion.show(this);
    this.#link();
    restoreFocus(this, focused);
    this.#player.note(frame.snapshot.step, frame.steps);
    if (this.#hasDrawn) this.#say(this.#saysLook ? frame.looked : frame.caption);
    this.#hasDrawn = true;
    this.#refusals.drawn(frame.link);
    // A link that is still to be opened stays in the address, or to load the page again would lose it.
    if (!keepValues && !this.#client.isOpening) this.#place.remember(frame.link);
    this.#attention.note();
    this.dispatchEvent(new CustomEvent("kv-frame", { detail: frame, bubbles: true }));
  }

  /**
   * Patch copies that nobody sees: what is done for the first time takes a browser twice as long, and a reader's
   * first press is not to wait for that.
   *
   * @param {import("./protocol.d.ts").Frame} frame
   */
  #rehearse(frame) {
    for (const [name, markup] of Object.entries(frame.regions)) {
      const copy = this.querySelector(`[data-region="${name}"]`)?.cloneNode(true);
      if (copy instanceof Element) patch(copy, markup);
    }
  }

  /** Say a caption once no other has followed it for a moment. @param {string} text */
  #say(text) {
    clearTimeout(this.#saying);
    this.#saying = setTimeout(() => this.#status.write("[data-said]", text), this.#saysLook ? STRIDE : REST);
  }
}

customElements.define("kv-pool", KvPool);
