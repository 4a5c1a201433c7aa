// Over a line that costs, Python comes once the reader wants it, or if it is here from an earlier visit.

import { isLineDear } from "./line.js";
import { isKept } from "./snapshot.js";

/**
 * Ask the reader if the line costs.
 *
 * @param {import("./status.js").Status} status
 * @param {() => void} start
 */
export async function askFirst(status, start) {
  if (!isLineDear()) return;
  status.tell({ isWanted: false });
  if (await isKept()) want(status, start);
}

/**
 * The reader wants it.
 *
 * @param {import("./status.js").Status} status
 * @param {() => void} start
 */
export function want(status, start) {
  status.tell({ isWanted: true });
  start();
}
