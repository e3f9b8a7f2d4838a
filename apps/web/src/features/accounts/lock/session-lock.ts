/**
 * The session of a locked device: the server answers it only with a second secret, a cookie that exists while the device is unlocked.
 * The secret follows from the key that the PIN unwraps, so that it is stored nowhere else.
 */
import { UNLOCKED_COOKIE } from "@lambda/contract/headers";
import { DAY_MS } from "@lambda/contract/limits";
import { toBase64Url } from "../../../device/base64.ts";
import { hasUnlockedSecret, writeCookie } from "../../../device/cookies.ts";
import { readDeviceValue } from "../../../device/device-storage.ts";
import { LOCK } from "../../../device/lock-record.ts";
import { hideUnlockedSecret } from "../../../device/locked-tabs.ts";
import type { Bytes } from "../../../device/sealer.ts";
import { withTabLock } from "../../../device/with-tab-lock.ts";
import { setSessionLock } from "./server-calls.ts";

/** How long the secret outlasts the browser while it is unknown whether the server has turned the lock on or off. */
const UNSETTLED_S = (30 * DAY_MS) / 1000;

async function deriveSecret(key: Bytes): Promise<string> {
  const base = await crypto.subtle.importKey("raw", key, "HKDF", false, ["deriveBits"]);
  const info = new TextEncoder().encode("session");
  const hkdf = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info };
  return toBase64Url(new Uint8Array(await crypto.subtle.deriveBits(hkdf, base, 256)));
}

/**
 * Locks the session, and then the device: only what the server has confirmed is called a lock.
 *
 * @param lockDevice stores the record of the lock
 */
export async function lockSession(key: Bytes, lockDevice: () => Promise<void>): Promise<void> {
  const secret = await deriveSecret(key);
  await withTabLock("session-lock", async () => {
    writeCookie(UNLOCKED_COOKIE, secret, UNSETTLED_S);
    try {
      await setSessionLock(true);
      await lockDevice();
    } catch (error) {
      if (readDeviceValue(LOCK) === null) await settle();
      throw error;
    }
    writeCookie(UNLOCKED_COOKIE, secret);
  });
}

/** Shows the secret after the first PIN. Locks the session again, in case that an earlier lock or login could not. */
export async function unlockSession(key: Bytes): Promise<void> {
  writeCookie(UNLOCKED_COOKIE, await deriveSecret(key));
  void setSessionLock(true).catch(() => undefined);
}

/** Ends the lock of the device, and then that of its session: at once, or when the site is opened again. */
export async function releaseSession(key: Bytes, releaseDevice: () => void): Promise<void> {
  const secret = await deriveSecret(key);
  await withTabLock("session-lock", async () => {
    releaseDevice();
    writeCookie(UNLOCKED_COOKIE, secret, UNSETTLED_S);
    await settle();
  });
}

/** Ends the lock of the session on a device without a lock, which was interrupted or had no network when it was turned on or off. */
export function settleSession(): Promise<void> {
  return withTabLock("session-lock", async () => {
    if (readDeviceValue(LOCK) === null && hasUnlockedSecret()) await settle();
  });
}

/** Keeps the secret unless the server has confirmed it, since the session may need it. */
async function settle(): Promise<void> {
  await setSessionLock(false).then(hideUnlockedSecret, () => undefined);
}
