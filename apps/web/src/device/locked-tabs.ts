import { UNLOCKED_COOKIE } from "@lambda/contract/headers";
import { expireCookie } from "./cookies.ts";

/** The tabs of this device tell each other here that one of them locked it. One for each document: none hears itself. */
let lockedTabs: BroadcastChannel | undefined;
export function openLockedTabs(): BroadcastChannel | undefined {
  if ("BroadcastChannel" in globalThis) lockedTabs ??= new BroadcastChannel("locked");
  return lockedTabs;
}

export function hideUnlockedSecret(): void {
  expireCookie(UNLOCKED_COOKIE);
  openLockedTabs()?.postMessage(null);
}
