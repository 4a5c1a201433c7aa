// The panel of attention: it loads NumPy when it is first opened, or when the page has been idle for a while, and
// tells how that goes. What is computed, and what is shown of it, is in the markup that Python answers with.

/** @typedef {import("./protocol.d.ts").Command} Command */

const PACKAGE = "numpy";
const NAME = "NumPy";
const IDLE = 6000; // ms that a page is live, before it loads what may not be needed
const MEGABYTE = 1e6;

export class AttentionPanel {
  #panel;
  #send;
  #load;
  #isQuiet;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #idle;
  /** @type {"coming" | "live" | "failed"} how Python stands */
  #python = "coming";
  #isThere = false;
  #offered = ""; // the offer that was taken up last, so that it is not taken up for ever

  /**
   * @param {Element} root the widget
   * @param {(command: Command) => void} send
   * @param {(name: string) => void} load a package of Python's
   * @param {() => boolean} isQuiet whether every command has been answered
   */
  constructor(root, send, load, isQuiet) {
    this.#panel = /** @type {HTMLDetailsElement | null} */ (root.querySelector("[data-panel=attention]"));
    this.#send = send;
    this.#load = load;
    this.#isQuiet = isQuiet;
  }

  /** @param {AbortSignal} signal ends it */
  listen(signal) {
    const panel = this.#panel;
    if (panel === null) return;
    panel.addEventListener("toggle", (event) => event.target === panel && this.#turn(), { signal });
    this.#again?.addEventListener("click", () => this.#want(), { signal });
    signal.addEventListener("abort", () => clearTimeout(this.#idle));
    if (panel.open) this.#turn();
  }

  /** @param {"coming" | "live" | "failed"} python how Python stands from now on */
  turned(python) {
    this.#python = python;
    this.#isThere = false;
    clearTimeout(this.#idle);
    if (this.#panel?.open) this.#want();
    const connection = /** @type {{saveData?: boolean} | undefined} */ (Reflect.get(navigator, "connection"));
    if (python !== "live" || connection?.saveData) return;
    const rest = "requestIdleCallback" in window ? requestIdleCallback : setTimeout;
    this.#idle = setTimeout(() => rest(() => this.#load(PACKAGE)), IDLE);
  }

  /** Take up what the newest frame offers, once every command has been answered. */
  note() {
    const offer = this.#panel?.open && this.#isQuiet() ? this.#offer : null;
    if (offer === null || offer === this.#offered) return;
    this.#offered = offer;
    this.#send(JSON.parse(offer));
  }

  /** @param {import("./protocol.d.ts").PackageReport} report */
  loading({ name, bytes, isThere, problem }) {
    if (name !== PACKAGE) return;
    this.#isThere = isThere;
    if (isThere) {
      this.#tell("");
      this.#offered = "";
      this.note();
    } else if (problem !== null) {
      this.#tell(`${NAME} is not there. ${problem} All but this panel goes on.`, { canRetry: true });
    } else {
      this.#tell(this.#waiting, { share: bytes / this.#bytes });
    }
  }

  #turn() {
    this.#offered = "";
    if (this.#panel?.open) {
      this.#want();
      this.note();
    } else {
      this.#send({ type: "attend", chat: null, poison: false });
    }
  }

  #want() {
    if (this.#isThere) return;
    this.#load(PACKAGE);
    if (this.#python === "live") this.#tell(this.#waiting, { share: 0 });
    else if (this.#python === "failed") this.#tell("This needs Python, which is not running.");
    else this.#tell(`${NAME} is loaded as soon as Python is there (${this.#size} MB).`);
  }

  get #bytes() {
    return Number(this.#panel?.dataset.bytes);
  }

  get #waiting() {
    return `${NAME} is being loaded (${this.#size} MB).`;
  }

  get #size() {
    return (this.#bytes / MEGABYTE).toFixed(1);
  }

  get #offer() {
    return this.#panel?.querySelector("[data-attend]")?.getAttribute("data-attend") ?? null;
  }

  get #again() {
    return /** @type {HTMLElement | null} */ (this.#panel?.querySelector("[data-load]") ?? null);
  }

  /**
   * @param {string} text
   * @param {{canRetry?: boolean, share?: number | null}} [options] share of it that has come, while it comes
   */
  #tell(text, { canRetry = false, share = null } = {}) {
    const note = this.#panel?.querySelector("[data-package]");
    // Written only where it changes, so that it is heard once and not with every piece that comes.
    if (note && note.textContent !== text) note.textContent = text;
    const bar = this.#panel?.querySelector("progress");
    if (bar) {
      bar.hidden = share === null;
      bar.value = share ?? 0;
    }
    if (this.#again !== null) this.#again.hidden = !canRetry;
  }
}
