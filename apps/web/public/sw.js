/* Service worker: the shell opens without a network. It keeps files of the build only, never an answer of /api or /trpc. */
const CACHE = "shell-1";
const SHELL = "/";
/** Old builds' files are dropped, oldest first, beyond this many. */
const FILES_MAX = 150;

self.addEventListener("install", (event) => {
  letCallsPass(event);
  event.waitUntil(keepShell().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(dropOtherCaches().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (/^\/(api|trpc|ws)(\/|$)/.test(url.pathname)) return;
  if (request.mode === "navigate") event.respondWith(openDocument(event));
  else if (url.pathname.startsWith("/assets/") || url.pathname.startsWith("/icons/"))
    event.respondWith(openFile(request));
});

/** Where browsers can, calls go straight to the network: a sleeping worker would have to wake up to say that they are not its own. */
function letCallsPass(event) {
  const routes = ["/api/*", "/trpc/*"].map((pathname) => ({
    condition: { urlPattern: { pathname } },
    source: "network",
  }));
  event.addRoutes?.(routes).catch(() => undefined);
}

/** The newest document when there is a network, else the kept shell, whose router then draws the page. */
async function openDocument(event) {
  try {
    const answer = await fetch(event.request);
    const isShell = answer.status === 200 && !answer.redirected;
    if (
      isShell &&
      answer.headers.get("content-type")?.startsWith("text/html") &&
      new URL(event.request.url).pathname === SHELL
    ) {
      const copy = answer.clone();
      event.waitUntil(caches.open(CACHE).then((cache) => cache.put(SHELL, copy)));
    }
    return answer;
  } catch {
    const kept = await caches.match(SHELL);
    return kept ?? Response.error();
  }
}

/** Files of a build never change under their name. */
async function openFile(request) {
  const kept = await caches.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) {
    const cache = await caches.open(CACHE);
    await cache.put(request, answer.clone());
    await dropOldFiles(cache);
  }
  return answer;
}

async function keepShell() {
  const answer = await fetch(SHELL, { cache: "reload" });
  if (!answer.ok) return;
  const cache = await caches.open(CACHE);
  const html = await answer.clone().text();
  await cache.put(SHELL, answer);
  const files = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map((match) => match[1]);
  await cache.addAll([...new Set(files)]);
}

async function dropOldFiles(cache) {
  const files = (await cache.keys()).filter((file) => new URL(file.url).pathname !== SHELL);
  await Promise.all(files.slice(0, Math.max(0, files.length - FILES_MAX)).map((file) => cache.delete(file)));
}

async function dropOtherCaches() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
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
  const { kind = "news", title = self.location.hostname, body = "", icon, url = "/notifications" } = push;
  // A window in sight shows it by itself. The tag replaces an earlier one of the same kind.
  const windows = await self.clients.matchAll({ type: "window" });
  if (windows.some((page) => page.visibilityState === "visible")) return;
  await self.registration.showNotification(title, { body, icon, tag: kind, data: { url } });
}

async function openPath(path) {
  const url = new URL(path, self.location.origin);
  if (url.origin !== self.location.origin) return;
  const [page] = await self.clients.matchAll({ type: "window" });
  if (!page) return void (await self.clients.openWindow(url.href));
  await page.focus();
  await page.navigate(url.href).catch(() => self.clients.openWindow(url.href));
}
