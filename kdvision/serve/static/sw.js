// Keeps the page for the time without network: the server's is taken where it answers.

const CACHE = "kdscore";

// What the page is made of: it opens without network after the first visit.
const SCRIPTS = [
  "page", "memory", "dom", "dialogs", "net", "news", "changes", "game", "kingdom", "evening", "history", "large", "share",
];
const PARTS = ["/", "/static/page.css", "/static/icon.svg", ...SCRIPTS.map((name) => `/static/${name}.js`)];

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(PARTS)).catch(() => {}));
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  const isOurs = origin === location.origin && (pathname === "/" || pathname.startsWith("/static/"));
  if (event.request.method === "GET" && isOurs) event.respondWith(fromNetwork(event.request));
});

// A phone without room keeps nothing, and shows the page all the same.
/** @type {(request: Request, answer: Response) => Promise<void>} */
const keep = (request, answer) =>
  caches.open(CACHE).then((cache) => cache.put(request, answer)).catch(() => {});

/** @type {(request: Request) => Promise<Response>} */
async function fromNetwork(request) {
  try {
    const answer = await fetch(request);
    if (answer.ok && !answer.redirected) await keep(request, answer.clone());
    return answer;
  } catch (error) {
    const kept = await caches.match(request, { cacheName: CACHE, ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }
}
