// Keeps what this site has sent, so that pages that were seen once open without a line. Files in a folder that is
// named by what is in it never change, and come from what is kept; all else comes anew where there is a line.

const CACHE = "pagedkv-site";
const ROOT = new URL("./", self.location.href).pathname;
const NAMED_BY_CONTENT = /^(app|runtime)\/([^/]+)\//; // below the root of the site

const service = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

service.addEventListener("install", () => {
  service.skipWaiting();
});

service.addEventListener("activate", (event) => {
  // The page that is open has loaded all it needs without this; it is asked for once more, from the browser's cache.
  event.waitUntil(service.clients.claim());
});

service.addEventListener("message", (event) => {
  const root = new URL(ROOT, self.location.href).href;
  const loaded = /** @type {string[]} */ (event.data.keep ?? []).filter((each) => each.startsWith(root));
  event.waitUntil(keepAll(loaded));
});

service.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin || !pathname.startsWith(ROOT)) return;
  const found = NAMED_BY_CONTENT.exec(pathname.slice(ROOT.length));
  const answer = found === null ? anew(request) : kept(event, `${found[1]}`, `${found[2]}`);
  // Where nothing can be kept or read, the page has at least its line.
  event.respondWith(answer.catch(() => fetch(request)));
});

/**
 * Keep what a page has loaded, and what the thread of its Python has loaded, of which the page knows nothing.
 *
 * @param {string[]} loaded
 */
async function keepAll(loaded) {
  await Promise.all(loaded.map(keep));
  const app = loaded.map((each) => /^.*\/app\/[^/]+\//.exec(each)?.[0]).find(Boolean);
  if (app === undefined) return;
  const response = await fetch(`${app}thread.json`).catch(() => null);
  if (!response?.ok) return;
  for (const name of await response.json()) await keep(new URL(name, app).href);
}

/** @param {string} address of what has been loaded already: the browser's own cache has it */
async function keep(address) {
  const cache = await caches.open(CACHE);
  if ((await cache.match(address)) === undefined) await cache.add(address).catch(() => {});
}

/** @param {Request} request */
async function anew(request) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (response.ok) await keepCopy(cache, request, response.clone());
    return response;
  } catch (error) {
    const hit = await pageIn(cache, request);
    if (hit !== undefined) return hit;
    if (request.mode === "navigate") return offline(await cache.keys());
    throw error;
  }
}

/**
 * What was kept for a request. A folder and the index in it are one page.
 *
 * @param {Cache} cache
 * @param {Request} request
 */
async function pageIn(cache, request) {
  const url = new URL(request.url);
  url.search = "";
  const isFolder = url.pathname.endsWith("/");
  const other = isFolder ? `${url.href}index.html` : url.href.replace(/\/index\.html$/, "/");
  return (await cache.match(request, { ignoreSearch: true })) ?? (await cache.match(other));
}

/**
 * A page that says what there is without a line.
 *
 * @param {readonly Request[]} requests that are kept
 */
function offline(requests) {
  const paths = requests.map(({ url }) => new URL(url).pathname).filter((path) => /(\/|\.html)$/.test(path));
  const links = [...new Set(paths)].map(
    (path) => `<li><a href="${path}">${path.slice(ROOT.length) || "the first page"}</a>`,
  );
  const page = `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>You are offline</title><body style="max-width:34em;margin:2em auto;padding:0 1em;font:1.1em/1.5 system-ui">
<h1>You are offline</h1><p>This page has not been opened here before, so your browser has not kept it.
These are kept:</p><ul>${links.join("")}</ul></body></html>`;
  return new Response(page, { status: 503, headers: { "Content-Type": "text/html; charset=utf-8" } });
}

/**
 * @param {FetchEvent} event
 * @param {string} kind
 * @param {string} digest
 */
async function kept(event, kind, digest) {
  const { request } = event;
  const cache = await caches.open(CACHE);
  // A page asks for a file anew once it has found that what it got is damaged.
  const hit = request.cache === "reload" ? undefined : await cache.match(request);
  if (hit !== undefined) return hit;
  const response = await fetch(request);
  if (response.ok) {
    const copy = response.clone();
    // The page gets it as it comes, and does not wait until it is kept.
    event.waitUntil(forgetOthers(cache, kind, digest).then(() => keepCopy(cache, request, copy)));
  }
  return response;
}

/**
 * Keep a copy of what has come. A browser that has no room for it shows it all the same.
 *
 * @param {Cache} cache
 * @param {Request} request
 * @param {Response} copy
 */
async function keepCopy(cache, request, copy) {
  await cache.put(request, copy).catch(() => {});
}

/**
 * Of earlier builds nothing is kept.
 *
 * @param {Cache} cache
 * @param {string} kind
 * @param {string} digest
 */
async function forgetOthers(cache, kind, digest) {
  for (const request of await cache.keys()) {
    const found = NAMED_BY_CONTENT.exec(new URL(request.url).pathname.slice(ROOT.length));
    if (found?.[1] === kind && found[2] !== digest) await cache.delete(request);
  }
}
