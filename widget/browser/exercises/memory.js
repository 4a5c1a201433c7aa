// Keeps a reader's answers in this browser, where it lets a page keep anything. What is kept is Python's text.

const KEY = "pagedkv-quiz";

/** What was kept, or an empty text. */
export function kept() {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return ""; // a browser may forbid it; the quiz then works until the page is left
  }
}

/** @param {string} text */
export function keep(text) {
  try {
    localStorage.setItem(KEY, text);
  } catch {
    // As above, or the browser's room is full.
  }
}

export function forget() {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // As above: then there is nothing to remove.
  }
}
