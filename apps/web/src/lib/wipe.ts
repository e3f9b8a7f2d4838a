import { clearDevice } from "./device-storage.ts";
import { queryClient } from "./query-client.ts";

const wipers = new Set<() => void | Promise<void>>();

/** A feature that keeps member data on the device (drafts, outbox) says here how to forget it. */
export function onWipe(wiper: () => void | Promise<void>): void {
  wipers.add(wiper);
}

/** Forgets the session and what was read with it, but keeps the device's own choices (theme, language, NSFW). */
export function wipeMember(): void {
  for (const name of ["logged_in"]) expireCookie(name);
  queryClient.clear();
  try {
    localStorage.removeItem("query-cache");
  } catch {
    // Nothing could be stored, so nothing is left.
  }
}

/** Logout: all cookies that a script can reach, local and session storage, databases, and every feature's own keeping. */
export async function wipeDevice(): Promise<void> {
  for (const cookie of document.cookie.split(";")) expireCookie(cookie.split("=")[0]?.trim() ?? "");
  wipeMember();
  clearDevice();
  await Promise.all([...wipers].map((wiper) => wiper()));
  const databases = (await indexedDB.databases?.().catch(() => [])) ?? [];
  for (const { name } of databases) if (name) indexedDB.deleteDatabase(name);
}

function expireCookie(name: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in older browsers and works later, not now
  if (name) document.cookie = `${name}=; Path=/; Max-Age=0; Secure; SameSite=Lax`;
}
