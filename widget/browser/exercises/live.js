// Forms that answer at once: a control of theirs that changes sends the whole form. What stands in their fields
// afterwards is what Python says, but for the field that the reader is in.

/**
 * The command of a control's form, or null if that form waits for its button.
 *
 * @param {Element} control
 * @param {boolean} isMoving whether this is one of many changes: only a slider tells of those
 * @returns {import("./protocol.d.ts").ExerciseCommand | null}
 */
export function liveForm(control, isMoving) {
  const form = control.closest("form[data-live]");
  if (!(form instanceof HTMLFormElement)) return null;
  if (isMoving && !(control instanceof HTMLInputElement && control.type === "range")) return null;
  /** @type {Record<string, string>} */
  const fields = {};
  for (const [name, value] of new FormData(form)) if (typeof value === "string") fields[name] = value;
  const changed = control.getAttribute("name") ?? "";
  return { ...JSON.parse(form.dataset.command ?? "{}"), fields, changed, moving: isMoving };
}

/** @param {Element} region that has been drawn anew */
export function settleFields(region) {
  const fields = region.querySelectorAll("form[data-live] :is(input, select)");
  for (const field of fields) {
    if (field === document.activeElement && !(field instanceof HTMLSelectElement)) continue;
    if (field instanceof HTMLInputElement && field.value !== field.defaultValue)
      field.value = field.defaultValue;
    if (!(field instanceof HTMLSelectElement)) continue;
    const index = [...field.options].findIndex((option) => option.defaultSelected);
    if (index >= 0 && field.selectedIndex !== index) field.selectedIndex = index;
  }
}
