// Keeps the focus where a reader has it, though the markup around it is patched.

/** @typedef {{focused: Element, region: Element, index: number}} Place the region, and the how-manieth of its buttons */

/**
 * Where the focus is within the widget.
 *
 * @param {HTMLElement} root
 * @returns {Place | null}
 */
export function focusedPlace(root) {
  const focused = document.activeElement;
  const region = focused?.closest("[data-region]");
  if (!focused || !region || !root.contains(region)) return null;
  const buttons = /** @type {Element[]} */ ([...region.querySelectorAll("button")]);
  return { focused, region, index: buttons.indexOf(focused) };
}

/**
 * A press can remove the very button that was pressed, or switch it off. The focus then goes to the button now
 * in its place, or to the nearest that can be pressed, so that a keyboard reader is not thrown back to the top.
 *
 * @param {HTMLElement} root
 * @param {Place | null} place
 */
export function restoreFocus(root, place) {
  if (place === null) return;
  const isOff = place.focused instanceof HTMLButtonElement && place.focused.disabled;
  if (place.focused.isConnected && !isOff) return;
  const buttons = [...place.region.querySelectorAll("button")];
  const able = buttons.filter((button) => !button.disabled && button.checkVisibility());
  const here = able.find((button) => buttons.indexOf(button) >= place.index) ?? able.at(-1);
  // Where a whole card has gone, the next one's first button is the harmless one.
  const first = here?.closest("article")?.querySelector("button");
  const next = isOff ? here : (first ?? here);
  /** @type {HTMLElement | null} */
  const play = root.querySelector("[data-play]");
  (next ?? play)?.focus();
}
