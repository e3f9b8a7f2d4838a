/* Service worker: lets the app shell open offline. It caches only files of the build, never responses from /api or /trpc. */
const CACHE = "shell-2";
const SHELL = "/";
/** The neutral page that a quick exit opens. Cached at install and always served from the cache. */
const NOTEPAD = "/notepad";
/** The disguise of this device, if any, written by the page (apply-disguise.ts). */
const DISGUISE_CACHE = "face";
const DISGUISE_FILE = "/face.json";
/** After this time a document is opened from the cache. */
const DOCUMENT_WAIT_MS = 15_000;
/** After this time a request counts as failed, as if the device were offline. */
const ANSWER_WAIT_MS = 60_000;
/** After this time caching in the background ends. */
const CACHING_WAIT_MS = 120_000;
/** After this time the cache counts as empty. */
const CACHE_WAIT_MS = 2000;
/** After this time the disguise counts as unreadable. Long, because a phone that has just woken is slow. */
const DISGUISE_WAIT_MS = 10_000;
/** The tag of a notification that takes others away. */
const GONE = "gone";
/** More than one build contains. Beyond it the files of old builds are evicted, oldest first. */
const FILES_MAX = 300;

self.addEventListener("install", (event) => {
  bypassApiCalls(event);
  // Caching may fail, for example on a full disk: the site still works online, and pushes arrive.
  const shell = withDeadline(ANSWER_WAIT_MS, fetchShell()).catch(ignore);
  const notepad = withDeadline(ANSWER_WAIT_MS, cacheNotepad()).catch(ignore);
  event.waitUntil(Promise.all([shell, notepad]).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    withDeadline(CACHE_WAIT_MS, deleteOtherCaches())
      .catch(ignore)
      .then(() => self.clients.claim()),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  // Not the application's: its shell would stand for a friend's page of a plan, which asks again by itself.
  if (/^\/(api|trpc|ws|meet|status|\.well-known)(\/|$)/.test(url.pathname)) return;
  if (url.pathname === NOTEPAD) event.respondWith(openFile(event));
  else if (request.mode === "navigate") event.respondWith(openDocument(event));
  else if (url.pathname.startsWith("/assets/") || url.pathname.startsWith("/icons/"))
    event.respondWith(openFile(event));
});

/** Routes API calls straight to the network where the browser can, so that they need not wait for this worker to start. */
function bypassApiCalls(event) {
  const routes = ["/api/*", "/trpc/*"].map((pathname) => ({
    condition: { urlPattern: { pathname } },
    source: "network",
  }));
  event.addRoutes?.(routes).catch(() => undefined);
}

/** For caching errors, which must never delay or fail a response. */
function ignore() {
  return undefined;
}

/** Rejects if the promise takes too long: a line can accept a request and never answer. */
function withDeadline(ms, promise) {
  return Promise.race([promise, new Promise((_, reject) => setTimeout(() => reject(new Error("no answer")), ms))]);
}

/** For the work after a response. */
const finishLater = (event, caching) => event.waitUntil(withDeadline(CACHING_WAIT_MS, caching).catch(ignore));

const findCached = (request) => withDeadline(CACHE_WAIT_MS, caches.match(request)).catch(ignore);

/** Network first; offline, or without an answer, the cached shell, whose router then renders the page. */
async function openDocument(event) {
  const answer = withDeadline(ANSWER_WAIT_MS, fetch(event.request));
  try {
    const response = await withDeadline(DOCUMENT_WAIT_MS, answer);
    if (new URL(event.request.url).pathname === SHELL) finishLater(event, cacheShell(response.clone()));
    // The installation may have failed to.
    else finishLater(event, cacheMissingShell());
    return response;
  } catch {
    return (await findCached(SHELL)) ?? answer.catch(offlinePage);
  }
}

const isSpanish = () => self.navigator.language.startsWith("es");

/** What stands for a page when there is neither an answer nor a shell, instead of the browser's error page. */
function offlinePage() {
  const [language, text, retry] = isSpanish()
    ? ["es", "No hay conexión. Revísala y vuelve a intentarlo.", "Reintentar"]
    : ["en", "You're offline. Check your connection and try again.", "Try again"];
  const html = `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="dark light"><title>${self.location.hostname}</title><h1>${text}</h1><p><a href="">${retry}</a>`;
  return new Response(html, { status: 503, headers: { "content-type": "text/html; charset=utf-8" } });
}

async function cacheMissingShell() {
  if (!(await caches.match(SHELL))) await fetchShell();
}

/** Cache first: a file of a build never changes under its name. */
async function openFile(event) {
  const { request } = event;
  const cached = await findCached(request);
  if (cached) return cached;
  const response = await withDeadline(ANSWER_WAIT_MS, fetch(request));
  if (isFile(response)) finishLater(event, cacheFile(request, response.clone()));
  return response;
}

const isPage = (response) => (response.headers.get("content-type") ?? "").startsWith("text/html");

/** An HTML page cached under a file's name would break the application until it is evicted. */
const isFile = (response) => response.status === 200 && !response.redirected && !isPage(response);

const listFiles = (html) => [
  ...new Set([...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map((match) => match[1])),
];

async function cacheFile(request, response) {
  const cache = await caches.open(CACHE);
  await cache.put(request, response);
  await evictOldFiles(cache);
}

/** Not what something else answers in our place. */
const isShell = (response, files) => isDocument(response) && files.some((file) => file.endsWith(".js"));

const isDocument = (response) => response.status === 200 && !response.redirected && isPage(response);

const fetchShell = async () => cacheShell(await fetch(SHELL, { cache: "reload" }));

/** Replaces the cached document only once all its files are cached, because it renders nothing without them. */
async function cacheShell(response) {
  const files = listFiles(await response.clone().text());
  if (!isShell(response, files)) return;
  const cache = await caches.open(CACHE);
  await Promise.all(
    files.map(async (file) => {
      if (await cache.match(file)) return;
      const fetched = await withDeadline(ANSWER_WAIT_MS, fetch(file));
      if (!isFile(fetched)) throw new Error(`${file} does not exist`);
      await cache.put(file, fetched);
    }),
  );
  await cache.put(SHELL, response);
  await evictOldFiles(cache);
}

async function cacheNotepad() {
  const response = await withDeadline(ANSWER_WAIT_MS, fetch(NOTEPAD, { cache: "reload" }));
  if (!isDocument(response)) throw new Error("something else answered");
  await (await caches.open(CACHE)).put(NOTEPAD, response);
}

async function evictOldFiles(cache) {
  const paths = (await cache.keys()).map((file) => new URL(file.url).pathname);
  if (paths.length <= FILES_MAX) return;
  const shell = await cache.match(SHELL);
  const needed = new Set([SHELL, NOTEPAD, ...(shell ? listFiles(await shell.text()) : [])]);
  const old = paths.filter((path) => !needed.has(path));
  await Promise.all(old.slice(0, paths.length - FILES_MAX).map((path) => cache.delete(path)));
}

async function deleteOtherCaches() {
  const names = (await caches.keys()).filter((name) => name !== CACHE && name !== DISGUISE_CACHE);
  await Promise.all(names.map((name) => caches.delete(name)));
}

/* Push: the payload carries the kind of the event, never its content. */
self.addEventListener("push", (event) => {
  event.waitUntil(showPush(event.data));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPath(event.notification.data?.url ?? "/notifications"));
});

/** The browser has replaced or dropped the subscription: without another, nothing would arrive, alarms included. */
self.addEventListener("pushsubscriptionchange", (event) => {
  event.waitUntil(withDeadline(ANSWER_WAIT_MS, renewSubscription(event.newSubscription)).catch(ignore));
});

async function renewSubscription(given) {
  const [{ applicationServerKey }, { items }] = await Promise.all([callApi("push-key"), callApi("push-subscriptions")]);
  const known = items.find(({ thisDevice }) => thisDevice);
  // The session ended, or the member removed this device.
  if (!known) return;
  const options = { userVisibleOnly: true, applicationServerKey };
  const made = given ?? (await withDeadline(ANSWER_WAIT_MS, self.registration.pushManager.subscribe(options)));
  const { endpoint, keys } = made.toJSON();
  const draft = { deviceName: known.deviceName, endpoint, auth_base64: keys.auth, p256dh_base64: keys.p256dh };
  await callApi("push-subscription", { method: "POST", body: JSON.stringify(draft) });
  if (endpoint !== known.endpoint) await callApi(`push-subscription/${known.id}`, { method: "DELETE" });
}

async function callApi(path, init) {
  const headers = { "content-type": "application/json" };
  const response = await withDeadline(ANSWER_WAIT_MS, fetch(`/api/${path}`, { headers, ...init }));
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return response.json();
}

async function showPush(data) {
  let push = {};
  try {
    push = data?.json() ?? {};
  } catch {
    // Even an unreadable push must show a notification: browsers penalize silent pushes.
  }
  const { kind = "news", url = "/notifications" } = push;
  // What protects the member is never quiet, nor replaced by anything else.
  const alarm = push.alarm === true && !push.gone;
  // A disguised device shows the disguise's name and the same text for every kind of event, and so does one that may be.
  const disguise = await withDeadline(DISGUISE_WAIT_MS, readDisguise()).catch(notesDisguise);
  const { title = self.location.hostname, body = "", icon } = disguise ?? push;
  // Without a notification for each push, an iPhone ends the subscription. A visible window shows the event itself, so it is a quiet one.
  const silent = !alarm && (await listWindows()).some((page) => page.visibilityState === "visible");
  // The tag replaces an earlier notification of the same kind. The page closes those whose news was read, by their kind.
  const tag = push.gone ? GONE : disguise && !alarm ? "news" : kind;
  await self.registration.showNotification(title, {
    body,
    icon,
    tag,
    silent: silent || tag === GONE,
    renotify: alarm,
    requireInteraction: alarm,
    data: { url, kind },
  });
  if (tag === GONE) await closeGone(kind);
}

/** Takes the notifications of a kind away whose news are gone, and with them the one that this push had to show. */
async function closeGone(kind) {
  const shown = await withDeadline(CACHE_WAIT_MS, self.registration.getNotifications()).catch(() => []);
  for (const notification of shown)
    if (notification.tag === GONE || notification.data?.kind === kind) notification.close();
}

const listWindows = () => withDeadline(CACHE_WAIT_MS, self.clients.matchAll({ type: "window" })).catch(() => []);

/** As the page writes it for the disguise "notes". */
function notesDisguise() {
  const [title, body] = isSpanish() ? ["Notas", "Tienes un recordatorio"] : ["Notes", "You have a reminder"];
  return { title, body, icon: "/icons/notes-192.png" };
}

/** Undefined if none was chosen. Rejects if that cannot be told. */
async function readDisguise() {
  const stored = await (await caches.open(DISGUISE_CACHE)).match(DISGUISE_FILE);
  return stored?.json();
}

async function openPath(path) {
  const url = new URL(path, self.location.origin);
  if (url.origin !== self.location.origin) return;
  const openNew = () => self.clients.openWindow(url.href);
  // A friend's page of a plan belongs to somebody else's alarm.
  const page = (await listWindows()).find((shown) => !new URL(shown.url).pathname.startsWith("/meet/"));
  if (!page) return void (await openNew());
  // A browser may refuse, or never answer for a page that it has frozen.
  const went = withDeadline(CACHE_WAIT_MS, page.focus()).then(() => goTo(page, url));
  if (!(await went.catch(ignore))) await openNew();
}

/** Asks the page to go there itself, since a new document would drop what is typed, recorded or on its way up. False without an answer. */
function goTo(page, { pathname, search, hash }) {
  const { port1, port2 } = new MessageChannel();
  const answer = new Promise((resolve) => {
    port1.onmessage = () => resolve(true);
  });
  page.postMessage({ type: "go", path: pathname + search + hash }, [port2]);
  return withDeadline(CACHE_WAIT_MS, answer).catch(() => false);
}
