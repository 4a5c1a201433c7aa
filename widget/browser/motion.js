// Lets a reader see what moved: an element that stands in another place after a patch starts from where the one of
// the same `data-flight` stood before. It never delays the picture, a newer one interrupts it, and readers who
// want less motion get none.

const DURATION = 220; // ms

/**
 * Note where things are, and return a function that shows how they moved since.
 *
 * @param {Element} root
 * @returns {() => void}
 */
export function watch(root) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return () => {};
  const before = places(root);
  return () => {
    showCopies(root);
    for (const [name, { element, box }] of places(root)) {
      const earlier = before.get(name);
      if (earlier === undefined || earlier.element === element) continue;
      const x = earlier.box.left - box.left;
      const y = earlier.box.top - box.top;
      if (Math.abs(x) + Math.abs(y) < 1) continue;
      const from = { transform: `translate(${x}px, ${y}px)` };
      element.animate([from, { transform: "none" }], { duration: DURATION, easing: "ease-out" });
    }
  };
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

/** @param {Element} root */
function places(root) {
  /** @type {Map<string, {element: HTMLElement, box: DOMRect}>} */
  const found = new Map();
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-flight]"))) {
    const box = element.getBoundingClientRect();
    if (box.width > 0) found.set(element.dataset.flight ?? "", { element, box });
  }
  return found;
}
