// What a reader presses before the widget's scripts are there. A page asks for this small one by itself, so that it
// comes before the others; the element takes from it what was pressed in it.

/** @type {Event[]} */
let early = [];

for (const type of ["click", "input"]) {
  const note = (/** @type {Event} */ event) => {
    if (customElements.get("kv-pool") === undefined) early.push(event);
  };
  addEventListener(type, note, true);
}

/**
 * @param {Element} element
 * @returns {Event[]} what happened in it, which is nobody else's then
 */
export function takeEarly(element) {
  const within = early.filter(({ target }) => target instanceof Node && element.contains(target));
  early = early.filter((event) => !within.includes(event));
  return within;
}
