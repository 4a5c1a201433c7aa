// Shows what belongs together: whatever shares a name in `data-link` with what is under the pointer, holds the
// focus or is looked at is marked, in pool, table, free list and card alike.

/**
 * @param {HTMLElement} root
 * @returns {() => void} marks anew, after the markup has changed
 */
export function linkUp(root) {
  let names = "";
  const mark = () => {
    for (const element of root.querySelectorAll(".kv-linked")) element.classList.remove("kv-linked");
    // A block is told apart from its chat: the last name is the narrowest.
    const narrowest = names.split(" ").at(-1);
    if (!narrowest) return;
    for (const element of root.querySelectorAll(`[data-link~="${CSS.escape(narrowest)}"]`)) {
      element.classList.add("kv-linked");
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
  return () => {
    const pool = document.activeElement?.closest("[data-pool]");
    const looked = pool?.querySelector(".look");
    if (looked) names = looked.getAttribute("data-link") ?? "";
    mark();
  };
}
