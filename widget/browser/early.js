// What a reader presses before the widget's scripts are there. A page asks for this small one by itself, so that it
// comes before the others; the element takes from it what was pressed in it.

/** @type {Event[]} */
let early = [];

const listening = new AbortController();
for (const type of ["click", "input"]) {
  addEventListener(type, (event) => early.push(event), { capture: true, signal: listening.signal });
}
customElements.whenDefined("kv-pool").then(() => listening.abort());

/** Once a page has all that it asks for, or has waited for it in vain, a script that is not there will not come. */
function tellLate() {
  if (customElements.get("kv-pool") === undefined) document.documentElement.setAttribute("data-late", "");
}
if (document.readyState === "complete") tellLate();
else addEventListener("load", tellLate);

/**
 * @param {Element} element
 * @returns {Event[]} what happened in it, which is nobody else's then
 */
export function takeEarly(element) {
  const within = early.filter(({ target }) => target instanceof Node && element.contains(target));
  early = early.filter((event) => !within.includes(event));
  return within;
}
