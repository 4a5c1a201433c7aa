// What the line to the reader allows: whether to ask before megabytes are sent, and how pages stay when it is gone.

const SERVICE = new URL("../../service-worker.js", import.meta.url);

/** Whether the reader saves data, or pays for it. */
export function isLineDear() {
  const connection = /** @type {{saveData?: boolean, type?: string} | undefined} */ (
    Reflect.get(navigator, "connection")
  );
  return connection?.saveData === true || connection?.type === "cellular";
}

/** Let the browser keep what this site has sent, so that pages seen once open without a line. */
export function keepForLater() {
  // A browser may have no such service, or none here, as in a frame without an origin. Then nothing is kept.
  navigator.serviceWorker?.register(SERVICE).catch(() => {});
}
