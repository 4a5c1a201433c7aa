// Memory without its long empty stretches: there is less to write, to read and to look over.
// A list of numbers comes first: how many runs of memory there are, and for each where it starts and ends. Then come
// the runs. A short gap is kept with what is around it, since an engine that has just started has written there.

const PAGE = 4096; // bytes
const SHORT = 1024 * 1024; // bytes: shorter than the stack and the end of the heap, of which nobody has had anything
const NUMBER = 4; // bytes

/**
 * @param {Uint8Array<ArrayBuffer>} memory of whole pages
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function packed(memory) {
  const runs = fullRuns(memory);
  const list = new Uint32Array([runs.length, ...runs.flat()]);
  const size = runs.reduce((sum, [start, end]) => sum + end - start, list.byteLength);
  const all = new Uint8Array(size);
  all.set(new Uint8Array(list.buffer));
  let at = list.byteLength;
  for (const [start, end] of runs) {
    all.set(memory.subarray(start, end), at);
    at += end - start;
  }
  return all;
}

/**
 * Put what was packed into memory that nobody has used.
 *
 * @param {Uint8Array<ArrayBuffer>} all
 * @param {Uint8Array} memory
 */
export function unpack(all, memory) {
  const [count = 0] = new Uint32Array(all.buffer, 0, 1);
  const list = new Uint32Array(all.buffer, NUMBER, 2 * count);
  let at = NUMBER + list.byteLength;
  for (let run = 0; run < count; run += 1) {
    const [start = 0, end = 0] = list.subarray(2 * run, 2 * run + 2);
    memory.set(all.subarray(at, at + end - start), start);
    at += end - start;
  }
}

/** @param {Uint8Array<ArrayBuffer>} memory */
function fullRuns(memory) {
  /** @type {[number, number][]} */
  const runs = [];
  const words = new BigUint64Array(memory.buffer, memory.byteOffset, memory.byteLength / 8);
  for (let start = 0; start < memory.byteLength; start += PAGE) {
    const end = Math.min(start + PAGE, memory.byteLength);
    if (words.subarray(start / 8, end / 8).every((word) => word === 0n)) continue;
    const last = runs.at(-1);
    if (last !== undefined && start - last[1] < SHORT) last[1] = end;
    else runs.push([start, end]);
  }
  return runs;
}
