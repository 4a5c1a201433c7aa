// What can be wrong with a file of Python's, in the sentence that a reader is told.

export class NotLoaded extends Error {
  /**
   * @param {string} file as the page knows it
   * @param {string} reason
   */
  constructor(file, reason) {
    super(`${file} could not be loaded: ${reason}.`);
    this.file = file;
  }
}

/** A file that came and is not what it should be: the browser may have it like that in its cache. */
export class Damaged extends NotLoaded {}

/**
 * The name of a file as the page knows it: with its folder if that is the runtime.
 *
 * @param {string} address
 * @param {string} runtime
 */
export function nameOf(address, runtime) {
  const { href, pathname } = new URL(address, globalThis.location.href);
  const name = pathname.split("/").at(-1) ?? "";
  return href.startsWith(runtime) ? `runtime/${name}` : name;
}

/**
 * Why a file did not come, as far as the browser knows.
 *
 * @param {string} otherwise the reason if it is nothing else
 * @param {AbortSignal} [silence] aborted if the line was silent for too long
 */
export function whyNot(otherwise, silence) {
  if (silence?.aborted) return "nothing has come for a while";
  return navigator.onLine ? otherwise : "you are offline";
}
