// SHA-256 of what was fetched or kept. A page that came over plain HTTP from another machine cannot reckon it.

export const canDigest = globalThis.crypto?.subtle !== undefined;

/** @param {Uint8Array<ArrayBuffer>} bytes */
export async function digestOf(bytes) {
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
