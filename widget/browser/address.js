// Keeps the session in the address of a page that is the widget's own, so that it can be copied, reloaded, and
// walked with the browser's back button. A page that frames the widget keeps its own history untouched.

/**
 * @param {string} link as Python wrote it
 * @param {unknown} [state] what the history keeps beside the address, for those who keep anything there
 */
export function remember(link, state) {
  const address = `#${[link, ...notOfTheSession()].join("&")}`;
  const isKept = state === undefined || (state === null && history.state === null);
  if (location.hash === address && isKept) return;
  // A new session from the start is where the reader already is; a frame's steps are not the host's pages; and to
  // look at another step of what was done is no new page either, or it would take as many presses to leave.
  const isFirst = location.hash === "";
  const isSame = withoutStep(location.hash) === withoutStep(address);
  try {
    if (isFirst || isSame || window.parent !== window) {
      history.replaceState(state ?? null, "", address);
      return;
    }
    // What waited there is done, and leads here: who goes back is not to do it again.
    if (!isKept) history.replaceState(null, "");
    history.pushState(state ?? null, "", address);
  } catch {
    // A frame may forbid it, and browsers limit how often; the address then stays as it is.
  }
}

/** @param {string} hash */
function withoutStep(hash) {
  return hash.replace(/&step=\d+/, "");
}

/** What the address says beside the session, such as a theme, stays in it. */
function notOfTheSession() {
  return location.hash.split(/[#&]/).filter((pair) => /^(theme|of|kv)=/.test(pair));
}

/** The link that the page was opened with, if any. */
export function openedWith() {
  return location.hash.length > 1 ? location.hash : location.search;
}
