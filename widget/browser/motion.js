// Lets a reader see what moved: an element that stands in another place after a patch starts from where the one of
// the same `data-flight` stood before. It never delays the picture, a newer one interrupts it, and readers who
// want less motion get none.

/** @typedef {{element: HTMLElement, x: number, y: number}} Place */

const DURATION = 220; // ms

export class Motion {
  /** @type {Map<string, Place>} */
  #before = new Map();
  #isWaiting = false;

  /**
   * Show what moved since the last time, in the next frame: measuring costs a layout, which that frame needs
   * anyway, and the patched picture does not wait for it.
   *
   * @param {Element} root
   */
  show(root) {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    requestAnimationFrame(() => {
      this.#isWaiting = false;
      const now = places(root);
      if (!matchMedia("(prefers-reduced-motion: reduce)").matches) {
        showFlights(this.#before, now);
        showCopies(root);
      }
      this.#before = now;
    });
  }
}

/**
 * @param {Map<string, Place>} before
 * @param {Map<string, Place>} now
 */
function showFlights(before, now) {
  for (const [name, { element, x, y }] of now) {
    const earlier = before.get(name);
    if (earlier === undefined || earlier.element === element) continue;
    const start = `translate(${earlier.x - x}px, ${earlier.y - y}px)`;
    element.animate([{ transform: start }, { transform: "none" }], {
      duration: DURATION,
      easing: "ease-out",
    });
  }
}

/**
 * A slot that was copied comes from the slot that `data-origin` names.
 *
 * @param {Element} root
 */
function showCopies(root) {
  for (const copy of /** @type {NodeListOf<SVGGraphicsElement>} */ (root.querySelectorAll("[data-origin]"))) {
    const picture = copy.ownerSVGElement;
    const origin = picture?.querySelector(`[data-key="${copy.dataset.origin}"]`);
    const pixels = picture?.getScreenCTM()?.a; // of one unit of the picture
    if (!origin || !pixels) continue;
    const from = origin.getBoundingClientRect();
    const to = copy.getBoundingClientRect();
    const start = `translate(${(from.left - to.left) / pixels}px, ${(from.top - to.top) / pixels}px)`;
    copy.animate([{ transform: start }, { transform: "none" }], { duration: DURATION, easing: "ease-out" });
  }
}

/**
 * Where each thing that flies is, from the corner of the root, so that scrolling moves nothing.
 *
 * @param {Element} root
 */
function places(root) {
  const corner = root.getBoundingClientRect();
  /** @type {Map<string, Place>} */
  const found = new Map();
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-flight]"))) {
    const { left, top, width } = element.getBoundingClientRect();
    const place = { element, x: left - corner.left, y: top - corner.top };
    if (width > 0) found.set(element.dataset.flight ?? "", place);
  }
  return found;
}
