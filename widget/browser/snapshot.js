// Keeps the memory of a Python that has just started, with our modules imported, in the reader's own browser, so that
// the next visit starts from it. One kept by another build, another browser, cut short or altered is never used.

import { digestOf } from "./digest.js";
import { withEmptyPages, withoutEmptyPages } from "./sparse.js";

const CACHE = "pagedkv-python";
// The folder of the app's files is named by all that goes into them and into the runtime; the engine is in the name
// of the browser, and one engine's memory does not run in another.
const KEY = new URL(`./memory.bin?${encodeURIComponent(navigator.userAgent)}`, import.meta.url).href;
const DIGEST = "X-Memory-Digest";

/** Whether this build's Python is in the browser already: then its line is hardly needed. */
export async function isKept() {
  try {
    return (await (await caches.open(CACHE)).match(KEY)) !== undefined;
  } catch {
    return false;
  }
}

/**
 * What reads the snapshot that was kept, if one was: it takes a while, and other things can be done meanwhile. What
 * is read is whole and ours, or the reading fails.
 *
 * @returns {Promise<(() => Promise<Uint8Array>) | null>}
 */
export async function keptSnapshot() {
  try {
    const cache = await caches.open(CACHE);
    const hit = await cache.match(KEY);
    return hit === undefined ? null : () => read(hit);
  } catch {
    // No storage here, or nothing that can be read: what is in doubt goes.
    await forgetSnapshot();
    return null;
  }
}

/** @param {Response} kept */
async function read(kept) {
  const bytes = new Uint8Array(await kept.arrayBuffer());
  if ((await digestOf(bytes)) !== kept.headers.get(DIGEST)) throw new Error("The snapshot is damaged.");
  return withEmptyPages(bytes);
}

/** @param {Uint8Array<ArrayBuffer>} memory */
export async function keepSnapshot(memory) {
  try {
    const bytes = withoutEmptyPages(memory);
    const digest = await digestOf(bytes);
    await forgetSnapshot(); // of earlier builds, too
    const cache = await caches.open(CACHE);
    // Not compressed: to unpack it would take longer than to read it.
    await cache.put(KEY, new Response(bytes, { headers: { [DIGEST]: digest } }));
  } catch {
    // A browser that keeps nothing boots from the start each time.
  }
}

/** Forget every snapshot, of whichever build. */
export async function forgetSnapshot() {
  try {
    await caches.delete(CACHE);
  } catch {
    // There is no storage here, and so nothing to forget.
  }
}
