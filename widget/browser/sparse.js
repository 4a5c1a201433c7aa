// Memory without its empty pages, which are most of it: there is less to write, to read and to look over.
// A list of numbers comes first: how long the memory is, how many runs of full pages there are, and for each run
// where it starts and ends. Then come the runs.

const PAGE = 4096; // bytes
const NUMBER = 4; // bytes

/**
 * @param {Uint8Array<ArrayBuffer>} memory of whole pages
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function withoutEmptyPages(memory) {
  const runs = fullRuns(memory);
  const list = new Uint32Array([memory.byteLength, runs.length, ...runs.flat()]);
  const size = runs.reduce((sum, [start, end]) => sum + end - start, list.byteLength);
  const packed = new Uint8Array(size);
  packed.set(new Uint8Array(list.buffer));
  let at = list.byteLength;
  for (const [start, end] of runs) {
    packed.set(memory.subarray(start, end), at);
    at += end - start;
  }
  return packed;
}

/** @param {Uint8Array<ArrayBuffer>} packed */
export function withEmptyPages(packed) {
  const [size = 0, count = 0] = new Uint32Array(packed.buffer, 0, 2);
  const list = new Uint32Array(packed.buffer, 2 * NUMBER, 2 * count);
  const memory = new Uint8Array(size);
  let at = (2 + 2 * count) * NUMBER;
  for (let run = 0; run < count; run += 1) {
    const [start = 0, end = 0] = list.subarray(2 * run, 2 * run + 2);
    memory.set(packed.subarray(at, at + end - start), start);
    at += end - start;
  }
  return memory;
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
    if (last?.[1] === start) last[1] = end;
    else runs.push([start, end]);
  }
  return runs;
}
