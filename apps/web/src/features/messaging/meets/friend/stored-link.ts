/** Stores the plan's link in this browser: in the tab only, or on the device if the friend asked to be notified. */
import { type FriendLocale, parseFragment } from "../plan-text.ts";
import type { PlanLink } from "../sealing.ts";

export interface StoredLink extends PlanLink {
  readonly locale: FriendLocale | undefined;
}

const storageKey = (id: string) => `meet:${id}`;

/** Reads the link from the address bar, or from storage after a reload. Removes the secret from the address bar and the history. */
export function loadLink(): StoredLink | undefined {
  const id = location.pathname.split("/")[2] ?? "";
  const addressLink = parseFragment(location.hash);
  if (addressLink) {
    history.replaceState(null, "", location.pathname);
    write(sessionStorageOrNone(), storageKey(id), addressLink);
    return { id, ...addressLink };
  }
  const stored = read(sessionStorageOrNone(), storageKey(id)) ?? read(localStorageOrNone(), storageKey(id));
  return stored && { id, ...stored };
}

/** Returns whether the link outlives the tab. */
export function storeLinkOnDevice({ id, secret, locale }: StoredLink): boolean {
  write(localStorageOrNone(), storageKey(id), { secret, locale });
  return read(localStorageOrNone(), storageKey(id)) !== undefined;
}

export function forgetLink({ id }: PlanLink): void {
  for (const storage of [sessionStorageOrNone(), localStorageOrNone()]) storage?.removeItem(storageKey(id));
}

type LinkValue = Omit<StoredLink, "id">;

function write(storage: Storage | undefined, name: string, { secret, locale }: LinkValue): void {
  try {
    storage?.setItem(name, `#${secret}${locale ? `.${locale}` : ""}`);
  } catch {
    // Without storage, the link is lost when the tab reloads.
  }
}

const read = (storage: Storage | undefined, name: string) => parseFragment(storage?.getItem(name) ?? "");

/** Accessing `sessionStorage` throws if the browser forbids storage. */
function sessionStorageOrNone(): Storage | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}

function localStorageOrNone(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}
