/* Push handler for the page of one plan. Its scope is that page's address, so no push has to carry anything about the plan. */
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("push", (event) => {
  event.waitUntil(show(event.data));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open());
});

async function show(data) {
  let push = {};
  try {
    push = (data ? data.json() : null) || {};
  } catch {
    // Even an unreadable push means that the plan changed.
  }
  const { title = "A plan", body = "" } = push;
  // First of all: the alarm must show whatever becomes of the pages.
  await self.registration.showNotification(title, { body, tag: "plan", renotify: true, requireInteraction: true });
  for (const page of await listWindows()) page.postMessage("changed");
}

/** None, if the browser does not say: a press on the alarm must open the page. */
function listWindows() {
  const late = new Promise((resolve) => setTimeout(resolve, 2000, []));
  return Promise.race([self.clients.matchAll({ type: "window" }), late]);
}

async function open() {
  const [page] = await listWindows();
  const openNew = () => self.clients.openWindow(self.registration.scope);
  return page ? page.focus().catch(openNew) : openNew();
}
