/** Turns the lock on and off, and changes it. Changes need the PIN again, so that an unlocked phone is not enough. */

import { toBase64Url } from "../../../../device/base64.ts";
import { readDeviceValue, writeDeviceValue } from "../../../../device/device-storage.ts";
import { LOCK, type LockAfter } from "../../../../device/lock-record.ts";
import { sha256 } from "../../../../device/sha256.ts";
import { startAutoLock } from "../auto-lock.ts";
import { hideAddresses } from "../hide-addresses.ts";
import { lockStore, openGate, releaseStore } from "../lock-store.ts";
import { lockSession, releaseSession } from "../session-lock.ts";
import { createOwnContent, createSecondContent, fillSlot, isDigitsOnly, makeLock, openSlot } from "../slots.ts";
import { confirmPin, removeLock } from "../unlock.ts";

export type ChangeOutcome = "done" | "wrongPin" | "samePin" | "tooManyDevices" | "erased";

export async function turnOn(pin: string, after: LockAfter): Promise<void> {
  const { record, key } = await makeLock(pin, after);
  await openGate();
  await lockSession(key, () =>
    lockStore(key, () => {
      writeDeviceValue(LOCK, record);
      startAutoLock();
    }),
  );
  await hideAddresses();
}

export async function turnOff(current: string): Promise<ChangeOutcome> {
  return withPin(current, async ({ key }) => {
    await releaseStore();
    await releaseSession(key, removeLock);
    return "done";
  });
}

/** Writes the same encryption key into a new slot, so that no data has to be encrypted again. */
export async function changePin(current: string, next: string): Promise<ChangeOutcome> {
  return withPin(current, async ({ index, key }) => {
    const record = readDeviceValue(LOCK);
    if (!record) return "erased";
    // The second PIN uses the same salt, so it stays valid. The new PIN only must not equal it.
    const existing = await openSlot(record, next);
    if (existing && existing.index !== index) return "samePin";
    const changed = await fillSlot(record, index, next, createOwnContent(key));
    // Once the PIN was a phrase, the full keyboard stays: the second PIN may be a phrase too.
    writeDeviceValue(LOCK, { ...changed, digits: record.digits && isDigitsOnly(next) });
    return "done";
  });
}

/** @param register registers the PIN's token with the server; if it throws, nothing changes on this device */
export async function setSecondPin(
  { current, second, hours, note }: { current: string; second: string; hours: number; note: string },
  register: (tokenHash: string, hours: number) => Promise<unknown>,
): Promise<ChangeOutcome> {
  return withPin(current, async ({ index }) => {
    const record = readDeviceValue(LOCK);
    if (!record) return "erased";
    if ((await openSlot(record, second))?.index === index) return "samePin";
    const content = createSecondContent(hours, note);
    // In the form in which it is sent.
    await register(await sha256(toBase64Url(content.token)), hours);
    writeDeviceValue(LOCK, await fillSlot(record, index === 0 ? 1 : 0, second, content));
    return "done";
  });
}

export function setLockAfter(after: LockAfter): void {
  const record = readDeviceValue(LOCK);
  if (record) writeDeviceValue(LOCK, { ...record, after });
}

type Slot = Exclude<Awaited<ReturnType<typeof confirmPin>>, string>;

async function withPin(current: string, change: (slot: Slot) => Promise<ChangeOutcome>): Promise<ChangeOutcome> {
  const slot = await confirmPin(current);
  if (slot === "wrong") return "wrongPin";
  return slot === "erased" ? "erased" : change(slot);
}
