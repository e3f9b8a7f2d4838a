/** Puts a disguise on: title, icons and manifest of this document, and what the service worker shows of a push. */
import { DISGUISES, disguiseManifestPath } from "@lambda/contract/disguises";
import { currentLocale } from "../format/i18n.ts";
import { pageBrand } from "../format/site.ts";
import { readDevice, writeDevice } from "./device-storage.ts";
import { DISGUISE, type Face } from "./disguise.ts";

/** Where public/sw.js looks: it reads no local storage. */
const FACE_CACHE = "face";
const FACE_FILE = "/face.json";

/** How the document looks from outside; null: as the brand. */
export function showFace(face: Face | null): void {
  const brand = pageBrand();
  const icon = `/icons/${face?.id ?? brand.id}-192.png`;
  const set = (selector: string, name: string, value: string) =>
    document.querySelector(selector)?.setAttribute(name, value);
  for (const rel of ["icon", "apple-touch-icon"]) set(`link[rel="${rel}"]`, "href", icon);
  const manifest = face ? disguiseManifestPath(face.id, currentLocale()) : "/manifest.webmanifest";
  set('link[rel="manifest"]', "href", manifest);
  set('meta[name="apple-mobile-web-app-title"]', "content", face?.name ?? brand.name);
  set('meta[name="description"]', "content", face ? "" : brand.tagline.en);
  document.title = face?.name ?? brand.name;
  // Read by first-paint.ts, which keeps the title so on every screen.
  if (face) document.documentElement.dataset.name = face.name;
  else delete document.documentElement.dataset.name;
}

/** Chooses a disguise for this device, or none. */
export async function chooseDisguise(face: Face | null): Promise<void> {
  writeDevice(DISGUISE, face);
  showFace(face);
  if (!("caches" in window)) return;
  if (!face) {
    await caches.delete(FACE_CACHE);
    return;
  }
  const shown = {
    title: face.name,
    body: DISGUISES[face.id].news[currentLocale()],
    icon: `/icons/${face.id}-192.png`,
  };
  const cache = await caches.open(FACE_CACHE);
  await cache.put(FACE_FILE, new Response(JSON.stringify(shown)));
}

/** What a locked page and the notes look like from outside where no disguise was chosen: the same, as one may follow the other. */
export function neutralFace(): Face {
  return readDevice(DISGUISE) ?? { id: "notes", name: DISGUISES.notes.name[currentLocale()] };
}
