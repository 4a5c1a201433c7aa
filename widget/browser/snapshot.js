// Keeps the memory of a Python that has just started, with our modules imported, in the reader's own browser, so that
// the next visit starts from it. One kept by another build, another browser, cut short or altered is never used.

import { digestOf } from "./digest.js";
import { packed, unpack } from "./sparse.js";

/**
 * A memory that was kept. Its head and its size are there at once, and an engine can start with them; what is in it
 * takes a while to read.
 *
 * @typedef {object} Kept
 * @property {Uint8Array<ArrayBuffer>} head what Pyodide has to know of it
 * @property {number} size in bytes
 * @property {() => Promise<(memory: Uint8Array) => void>} read what fills a memory with it; fails if it is not whole
 */

const CACHE = "pagedkv-python";
// The folder of the app's files is named by all that goes into them and into the runtime; the engine is in the name
// of the browser, and one engine's memory does not run in another.
const KEY = new URL(`./memory.bin?${encodeURIComponent(navigator.userAgent)}`, import.meta.url).href;
const HEAD = "X-Memory-Head";
const SIZE = "X-Memory-Size";
const DIGEST = "X-Memory-Digest";

/** Whether this build's Python is in the browser already: then its line is hardly needed. */
export async function isKept() {
  try {
    return (await (await caches.open(CACHE)).match(KEY)) !== undefined;
  } catch {
    return false;
  }
}

/** @returns {Promise<Kept | null>} */
export async function keptSnapshot() {
  try {
    const cache = await caches.open(CACHE);
    const hit = await cache.match(KEY);
    if (hit === undefined) return null;
    const head = Uint8Array.from(atob(hit.headers.get(HEAD) ?? ""), (letter) => letter.charCodeAt(0));
    return { head, size: Number(hit.headers.get(SIZE)), read: () => read(hit) };
  } catch {
    // No storage here, or nothing that can be read: what is in doubt goes.
    await forgetSnapshot();
    return null;
  }
}

/** @param {Response} kept */
async function read(kept) {
  const all = new Uint8Array(await kept.arrayBuffer());
  const said = [kept.headers.get(HEAD), kept.headers.get(SIZE), await digestOf(all)];
  if ((await digestOf(new TextEncoder().encode(said.join(" ")))) !== kept.headers.get(DIGEST)) {
    throw new Error("The snapshot is damaged.");
  }
  return (/** @type {Uint8Array} */ memory) => unpack(all, memory);
}

/** @param {Uint8Array<ArrayBuffer>} snapshot as Pyodide makes it: a head, then the memory */
export async function keepSnapshot(snapshot) {
  try {
    const [, start = 0] = new Uint32Array(snapshot.buffer, 0, 2); // the head says where the memory starts
    const head = btoa(String.fromCharCode(...snapshot.subarray(0, start)));
    const memory = snapshot.subarray(start);
    const all = packed(memory);
    const said = [head, memory.byteLength, await digestOf(all)];
    const digest = await digestOf(new TextEncoder().encode(said.join(" ")));
    await forgetSnapshot(); // of earlier builds, too
    const cache = await caches.open(CACHE);
    // Not compressed: to unpack it would take longer than to read it.
    const headers = { [HEAD]: head, [SIZE]: String(memory.byteLength), [DIGEST]: digest };
    await cache.put(KEY, new Response(all, { headers }));
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
