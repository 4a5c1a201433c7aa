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
export async function keepForLater() {
  try {
    const service = navigator.serviceWorker;
    await service.register(SERVICE);
    const { active } = await service.ready;
    // What this page has loaded came before there was a service to keep it.
    const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
    active?.postMessage({ keep: [location.href.split("#")[0], ...loaded] });
  } catch {
    // A browser may have no such service, or none here, as in a frame without an origin. Then nothing is kept.
  }
}
