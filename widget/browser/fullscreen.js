// Fills the screen with the widget, for a lecture hall. How large things are then is in fullscreen.css.

import { notify } from "./embedding.js";

/**
 * @param {HTMLElement} root the widget
 * @param {AbortSignal} signal ends it
 */
export function offerFullScreen(root, signal) {
  const button = root.querySelector("[data-fullscreen]");
  if (!(button instanceof HTMLButtonElement)) return;
  button.hidden = !document.fullscreenEnabled;
  let wasFull = false;

  button.addEventListener(
    "click",
    async () => {
      try {
        await (isFull(root) ? document.exitFullscreen() : root.requestFullscreen());
      } catch {
        notify(root, "The browser did not let the widget fill the screen. Nothing else changed.");
      }
    },
    { signal },
  );
  document.addEventListener(
    "fullscreenchange",
    () => {
      if (isFull(root) === wasFull) return;
      wasFull = isFull(root);
      button.textContent = wasFull ? "Leave full screen" : "Full screen";
      // No control has the focus then, so that Space and arrows are those of a talk.
      if (wasFull) root.tabIndex = -1;
      else root.removeAttribute("tabindex");
      (wasFull ? root : button).focus({ preventScroll: wasFull });
    },
    { signal },
  );
}

/** @param {HTMLElement} root */
export function isFull(root) {
  return document.fullscreenElement === root;
}
