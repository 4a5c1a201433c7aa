// Blocks that a reader presses, in order. The hidden field beside them holds the numbers, and a form sends it.

/**
 * Add a block to those that are pressed, or take it back.
 *
 * @param {Element} button
 */
export function press(button) {
  const part = button.closest("fieldset");
  const field = part?.querySelector("input[data-pressed]");
  if (!part || !(field instanceof HTMLInputElement) || !(button instanceof HTMLElement)) return;
  const block = button.dataset.block ?? "";
  const before = field.value ? field.value.split(",") : [];
  const pressed = before.includes(block) ? before.filter((one) => one !== block) : [...before, block];
  field.value = pressed.join(",");
  for (const one of /** @type {Iterable<HTMLElement>} */ (part.querySelectorAll("[data-block]"))) {
    const place = pressed.indexOf(one.dataset.block ?? "") + 1;
    one.setAttribute("aria-pressed", String(place > 0));
    const mark = one.querySelector("[data-place]");
    if (mark !== null) mark.textContent = place > 0 ? `${place}.` : "";
  }
  const said = part.querySelector("output");
  if (said !== null) said.textContent = pressed.join(", ") || "none";
}
