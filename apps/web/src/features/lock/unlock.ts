/** What a PIN does: opens the device, turns it into a page of notes, or is wrong, and after ten of those nothing is left. */
import { clearAllLocalData } from "../../device/clear-local-data.ts";
import { DATABASES } from "../../device/databases.ts";
import { type DeviceKey, readDevice, writeDevice } from "../../device/device-storage.ts";
import { LOCK, type LockRecord, NOTES } from "../../device/lock-record.ts";
import { toBase64Url } from "./bytes.ts";
import { openVault } from "./sealing.ts";
import { type OpenedSlot, openSlot } from "./slots.ts";
import { writeEntries } from "./stored.ts";
import { tellUnlocked } from "./tell-server.ts";

const WRONG_PINS_MAX = 10;
const HOUR_MS = 3_600_000;

export type Outcome =
  | { readonly is: "opened" }
  | { readonly is: "notes" }
  | { readonly is: "erased" }
  | { readonly is: "wrong"; readonly left: number };

/** The look of the page: it tells nothing, and one that changed its colours would. */
const LOOK = ["theme", "locale", "disguise"];

/** Tries a PIN. Counted on the disk before it is tried, one after the other in all tabs, so that closing the page takes nothing back. */
export function tryPin(pin: string): Promise<Outcome> {
  return oneByOne(async () => {
    const record = readRecord();
    if (!record || record.erased) return { is: "erased" };
    writeDevice(LOCK, { ...record, wrong: record.wrong + 1 });
    const slot = await openSlot(record, pin);
    if (!slot) {
      const left = WRONG_PINS_MAX - record.wrong - 1;
      if (left > 0) return { is: "wrong", left };
      await erase(record);
      return { is: "erased" };
    }
    // First, and for both PINs alike: whatever follows may be cut short by who holds the device.
    const told = tellUnlocked(slot.token);
    if (slot.kind === "second") {
      becomeNotes(slot, told);
      return { is: "notes" };
    }
    writeDevice(LOCK, { ...record, wrong: 0 });
    await openVault(slot.key);
    return { is: "opened" };
  });
}

/** Tries the PIN of a member who is in already and changes something of the lock. Counts like any other. */
export function confirmPin(pin: string): Promise<OpenedSlot | "wrong" | "erased"> {
  return oneByOne(async () => {
    const record = readRecord();
    if (!record) return "erased";
    writeDevice(LOCK, { ...record, wrong: record.wrong + 1 });
    const slot = await openSlot(record, pin);
    if (slot?.kind === "own") {
      writeDevice(LOCK, { ...record, wrong: 0 });
      return slot;
    }
    if (record.wrong + 1 < WRONG_PINS_MAX) return "wrong";
    await erase(record);
    return "erased";
  });
}

/** As another tab may have left it. */
function readRecord(): LockRecord | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(LOCK.name) ?? "null");
    return LOCK.accepts(stored) ? stored : null;
  } catch {
    return readDevice(LOCK);
  }
}

function oneByOne<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  return navigator.locks ? (navigator.locks.request("pin", work) as Promise<Answer>) : work();
}

async function erase(record: LockRecord): Promise<void> {
  await clearAllLocalData();
  // Until the server has heard of it, the session's cookie is good; no script can take it away.
  writeDevice(LOCK, { ...record, erased: true, wrong: WRONG_PINS_MAX });
}

/** From here on this device holds a page of notes and nothing else. */
function becomeNotes({ hours, note, token }: OpenedSlot, told: Promise<void>): void {
  wipeInSilence();
  const at = Date.now();
  const notes = note === "" ? [] : [{ id: crypto.randomUUID(), text: note, at }];
  const until = at + hours * HOUR_MS;
  writeDevice(NOTES, { notes, until, sync: toBase64Url(token) });
  void told.then(synced);
}

/** As a logout, but without a request to anybody: who watches the network is to see nothing. */
function wipeInSilence(): void {
  sessionStorage.clear();
  forget(LOCK);
  for (const name of Object.keys(localStorage)) if (!LOOK.includes(name)) localStorage.removeItem(name);
  for (const database of DATABASES) void writeEntries(database, [], true).catch(() => undefined);
  void closeNotifications().catch(() => undefined);
}

async function closeNotifications(): Promise<ServiceWorkerRegistration | undefined> {
  const registration = await navigator.serviceWorker?.getRegistration();
  for (const notification of (await registration?.getNotifications()) ?? []) notification.close();
  return registration;
}

/** The browser's push service hears of the end at the next visit: at once, it would tell which PIN it was. */
export async function endPush(): Promise<void> {
  const registration = await closeNotifications();
  await (await registration?.pushManager?.getSubscription())?.unsubscribe();
}

/** The server has been told: nothing of it stays. Not before, since the request would be shorter than that of the other PIN by a cookie. */
export function synced(): void {
  forgetCookies();
  const record = readDevice(NOTES);
  if (record) writeDevice(NOTES, { notes: record.notes, until: record.until });
}

/** The lock is off, or all is erased and the session ended: nothing of it stays. */
export const removeLock = (): void => forget(LOCK);

/** The lock-down is over: the address leads to the site again. */
export function removeNotes(): void {
  forgetCookies();
  forget(NOTES);
}

function forgetCookies(): void {
  for (const cookie of document.cookie.split(";")) {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in older browsers and works later, not now
    document.cookie = `${cookie.split("=")[0]?.trim() ?? ""}=; Path=/; Max-Age=0; Secure; SameSite=Lax`;
  }
}

function forget(key: DeviceKey<unknown>): void {
  writeDevice(key, null);
  localStorage.removeItem(key.name);
}
