// What a reader presses before the widget's scripts are there. A page asks for this small one by itself, so that it
// comes before the others; the element takes from it what was pressed in it.

/** @type {Event[]} */
let early = [];

const listening = new AbortController();
for (const type of ["click", "input"]) {
  addEventListener(type, (event) => early.push(event), { capture: true, signal: listening.signal });
}
addEventListener("error", tellLate, { capture: true, signal: listening.signal });
customElements.whenDefined("kv-pool").then(() => listening.abort());

/** A script that does not come is told of at once. @param {Event} event */
function tellLate({ target }) {
  if (target instanceof HTMLScriptElement && target.src.endsWith("/element.js"))
    document.documentElement.setAttribute("data-late", "");
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
