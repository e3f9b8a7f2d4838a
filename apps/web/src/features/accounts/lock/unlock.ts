/** Checks PINs: the first opens the device, the second turns it into a page of notes, and ten wrong ones erase everything. */
import { HOUR_MS } from "@lambda/contract/limits";
import { toBase64Url } from "../../../device/base64.ts";
import { clearAllLocalData, clearDatabase } from "../../../device/clear-local-data.ts";
import { expireCookies } from "../../../device/cookies.ts";
import { DATABASES } from "../../../device/databases.ts";
import { readDeviceValue, writeDeviceValue } from "../../../device/device-storage.ts";
import { LOCK, type LockRecord, NOTES } from "../../../device/lock-record.ts";
import { hideUnlockedSecret } from "../../../device/locked-tabs.ts";
import { GATE } from "../../../device/vault.ts";
import { PUSH_WAIT_MS, WORKER_WAIT_MS, withDeadline } from "../../../device/with-deadline.ts";
import { withTabLock } from "../../../device/with-tab-lock.ts";
import { openGate, openLockedStore, removeGate } from "./lock-store.ts";
import { reportUnlock } from "./server-calls.ts";
import { unlockSession } from "./session-lock.ts";
import { type OpenedSlot, openSlot } from "./slots.ts";

const WRONG_PINS_MAX = 10;
/** The report of a PIN must leave without the cookie that only the first PIN sets. */
const REPORT_WAIT_MS = 1500;
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export type UnlockResult =
  | { readonly type: "opened" }
  | { readonly type: "notes" }
  | { readonly type: "erased" }
  | { readonly type: "wrong"; readonly triesLeft: number };

/** Kept when the rest is erased: a page that suddenly looked different would give the second PIN away. */
const KEPT_NAMES = ["theme", "locale", "disguise", GATE];

/** Tries a PIN. The try is counted on disk first, one at a time across tabs, so that closing the page does not undo it. */
export function tryPin(pin: string): Promise<UnlockResult> {
  return withTabLock("pin", async () => {
    const record = await readRecord();
    if (!record || record.erased) return { type: "erased" };
    writeDeviceValue(LOCK, { ...record, wrong: record.wrong + 1 });
    const slot = await openSlot(record, pin);
    if (!slot) {
      const triesLeft = WRONG_PINS_MAX - record.wrong - 1;
      if (triesLeft > 0) return { type: "wrong", triesLeft };
      await erase(record);
      return { type: "erased" };
    }
    if (slot.kind === "second") {
      switchToNotes(slot);
      return { type: "notes" };
    }
    // For both PINs, because whoever watches the network must not tell them apart.
    const reported = reportUnlock(slot.token);
    writeDeviceValue(LOCK, { ...record, wrong: 0 });
    await Promise.all([openLockedStore(slot.key), Promise.race([reported, wait(REPORT_WAIT_MS)])]);
    await unlockSession(slot.key);
    return { type: "opened" };
  });
}

/** Checks the first PIN again before a change to the lock. Wrong tries count as on the locked page. */
export function confirmPin(pin: string): Promise<OpenedSlot | "wrong" | "erased"> {
  return withTabLock("pin", async () => {
    const record = await readRecord();
    if (!record) return "erased";
    writeDeviceValue(LOCK, { ...record, wrong: record.wrong + 1 });
    const slot = await openSlot(record, pin);
    if (slot?.kind === "own") {
      writeDeviceValue(LOCK, { ...record, wrong: 0 });
      return slot;
    }
    if (record.wrong + 1 < WRONG_PINS_MAX) return "wrong";
    await erase(record);
    return "erased";
  });
}

/** Reads the record from storage, since another tab may have changed it. */
async function readRecord(): Promise<LockRecord | null> {
  await openGate().catch(() => undefined);
  return readDeviceValue(LOCK);
}

async function erase(record: LockRecord): Promise<void> {
  // A friend's plan too: what is erased so is no longer in the hands of whoever kept its link.
  await clearAllLocalData((name) => name === "disguise");
  // The session cookie stays valid until the server ends the session, since scripts cannot delete it.
  writeDeviceValue(LOCK, { ...record, erased: true, wrong: WRONG_PINS_MAX });
}

/** Turns this device into a page of notes and erases everything else, beginning with what opens the session. */
function switchToNotes({ hours, note, token }: OpenedSlot): void {
  hideUnlockedSecret();
  const at = Date.now();
  const notes = note === "" ? [] : [{ id: crypto.randomUUID(), text: note, at }];
  // In the place of the lock, whose slots are gone with it.
  writeDeviceValue(NOTES, { notes, until: at + hours * HOUR_MS, sync: toBase64Url(token) });
  // Before the rest is erased, because whoever holds the device may interrupt that.
  const reported = reportUnlock(token);
  eraseSilently();
  void reported.then(onUnlockReported);
}

/** Like a logout, but without any request that somebody watching the network could see. */
function eraseSilently(): void {
  sessionStorage.clear();
  for (const name of Object.keys(localStorage)) if (!KEPT_NAMES.includes(name)) localStorage.removeItem(name);
  for (const database of DATABASES) void clearDatabase(database).catch(() => undefined);
  void closeNotifications().catch(() => undefined);
}

async function closeNotifications(): Promise<ServiceWorkerRegistration | undefined> {
  const { serviceWorker } = navigator;
  const registration = await withDeadline(WORKER_WAIT_MS, async () => serviceWorker?.getRegistration());
  const shown = await withDeadline(WORKER_WAIT_MS, async () => registration?.getNotifications());
  for (const notification of shown ?? []) notification.close();
  return registration;
}

/** Ends the push subscription. Called on the next visit, because doing so at once would reveal which PIN was entered. */
export async function unsubscribePush(): Promise<void> {
  const registration = await closeNotifications();
  const subscription = await withDeadline(WORKER_WAIT_MS, async () => registration?.pushManager?.getSubscription());
  await withDeadline(PUSH_WAIT_MS, async () => subscription?.unsubscribe());
}

/**
 * Removes the token and the cookies once the server has accepted the report. Without its cookies the request would
 * differ from that of the first PIN.
 */
export function onUnlockReported(): void {
  expireCookies();
  const record = readDeviceValue(NOTES);
  if (record) writeDeviceValue(NOTES, { notes: record.notes, until: record.until });
}

/** Removes the lock after it was turned off, or after everything was erased and the session ended. */
export const removeLock = removeGate;

/** Ends the page of notes after the lock-down, so that the address leads to the site again. */
export function removeNotes(): void {
  expireCookies();
  removeGate();
}
