// A service worker: keeps the page and what it is made of, so that it opens and listens without a network.
//
// What the network has comes first, so that a page is never older than its service; codes and data are never kept.

const store = "chirp-page";
/** The service puts the name in that has the module's digest, or none where it has no module. */
const moduleName = "chirp.wasm";
const files = [
  "/", "/assets/app.webmanifest", "/assets/chirp.css", "/assets/chirp.js", "/assets/decoder.js", "/assets/decoding.js",
  "/assets/history.js", "/assets/home.js", "/assets/icon.svg", "/assets/kinds.js", "/assets/listen.js", "/assets/microphone.js",
  "/assets/pieces.js", "/assets/play.js", "/assets/share.js", "/assets/soundfile.js", "/assets/spectrogram.js", "/assets/waterfall.js",
  ...moduleName ? [`/assets/${moduleName}`] : [],
];

async function install() {
  const cache = await caches.open(store);
  await cache.addAll(files);
  // Modules of other digests are of no use any more.
  for (const request of await cache.keys()) {
    if (!files.includes(new URL(request.url).pathname)) await cache.delete(request);
  }
  await self.skipWaiting();
}

/** Pages and workers that came out of the store: what belongs to them does, too, lest files of two versions meet. */
const stored = new Set();

/** A request may come from no client, and make none. */
function keepTo(...clients) {
  for (const client of clients) if (client) stored.add(client);
}

/** Whether the service gave an answer, and not a network that wants a log-in first. */
const isOurs = (answer) => answer.headers.has("X-Chirp-API");

async function answer({ request, clientId, resultingClientId }, path) {
  const cache = await caches.open(store), kept = await cache.match(path);
  if (kept && stored.has(clientId)) {
    keepTo(resultingClientId);
    return kept;
  }
  const asked = fetch(request).then(async (fresh) => {
    // Where there is no space for it the answer is as good.
    if (fresh.ok && isOurs(fresh)) await cache.put(path, fresh.clone()).catch(() => {});
    return fresh;
  });
  if (!kept) return asked;
  // A network that does not answer, and a proxy without its service, have less than what is kept.
  const patience = new Promise((resolve) => { setTimeout(resolve, 3000); });
  const fresh = await Promise.race([asked, patience]).catch(() => null);
  asked.catch(() => {});
  const isPage = request.mode === "navigate";
  if (fresh && fresh.status < 500 && fresh.status !== 429 && (isPage || isOurs(fresh))) return fresh;
  keepTo(clientId, resultingClientId);
  return kept;
}

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { origin, pathname, search } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== self.location.origin || search || !files.includes(pathname)) return;
  event.respondWith(answer(event, pathname));
});
