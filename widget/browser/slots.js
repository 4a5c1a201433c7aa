// Lets a reader go from slot to slot: with the arrow keys once a pool has the focus, or with the pointer. Which
// slot is next, and what it is, is for Python to say.

const MOVES = /** @type {Record<string, string>} */ ({
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
  Home: "first",
  End: "last",
});

/**
 * @param {HTMLElement} root
 * @param {(command: import("./protocol.d.ts").Command, isByKey: boolean) => void} send
 */
export function walkSlots(root, send) {
  let pointed = "";
  root.addEventListener("keydown", (event) => {
    const layout = layoutOf(event);
    const move = MOVES[event.key];
    if (layout === null || move === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    send({ type: "look", layout, move }, true);
  });
  root.addEventListener("pointerover", (event) => {
    const layout = layoutOf(event);
    const key = event.target instanceof Element ? (event.target.getAttribute("data-key") ?? "") : "";
    const slot = /^slot-(\d+)/.exec(key)?.[1];
    const here = layout !== null && slot !== undefined ? `${layout} ${slot}` : "";
    if (here === pointed || here === "") return;
    pointed = here;
    send({ type: "look", layout, slot: Number(slot) }, false);
  });
  // A finger is lifted from where it pointed; a mouse that goes elsewhere no longer points at anything.
  root.addEventListener("pointerout", (event) => {
    const to = event.relatedTarget;
    const isStillIn = to instanceof Element && to.closest("[data-pool]") !== null;
    if (pointed === "" || isStillIn || event.pointerType !== "mouse") return;
    pointed = "";
    send({ type: "look", layout: null }, false);
  });
}

/** @param {Event} event */
function layoutOf(event) {
  const pool = event.target instanceof Element ? event.target.closest("[data-pool]") : null;
  return pool?.getAttribute("data-pool") ?? null;
}
