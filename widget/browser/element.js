// <kv-pool>: the widget on a page. It forwards presses to Python and patches regions with what Python answers;
// what memory looks like, and every word about it, is in the markup that comes back.

import { Client } from "./client.js";
import { patch } from "./patch.js";

const MEGABYTE = 1e6;

class KvPool extends HTMLElement {
  /** @type {Client | null} */
  #client = null;
  /** @type {ResizeObserver | null} */
  #observer = null;
  #view = "";
  #bytes = 0;
  #python = "";
  #problem = "";

  connectedCallback() {
    if (this.#client !== null) return;
    this.#client = new Client({
      progress: (bytes) => this.#tell(() => (this.#bytes = bytes)),
      starting: () => this.#tell(() => (this.#bytes = Number.POSITIVE_INFINITY)),
      live: (python) => this.#tell(() => (this.#python = python)),
      waiting: () => this.#tell(() => {}),
      failed: (sentence) => this.#tell(() => (this.#problem = sentence)),
      frame: (frame) => this.#draw(frame),
    });
    this.addEventListener("click", this);
    this.addEventListener("input", this);
    this.#observer = new ResizeObserver(() => this.#measure());
    this.#observer.observe(this);
    this.#measure();
    this.#start();
  }

  disconnectedCallback() {
    this.#observer?.disconnect();
    this.#client?.stop();
    this.#client = null;
  }

  /** @param {Event} event */
  handleEvent(event) {
    const target = event.target;
    if (!(target instanceof Element)) return;
    if (event.type === "input" && target instanceof HTMLInputElement && target.dataset.setting) {
      const position = Number(target.value);
      this.#client?.send({ type: "setting", name: target.dataset.setting, position });
      return;
    }
    if (event.type !== "click") return;
    if (target.closest("[data-retry]")) this.#start();
    const button = target.closest("[data-command]");
    if (button instanceof HTMLElement && button.dataset.command) {
      this.#client?.send(JSON.parse(button.dataset.command));
    }
  }

  #start() {
    this.#problem = "";
    this.#python = "";
    this.#bytes = 0;
    this.#client?.start();
    this.#tell(() => {});
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
    this.#client?.send({ type: "show", view });
  }

  /** @param {import("./protocol.d.ts").Frame} frame */
  #draw(frame) {
    const focused = this.#focusedPlace();
    const keepValues = (this.#client?.waiting ?? 0) > 0;
    for (const [name, markup] of Object.entries(frame.regions)) {
      const region = this.querySelector(`[data-region="${name}"]`);
      if (region !== null) patch(region, markup, { keepValues });
    }
    this.#restoreFocus(focused);
    this.dispatchEvent(new CustomEvent("kv-frame", { detail: frame, bubbles: true }));
  }

  /** Where the focus is: the region, and the how-manieth of its buttons. */
  #focusedPlace() {
    const focused = document.activeElement;
    const region = focused?.closest("[data-region]");
    if (!focused || !region || !this.contains(region)) return null;
    return {
      focused,
      region,
      index: [...region.querySelectorAll("button")].indexOf(/** @type {any} */ (focused)),
    };
  }

  /**
   * A press can remove the very button that was pressed. The focus then goes to the button now in its place,
   * or to the last one left, so that a keyboard reader is not thrown back to the top of the page.
   *
   * @param {{focused: Element, region: Element, index: number} | null} place
   */
  #restoreFocus(place) {
    if (place === null || place.focused.isConnected) return;
    const buttons = place.region.querySelectorAll("button");
    const next = buttons[Math.min(place.index, buttons.length - 1)] ?? this.querySelector("[data-home]");
    if (next instanceof HTMLElement) next.focus();
  }

  /** @param {() => void} change */
  #tell(change) {
    change();
    const waiting = this.#client?.waiting ?? 0;
    this.dataset.state = this.#problem ? "failed" : this.#python ? "live" : "loading";
    this.#write("[data-mode]", this.#mode());
    this.#write("[data-waiting]", this.#python ? "" : waitingWords(waiting));
    this.#write(
      "[data-problem]",
      this.#problem &&
        `Python is not running. ${this.#problem} The picture stays as it is, and your presses are kept.`,
    );
    const bar = this.querySelector("progress");
    if (bar !== null) {
      const total = Number(this.dataset.bytes);
      if (this.#bytes < total) bar.value = this.#bytes / total;
      else bar.removeAttribute("value");
    }
  }

  #mode() {
    if (this.#problem) return "recorded picture";
    if (this.#python) return `live · Python ${this.#python}`;
    const total = Number(this.dataset.bytes);
    if (this.#bytes >= total) return "starting Python";
    return `loading Python: ${megabytes(this.#bytes)} of ${megabytes(total)} MB`;
  }

  /**
   * @param {string} selector
   * @param {string} text
   */
  #write(selector, text) {
    const element = this.querySelector(selector);
    if (element !== null && element.textContent !== text) element.textContent = text;
  }
}

/** @param {number} count */
function waitingWords(count) {
  if (count < 1) return "";
  return count === 1 ? "1 press waits for Python" : `${count} presses wait for Python`;
}

/** @param {number} bytes */
function megabytes(bytes) {
  return (bytes / MEGABYTE).toFixed(1);
}

customElements.define("kv-pool", KvPool);
