// Keys for the whole widget: a clicker's, and `?` for help. A key is taken only when the widget has the focus, and
// never from a field, a slider or a list, which have keys of their own.

import { isFull } from "./fullscreen.js";

const FIELDS = "input, select, textarea, [contenteditable]";
const TEXT_FIELDS =
  "input:not([type=range], [type=checkbox], [type=radio]), select, textarea, [contenteditable]";
const CONTROLS = `${FIELDS}, button, a[href], summary, [tabindex="0"]`;
const STEPS = `[data-region=time] button[data-command*='"step"']`;
const TIME = "[data-region=time] input[type=range]";

/**
 * @param {HTMLElement} root the widget
 * @param {AbortSignal} signal ends it
 */
export function listenToKeys(root, signal) {
  const help = root.querySelector("dialog");
  if (help === null) return;
  root.querySelector("[data-help]")?.addEventListener("click", () => help.showModal(), { signal });
  help.querySelector("[data-close]")?.addEventListener("click", () => help.close(), { signal });

  document.addEventListener(
    "keydown",
    (event) => {
      if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey)
        return;
      if (help.open || !hasFocus(root)) return;
      const act = event.key === "?" ? askedForHelp(help) : meaningOf(event, root);
      if (act === null) return;
      event.preventDefault();
      act();
    },
    { signal },
  );
}

/** @param {HTMLDialogElement} help */
function askedForHelp(help) {
  return document.activeElement?.closest(TEXT_FIELDS) ? null : () => help.showModal();
}

/**
 * @param {KeyboardEvent} event
 * @param {HTMLElement} root
 * @returns {(() => void) | null} what the key does, if it is the widget's
 */
function meaningOf(event, root) {
  const focused = document.activeElement;
  if (event.shiftKey || focused?.closest(FIELDS)) return null;
  if (event.key === "PageDown") return () => press(root, STEPS, -1);
  if (event.key === "PageUp") return () => press(root, STEPS, 0);
  if (!isFull(root)) return null;
  switch (event.key) {
    case "ArrowRight":
      return () => press(root, STEPS, -1);
    case "ArrowLeft":
      return () => press(root, STEPS, 0);
    case "Home":
      return () => slide(root, "min");
    case "End":
      return () => slide(root, "max");
    case " ":
      return focused?.closest(CONTROLS) || event.repeat ? null : () => press(root, "[data-play]", 0);
    default:
      return null;
  }
}

/**
 * On a page of its own the widget has the focus, too, when nothing else has it.
 *
 * @param {HTMLElement} root
 */
function hasFocus(root) {
  const focused = document.activeElement;
  const isNowhere = focused === null || focused === document.body;
  return isFull(root) || root.contains(focused) || (isNowhere && root.hasAttribute("data-address"));
}

/**
 * Press a button as a hand would: one that is switched off does nothing.
 *
 * @param {HTMLElement} root
 * @param {string} selector
 * @param {number} index
 */
function press(root, selector, index) {
  const button = [...root.querySelectorAll(selector)].at(index);
  if (button instanceof HTMLButtonElement) button.click();
}

/**
 * @param {HTMLElement} root
 * @param {"min" | "max"} end
 */
function slide(root, end) {
  const slider = root.querySelector(TIME);
  if (!(slider instanceof HTMLInputElement) || slider.disabled) return;
  slider.value = slider[end];
  slider.dispatchEvent(new Event("input", { bubbles: true }));
}
