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
 * The text of a file, as far as it matters; null where the browser cannot read it. Two bytes at its beginning say
 * that it is in UTF-16, as some editors write it.
 *
 * @param {File} file
 */
export async function textOf(file) {
  try {
    const bytes = new Uint8Array(await file.slice(0, MOST).arrayBuffer());
    const mark = bytes.length > 1 ? `${bytes[0]},${bytes[1]}` : "";
    const form = { "255,254": "utf-16le", "254,255": "utf-16be" }[mark] ?? "utf-8";
    return new TextDecoder(form).decode(bytes);
  } catch {
    return null; // a folder, or a file that is gone
  }
}
