// <kv-pool>: the widget on a page. It forwards presses to Python and patches regions with what Python answers;
// what memory looks like, and every word about it, is in the markup that comes back.

import { openedWith, remember } from "./address.js";
import { askFirst, want } from "./asking.js";
import { AttentionPanel } from "./attention.js";
import { Client } from "./client.js";
import { fitIn } from "./embedding.js";
import { offerFullScreen } from "./fullscreen.js";
import { listenToKeys } from "./keys.js";
import { keepForLater } from "./line.js";
import { linkUp } from "./linking.js";
import { closeMenus } from "./menu.js";
import { Motion } from "./motion.js";
import { patch, settle } from "./patch.js";
import { Player } from "./player.js";
import { offerSharing } from "./sharing.js";
import { walkSlots } from "./slots.js";
import { offerSnippet } from "./snippet.js";
import { Status } from "./status.js";
import { themeOf } from "./theme.js";

const REST = 500; // ms without another frame, before a caption is spoken
const STRIDE = 100; // the same for a slot that is gone to, which a reader waits for before going on

/** @type {Map<string, string>} page and opening to the session there, for a theme that brings a page back by itself */
const leftAt = new Map();

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
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #remembering;
  #saysLook = false; // whether a slot was gone to with the keys, and is to be heard
  #hasDrawn = false; // the first frame is what the page has shown all along
  #motion = new Motion();
  #link = () => {};
  /** @type {Map<Element, string>} region to the markup that stands in it */
  #drawn = new Map();
  #view = "";
  #place = "";
  #status = new Status(this);
  #client = new Client({
    progress: (bytes) => this.#status.tell({ bytes }),
    starting: () => this.#status.tell({ bytes: Number.POSITIVE_INFINITY }),
    live: (python, isWoken) => {
      this.dataset.start = isWoken ? "kept" : "new";
      this.#status.tell({ python });
      this.#attention.turned("live");
      keepForLater();
    },
    lost: () => this.#notThere(),
    loading: (report) => this.#attention.loading(report),
    waiting: (waiting) => this.#status.tell({ waiting, isOpening: this.#client.isOpening }),
    failed: (sentence) => {
      this.#status.tell({ problem: sentence });
      this.#attention.turned("failed");
    },
    frame: (frame) => {
      this.removeAttribute("data-recorded");
      this.#draw(frame);
    },
    recorded: (frame) => {
      this.setAttribute("data-recorded", "");
      this.#draw(frame);
    },
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
    if (this.#hasAddress) addEventListener("popstate", this);
    // Within a lesson the page says which session belongs to it.
    const opens = this.dataset.opens ?? "";
    this.#place = `${location.pathname} ${opens}`;
    const link = this.#hasAddress ? openedWith() : (leftAt.get(this.#place) ?? opens);
    if (link) this.#send({ type: "open", link });
    // Only the calculator's links speak of a model.
    if (this.#hasAddress && link.includes("of="))
      import("./model.js").then(({ tellModel }) => tellModel(this, link));
    this.#start();
  }

  disconnectedCallback() {
    removeEventListener("popstate", this);
    clearTimeout(this.#remembering);
    this.#observer?.disconnect();
    this.#connection.abort();
    this.#player.stop();
    this.#client.stop(); // what was done is remembered, and done again if the element comes back
  }

  /** Whether the page's address is the widget's: on a page of its own, not within a lesson. */
  get #hasAddress() {
    return this.hasAttribute("data-address");
  }

  /** For scripts that drive the widget: whether Python is live, and all that was asked of it is drawn. */
  get isIdle() {
    return this.#client.isIdle;
  }

  /** @param {Event} event */
  handleEvent(event) {
    if (event.type === "popstate") {
      clearTimeout(this.#remembering); // or the address that was left would come back
      this.#send({ type: "open", link: openedWith() });
      return;
    }
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
      // The button goes with the problem, and the focus would go with the button.
      this.#focus("[data-play]");
    }
    if (target.closest("[data-want]")) {
      want(this.#status, () => this.#start());
      this.#focus("[data-play]");
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
    this.#send(command.type === "export" ? { ...command, theme: themeOf(this) } : command);
  }

  /** @param {HTMLInputElement} slider */
  #slide(slider) {
    if (slider.type !== "range" || !slider.dataset.command || !slider.dataset.field) return;
    this.#player.stop();
    this.#send({ ...JSON.parse(slider.dataset.command), [slider.dataset.field]: Number(slider.value) });
  }

  /** @param {import("./protocol.d.ts").Command} command */
  #send(command) {
    this.#client.send(command);
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
    const focused = this.#focusedPlace();
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
    this.#restoreFocus(focused);
    this.#player.note(frame.snapshot.step, frame.steps);
    if (this.#hasDrawn) this.#say(this.#saysLook ? frame.looked : frame.caption);
    this.#hasDrawn = true;
    // A link that is still to be opened stays in the address, or to load the page again would lose it.
    if (frame.problem === null && !keepValues && !this.#client.isOpening) this.#remember(frame.link);
    this.#attention.note();
    this.dispatchEvent(new CustomEvent("kv-frame", { detail: frame, bubbles: true }));
  }

  /**
   * Keep the session: in the address if that is the widget's. A browser lays the page out before it changes an
   * address, and the patched picture does not wait for that.
   *
   * @param {string} link
   */
  #remember(link) {
    leftAt.set(this.#place, link);
    if (!this.#hasAddress) return;
    clearTimeout(this.#remembering);
    this.#remembering = setTimeout(() => remember(link));
  }

  /** Where the focus is: the region, and the how-manieth of its buttons. */
  #focusedPlace() {
    const focused = document.activeElement;
    const region = focused?.closest("[data-region]");
    if (!focused || !region || !this.contains(region)) return null;
    const buttons = /** @type {Element[]} */ ([...region.querySelectorAll("button")]);
    return { focused, region, index: buttons.indexOf(focused) };
  }

  /**
   * A press can remove the very button that was pressed, or switch it off. The focus then goes to the button now
   * in its place, or to the nearest that can be pressed, so that a keyboard reader is not thrown back to the top.
   *
   * @param {{focused: Element, region: Element, index: number} | null} place
   */
  #restoreFocus(place) {
    if (place === null) return;
    const isOff = place.focused instanceof HTMLButtonElement && place.focused.disabled;
    if (place.focused.isConnected && !isOff) return;
    const buttons = [...place.region.querySelectorAll("button")];
    const able = buttons.filter((button) => !button.disabled && button.checkVisibility());
    const here = able.find((button) => buttons.indexOf(button) >= place.index) ?? able.at(-1);
    // Where a whole card has gone, the next one's first button is the harmless one.
    const first = here?.closest("article")?.querySelector("button");
    const next = isOff ? here : (first ?? here);
    if (next) next.focus();
    else this.#focus("[data-play]");
  }

  /** @param {string} selector */
  #focus(selector) {
    const element = this.querySelector(selector);
    if (element instanceof HTMLElement) element.focus();
  }

  /** Say a caption once no other has followed it for a moment. @param {string} text */
  #say(text) {
    clearTimeout(this.#saying);
    this.#saying = setTimeout(() => this.#status.write("[data-said]", text), this.#saysLook ? STRIDE : REST);
  }
}

customElements.define("kv-pool", KvPool);
