// Shows what belongs together: whatever shares a name in `data-link` with what is under the pointer, holds the
// focus or is looked at is marked, in pool, table, free list and card alike.

/**
 * @param {HTMLElement} root
 * @returns {() => void} marks anew, after the markup has changed
 */
export function linkUp(root) {
  let names = "";
  const mark = () => {
    // A block is told apart from its chat: the last name is the narrowest.
    const narrowest = names.split(" ").at(-1);
    const linked = narrowest ? [...root.querySelectorAll(`[data-link~="${CSS.escape(narrowest)}"]`)] : [];
    // What is marked already is left alone.
    for (const element of root.querySelectorAll(".kv-linked")) {
      if (!linked.includes(element)) element.classList.remove("kv-linked");
    }
    for (const element of linked) {
      if (!element.classList.contains("kv-linked")) element.classList.add("kv-linked");
    }
  };
  /** @param {Event} event */
  const follow = (event) => {
    const target = event.target instanceof Element ? event.target.closest("[data-link]") : null;
    const found = event.type === "pointerleave" ? "" : (target?.getAttribute("data-link") ?? "");
    if (found === names) return;
    names = found;
    mark();
  };
  for (const type of ["pointerover", "pointerleave", "focusin"]) root.addEventListener(type, follow);
  root.addEventListener("keydown", walkChips);
  return () => {
    const pool = document.activeElement?.closest("[data-pool]");
    const looked = pool?.querySelector(".look");
    if (looked) names = looked.getAttribute("data-link") ?? "";
    mark();
  };
}

/**
 * From chip to chip of a block table or of the free list, as from slot to slot of a pool.
 *
 * @param {KeyboardEvent} event
 */
function walkChips(event) {
  const here = event.target;
  if (!(here instanceof Element && here.matches(".kv-chip"))) return;
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const chips = [...(here.parentElement?.querySelectorAll(":scope > .kv-chip") ?? [])];
  const last = chips.length - 1;
  const at = chips.indexOf(here);
  const next = /** @type {Record<string, number>} */ ({
    ArrowLeft: Math.max(at - 1, 0),
    ArrowRight: Math.min(at + 1, last),
    Home: 0,
    End: last,
  })[event.key];
  const chip = next === undefined ? null : chips[next];
  if (!(chip instanceof HTMLElement)) return;
  event.preventDefault();
  chip.focus();
}
