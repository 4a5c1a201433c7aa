// Files that a reader drops or chooses. Their text goes to Python in this browser, and nowhere else.

// More is no configuration, and Python says so; a file of gigabytes is not read to find that out.
const MOST = 4_000_001;

/**
 * The file of a drop, or null. What is dragged over the calculator may be dropped there.
 *
 * @param {DragEvent} event
 * @param {string} app
 */
export function droppedFile(event, app) {
  if (app !== "calculator" || !event.dataTransfer?.types.includes("Files")) return null;
  event.preventDefault();
  return event.type === "drop" ? event.dataTransfer.files[0] : null;
}

/**
 * The text of a file, as far as it matters; null where the browser cannot read it.
 *
 * @param {File} file
 */
export async function textOf(file) {
  try {
    return await file.slice(0, MOST).text();
  } catch {
    return null; // a folder, or a file that is gone
  }
}
