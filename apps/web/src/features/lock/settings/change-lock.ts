/** Turning the lock on and off, and changing it. Whatever changes it asks for the PIN again: an unlocked phone is not enough. */
import { readDevice, writeDevice } from "../../../device/device-storage.ts";
import { LOCK, type LockAfter } from "../../../device/lock-record.ts";
import { toBase64Url } from "../bytes.ts";
import { startGuard } from "../guard.ts";
import { sealAll, unsealAll } from "../sealing.ts";
import { fillSlot, isDigits, makeLock, openSlot, ownContent, secondContent } from "../slots.ts";
import { confirmPin, removeLock } from "../unlock.ts";

export type ChangeOutcome = "done" | "wrongPin" | "samePin" | "erased";

export async function turnOn(pin: string, after: LockAfter): Promise<void> {
  const { record, key } = await makeLock(pin, after);
  await sealAll(key);
  writeDevice(LOCK, record);
  startGuard();
}

export async function turnOff(current: string): Promise<ChangeOutcome> {
  return withPin(current, async () => {
    await unsealAll();
    removeLock();
    return "done";
  });
}

/** The key under which everything lies stays; its slot is written anew. */
export async function changePin(current: string, next: string): Promise<ChangeOutcome> {
  return withPin(current, async ({ index, key }) => {
    const record = readDevice(LOCK);
    if (!record) return "erased";
    // The second PIN stretches by the same salt, so it stays as it is; only it must not be the same.
    const taken = await openSlot(record, next);
    if (taken && taken.index !== index) return "samePin";
    const changed = await fillSlot(record, index, next, ownContent(key));
    // Once a phrase, the keyboard stays whole: the second PIN may be one.
    writeDevice(LOCK, { ...changed, digits: record.digits && isDigits(next) });
    return "done";
  });
}

/** @param register tells the server what this PIN will say; when it throws, nothing changes here */
export async function setSecondPin(
  { current, second, hours, note }: { current: string; second: string; hours: number; note: string },
  register: (tokenHash: string, hours: number) => Promise<unknown>,
): Promise<ChangeOutcome> {
  return withPin(current, async ({ index }) => {
    const record = readDevice(LOCK);
    if (!record) return "erased";
    if ((await openSlot(record, second))?.index === index) return "samePin";
    const content = secondContent(hours, note);
    await register(await hashOf(content.token), hours);
    writeDevice(LOCK, await fillSlot(record, index === 0 ? 1 : 0, second, content));
    return "done";
  });
}

export function setLockAfter(after: LockAfter): void {
  const record = readDevice(LOCK);
  if (record) writeDevice(LOCK, { ...record, after });
}

type Slot = Exclude<Awaited<ReturnType<typeof confirmPin>>, string>;

async function withPin(current: string, change: (slot: Slot) => Promise<ChangeOutcome>): Promise<ChangeOutcome> {
  const slot = await confirmPin(current);
  if (slot === "wrong") return "wrongPin";
  return slot === "erased" ? "erased" : change(slot);
}

/** Of the token as it travels: base64url. */
async function hashOf(token: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(toBase64Url(token)));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
