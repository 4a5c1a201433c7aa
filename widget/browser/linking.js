// Shows what belongs together: whatever shares a name in `data-link` with what is under the pointer or holds the
// focus is marked, in pool, table, free list and card alike.

/** @param {HTMLElement} root */
export function linkUp(root) {
  let shown = "";
  /** @param {Event} event */
  const show = (event) => {
    const target = event.target instanceof Element ? event.target.closest("[data-link]") : null;
    const names = event.type === "pointerleave" ? "" : (target?.getAttribute("data-link") ?? "");
    if (names === shown) return;
    shown = names;
    for (const element of root.querySelectorAll(".kv-linked")) element.classList.remove("kv-linked");
    // A block is told apart from its chat: the last name is the narrowest.
    const narrowest = names.split(" ").at(-1);
    if (!narrowest) return;
    for (const element of root.querySelectorAll(`[data-link~="${CSS.escape(narrowest)}"]`)) {
      element.classList.add("kv-linked");
    }
  };
  for (const type of ["pointerover", "pointerleave", "focusin"]) root.addEventListener(type, show);
}
