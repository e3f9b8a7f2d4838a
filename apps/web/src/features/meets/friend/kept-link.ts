/** The link as this browser keeps it: out of the address bar, in the tab alone, and on the device only for who asked to be woken. */
import { type FriendLocale, readFragment } from "../plan-text.ts";
import type { PlanLink } from "../sealing.ts";

export interface KeptLink extends PlanLink {
  readonly locale: FriendLocale | undefined;
}

const nameOf = (id: string) => `meet:${id}`;

/** Takes the key out of the address, so that neither the history nor a look at the screen gives it away. */
export function takeLink(): KeptLink | undefined {
  const id = location.pathname.split("/")[2] ?? "";
  const found = readFragment(location.hash);
  if (found) {
    history.replaceState(null, "", location.pathname);
    write(sessionStorageOrNone(), nameOf(id), found);
    return { id, ...found };
  }
  const kept = read(sessionStorageOrNone(), nameOf(id)) ?? read(localStorageOrNone(), nameOf(id));
  return kept && { id, ...kept };
}

export function keepOnDevice({ id, secret, locale }: KeptLink): void {
  write(localStorageOrNone(), nameOf(id), { secret, locale });
}

export function forgetLink({ id }: PlanLink): void {
  for (const storage of [sessionStorageOrNone(), localStorageOrNone()]) storage?.removeItem(nameOf(id));
}

type Kept = Omit<KeptLink, "id">;

function write(storage: Storage | undefined, name: string, { secret, locale }: Kept): void {
  try {
    storage?.setItem(name, `#${secret}${locale ? `.${locale}` : ""}`);
  } catch {
    // The tab then knows it as long as it is not loaded again.
  }
}

const read = (storage: Storage | undefined, name: string) => readFragment(storage?.getItem(name) ?? "");

/** Merely naming a storage throws where a browser forbids it. */
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
