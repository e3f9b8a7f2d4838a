/* Service worker: the shell opens without a network. It keeps files of the build only, never an answer of /api or /trpc. */
const CACHE = "shell-2";
const SHELL = "/";
/** A neutral page for whoever has to leave at once: kept from the start, and always answered from here. */
const NOTEPAD = "/notepad";
/** How this device is called, if not as the site: written by the page (wear-disguise.ts). */
const FACE_CACHE = "face";
const FACE_FILE = "/face.json";
/** More than a build has. Beyond it old builds' files are dropped, oldest first. */
const FILES_MAX = 300;

self.addEventListener("install", (event) => {
  letCallsPass(event);
  // On a full disk the site works online, and pushes arrive.
  const kept = fetch(SHELL, { cache: "reload" }).then(keepShell).catch(ignore);
  event.waitUntil(Promise.all([kept, keepNotepad().catch(ignore)]).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(dropOtherCaches().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (/^\/(api|trpc|ws)(\/|$)/.test(url.pathname)) return;
  if (url.pathname === NOTEPAD) event.respondWith(openFile(event));
  else if (request.mode === "navigate") event.respondWith(openDocument(event));
  else if (url.pathname.startsWith("/assets/") || url.pathname.startsWith("/icons/"))
    event.respondWith(openFile(event));
});

/** Where browsers can, calls go straight to the network: a sleeping worker would have to wake up to say that they are not its own. */
function letCallsPass(event) {
  const routes = ["/api/*", "/trpc/*"].map((pathname) => ({
    condition: { urlPattern: { pathname } },
    source: "network",
  }));
  event.addRoutes?.(routes).catch(() => undefined);
}

/** Keeping is never what an answer waits for, nor why one fails. */
function ignore() {
  return undefined;
}

/** The newest document when there is a network, else the kept shell, whose router then draws the page. */
async function openDocument(event) {
  try {
    const answer = await fetch(event.request);
    if (new URL(event.request.url).pathname === SHELL) event.waitUntil(keepShell(answer.clone()).catch(ignore));
    return answer;
  } catch {
    const kept = await caches.match(SHELL).catch(ignore);
    return kept ?? Response.error();
  }
}

/** Files of a build never change under their name. */
async function openFile(event) {
  const { request } = event;
  const kept = await caches.match(request).catch(ignore);
  if (kept) return kept;
  const answer = await fetch(request);
  if (isFile(answer)) event.waitUntil(keepFile(request, answer.clone()).catch(ignore));
  return answer;
}

const isPage = (answer) => (answer.headers.get("content-type") ?? "").startsWith("text/html");

/** A page under a file's name would break the application for as long as it is kept. */
const isFile = (answer) => answer.status === 200 && !answer.redirected && !isPage(answer);

const filesOf = (html) => [
  ...new Set([...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map((match) => match[1])),
];

async function keepFile(request, answer) {
  const cache = await caches.open(CACHE);
  await cache.put(request, answer);
  await dropOldFiles(cache);
}

/** The document takes the former one's place only when all its files are there: without them it would draw nothing. */
async function keepShell(answer) {
  if (answer.status !== 200 || answer.redirected || !isPage(answer)) return;
  const cache = await caches.open(CACHE);
  const files = filesOf(await answer.clone().text());
  await Promise.all(
    files.map(async (file) => {
      if (await cache.match(file)) return;
      const found = await fetch(file);
      if (!isFile(found)) throw new Error(`${file} is gone`);
      await cache.put(file, found);
    }),
  );
  await cache.put(SHELL, answer);
  await dropOldFiles(cache);
}

async function keepNotepad() {
  const cache = await caches.open(CACHE);
  await cache.add(new Request(NOTEPAD, { cache: "reload" }));
}

async function dropOldFiles(cache) {
  const paths = (await cache.keys()).map((file) => new URL(file.url).pathname);
  if (paths.length <= FILES_MAX) return;
  const shell = await cache.match(SHELL);
  const needed = new Set([SHELL, NOTEPAD, ...(shell ? filesOf(await shell.text()) : [])]);
  const old = paths.filter((path) => !needed.has(path));
  await Promise.all(old.slice(0, paths.length - FILES_MAX).map((path) => cache.delete(path)));
}

async function dropOtherCaches() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE && name !== FACE_CACHE).map((name) => caches.delete(name)));
}

/* Push: the payload carries the kind of news, never its content. */
self.addEventListener("push", (event) => {
  event.waitUntil(showPush(event.data));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPath(event.notification.data?.url ?? "/notifications"));
});

async function showPush(data) {
  let push = {};
  try {
    push = data?.json() ?? {};
  } catch {
    // A push that cannot be read still has to show something: the browser counts silent ones.
  }
  const { kind = "news", url = "/notifications" } = push;
  // A disguise speaks with its own name, and says the same whatever it is about.
  const face = await readFace().catch(ignore);
  const { title = self.location.hostname, body = "", icon } = face ?? push;
  // A window in sight shows it by itself. The tag replaces an earlier one of the same kind.
  const windows = await self.clients.matchAll({ type: "window" });
  if (windows.some((page) => page.visibilityState === "visible")) return;
  await self.registration.showNotification(title, { body, icon, tag: face ? "news" : kind, data: { url } });
}

async function readFace() {
  const kept = await (await caches.open(FACE_CACHE)).match(FACE_FILE);
  return kept?.json();
}

async function openPath(path) {
  const url = new URL(path, self.location.origin);
  if (url.origin !== self.location.origin) return;
  const [page] = await self.clients.matchAll({ type: "window" });
  if (!page) return void (await self.clients.openWindow(url.href));
  await page.focus();
  await page.navigate(url.href).catch(() => self.clients.openWindow(url.href));
}
