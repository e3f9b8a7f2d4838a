/** Applies a disguise to the title, icons and manifest of this document and to the service worker's notifications. */
import { DISGUISES, disguiseManifestPath } from "@lambda/contract/disguises";
import { readDeviceValue, writeDeviceValue } from "../device/device-storage.ts";
import { type DeviceDisguise, DISGUISE } from "../device/disguise.ts";
import { DATABASE_WAIT_MS, withDeadline } from "../device/with-deadline.ts";
import { currentLocale } from "./i18n.ts";
import { pageBrand } from "./site.ts";

/** Read by public/sw.js, because service workers cannot read local storage. */
const DISGUISE_CACHE = "face";
const DISGUISE_FILE = "/face.json";

export function applyDisguise(disguise: DeviceDisguise | null): void {
  const brand = pageBrand();
  const icon = `/icons/${disguise?.id ?? brand.id}-192.png`;
  const set = (selector: string, name: string, value: string) =>
    document.querySelector(selector)?.setAttribute(name, value);
  for (const rel of ["icon", "apple-touch-icon"]) set(`link[rel="${rel}"]`, "href", icon);
  const manifest = disguise ? disguiseManifestPath(disguise.id, currentLocale()) : "/manifest.webmanifest";
  set('link[rel="manifest"]', "href", manifest);
  set('meta[name="apple-mobile-web-app-title"]', "content", disguise?.name ?? brand.name);
  set('meta[name="description"]', "content", disguise ? "" : brand.tagline.en);
  document.title = disguise?.name ?? brand.name;
  // first-paint.ts reads this and keeps the title on every screen.
  if (disguise) document.documentElement.dataset.name = disguise.name;
  else delete document.documentElement.dataset.name;
}

/** Rejects if notifications could not be changed. */
export async function chooseDisguise(disguise: DeviceDisguise | null): Promise<void> {
  writeDeviceValue(DISGUISE, disguise);
  applyDisguise(disguise);
  if (!("caches" in window)) return;
  if (disguise) await disguiseNotifications(disguise);
  else await withDeadline(DATABASE_WAIT_MS, () => caches.delete(DISGUISE_CACHE));
}

/** Each page stores the disguise again if an earlier one could not, or in another language. */
export async function restoreDisguise(): Promise<void> {
  // Without a known disguise nothing is deleted: local storage may be what cannot be read.
  const disguise = readDeviceValue(DISGUISE);
  if (disguise && "caches" in window) await disguiseNotifications(disguise);
}

async function disguiseNotifications(disguise: DeviceDisguise): Promise<void> {
  const notification = {
    title: disguise.name,
    body: DISGUISES[disguise.id].notificationText[currentLocale()],
    icon: `/icons/${disguise.id}-192.png`,
  };
  await withDeadline(DATABASE_WAIT_MS, async () => {
    const cache = await caches.open(DISGUISE_CACHE);
    const text = JSON.stringify(notification);
    if ((await (await cache.match(DISGUISE_FILE))?.text()) === text) return;
    await cache.put(DISGUISE_FILE, new Response(text));
  });
}

/** The disguise of the lock page and the notes. Without a chosen one both use the notes disguise, because one may follow the other. */
export function neutralDisguise(): DeviceDisguise {
  return readDeviceValue(DISGUISE) ?? { id: "notes", name: DISGUISES.notes.name[currentLocale()] };
}
