/* Wakes the page of one plan: its scope is that page's own address, so that nothing about the plan has to be sent or kept for it. */
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
    push = data?.json() ?? {};
  } catch {
    // Whatever came, the page has news.
  }
  const { title = "A plan", body = "" } = push;
  for (const page of await self.clients.matchAll({ type: "window" })) page.postMessage("look");
  await self.registration.showNotification(title, { body, tag: "plan", requireInteraction: true });
}

async function open() {
  const [page] = await self.clients.matchAll({ type: "window" });
  if (page) return page.focus();
  return self.clients.openWindow(self.registration.scope);
}
