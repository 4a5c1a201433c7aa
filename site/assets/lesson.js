// What a page of the lesson does beyond HTML: sources on touch, figures that open large, and what scrolls sideways.
// Without it everything can still be read and reached.

// A mouse and a keyboard show a source by pointing and by focus. A finger does neither: the first touch shows the
// source, the second goes to it.
document.addEventListener("click", (event) => {
  const target = event.target instanceof Element ? event.target : null;
  const cited = target?.closest(".lesson-cited") ?? null;
  const shown = document.querySelector(".lesson-cited[data-shown]");
  if (shown !== cited) shown?.removeAttribute("data-shown");
  const isTouch = event instanceof PointerEvent && event.pointerType === "touch";
  if (cited === null || !isTouch || cited.hasAttribute("data-shown")) return;
  event.preventDefault();
  cited.setAttribute("data-shown", "");
});

// A table that is too wide scrolls sideways, and has to scroll for a keyboard, too; for code the theme sees to that.
// The theme wraps tables and adds the copy button once it runs; it makes a landmark of that button, where one for
// each block of code is noise.
const scrolling = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (!(target instanceof HTMLElement)) continue;
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }
});
const added = new MutationObserver(tidy);

// A theme that shows the next page without loading one tells of each page that it has put in place.
const pages = /** @type {{subscribe: (dress: () => void) => void} | undefined} */ (
  Reflect.get(globalThis, "document$")
);
if (pages === undefined) dress();
else pages.subscribe(dress);

function dress() {
  for (const figure of document.querySelectorAll(".lesson-figure")) offerToEnlarge(figure);
  for (const place of document.querySelectorAll(".md-content__inner, pre"))
    added.observe(place, { childList: true });
  tidy();
}

/**
 * A figure is as wide as the text. Its picture opens as wide as the window.
 *
 * @param {Element} figure
 */
function offerToEnlarge(figure) {
  const pair = figure.querySelector(".kv-pair");
  if (pair === null || figure.querySelector(".lesson-zoom") !== null) return;
  const name = figure.querySelector("strong")?.textContent?.replace(/\.$/, "") ?? "Figure";
  const open = document.createElement("button");
  open.type = "button";
  open.className = "lesson-zoom";
  open.textContent = "Enlarge";
  open.setAttribute("aria-label", `Enlarge ${name}`);
  (figure.querySelector(".lesson-ways") ?? figure).append(open);
  open.addEventListener("click", () => enlarge(figure, pair, name));
}

/**
 * The picture itself moves into the dialog, so that its ids stay unique, and back when that closes.
 *
 * @param {Element} figure
 * @param {Element} pair
 * @param {string} name
 */
function enlarge(figure, pair, name) {
  const dialog = document.createElement("dialog");
  dialog.className = "lesson-large kv-theme";
  dialog.setAttribute("aria-label", name);
  const close = document.createElement("button");
  close.type = "button";
  close.textContent = "Close";
  close.addEventListener("click", () => dialog.close());
  const place = document.createElement("div");
  place.style.height = `${pair.getBoundingClientRect().height}px`;
  pair.replaceWith(place);
  dialog.append(close, pair);
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("close", () => {
    place.replaceWith(pair);
    dialog.remove();
  });
  figure.append(dialog);
  dialog.showModal();
}

function tidy() {
  for (const part of document.querySelectorAll(".md-typeset__scrollwrap")) scrolling.observe(part);
  for (const nav of document.querySelectorAll(".md-code__nav")) nav.setAttribute("role", "none");
}
