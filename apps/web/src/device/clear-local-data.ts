import { DATABASES } from "./databases.ts";
import { clearDevice, storedNames } from "./device-storage.ts";
import { OWN_CHOICES } from "./own-choices.ts";
import { hasSession } from "./session-cookie.ts";

const handlers = new Set<() => void | Promise<void>>();

/** A feature that keeps member data in memory or on the device says here how to forget it. */
export function onClearLocalData(handler: () => void | Promise<void>): void {
  handlers.add(handler);
}

/** The session ended by itself: what logout forgets, but the device's own choices stay (theme, language, NSFW). */
export function clearMemberData(): Promise<void> {
  expireCookie("logged_in");
  return clearLocalData(OWN_CHOICES);
}

/** Logout: all cookies that a script can reach, local and session storage, databases, and every feature's own keeping. */
export function clearAllLocalData(): Promise<void> {
  for (const cookie of document.cookie.split(";")) expireCookie(cookie.split("=")[0]?.trim() ?? "");
  // How this device is called outlives it: the installed icon does too.
  return clearLocalData(["disguise"]);
}

/** A session that ended while no page was open (a browser that closed drops its cookies alone) left all the rest. */
export function clearLeftovers(): void {
  if (!hasSession() && storedNames().some((name) => !OWN_CHOICES.includes(name))) void clearMemberData();
}

async function clearLocalData(keptNames: readonly string[]): Promise<void> {
  clearDevice(keptNames, keptNames !== OWN_CHOICES);
  // Not waited for: it asks the browser's push service, which may be out of reach.
  void endPush().catch(() => undefined);
  // All of them begin at once: whoever goes on without waiting finds the memory empty.
  const emptied = DATABASES.map((name) => emptyDatabase(name).catch(() => undefined));
  await Promise.all([...[...handlers].map((handler) => handler()), ...emptied]);
}

/** What a lock screen still shows goes, and so does the subscription, which the server ended with the session. */
async function endPush(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  for (const notification of (await registration?.getNotifications()) ?? []) notification.close();
  await (await registration?.pushManager?.getSubscription())?.unsubscribe();
}

/** Emptied instead of deleted: another tab's open connection would hold a deletion up, and with it every later opening. */
function emptyDatabase(name: string): Promise<void> {
  return new Promise((resolve) => {
    const opening = indexedDB.open(name);
    // There was none: opening must not make one, which would lack the store that its feature makes.
    opening.onupgradeneeded = () => opening.transaction?.abort();
    opening.onerror = () => resolve();
    opening.onsuccess = () => {
      const { result } = opening;
      const stores = [...result.objectStoreNames];
      const finish = () => {
        result.close();
        resolve();
      };
      if (stores.length === 0) return finish();
      const clearing = result.transaction(stores, "readwrite");
      for (const store of stores) clearing.objectStore(store).clear();
      clearing.oncomplete = finish;
      clearing.onabort = finish;
    };
  });
}

function expireCookie(name: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in older browsers and works later, not now
  if (name) document.cookie = `${name}=; Path=/; Max-Age=0; Secure; SameSite=Lax`;
}
