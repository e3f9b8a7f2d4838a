/**
 * The two slots of an app lock. A PIN is stretched once and tried on both, so that success, failure, the first and the
 * second PIN all take the same work. A slot without a PIN holds random bytes.
 */

import { asDigits, asSeen, foldSecret } from "@lambda/contract/typed";
import { fromBase64, toBase64 } from "../../../device/base64.ts";
import type { LockAfter, LockRecord } from "../../../device/lock-record.ts";
import type { Bytes } from "../../../device/sealer.ts";
import { decrypt, encrypt, randomBytes } from "./bytes.ts";

/** OWASP's minimum for PBKDF2 with SHA-256. Faster devices use as many rounds as they manage in STRETCH_MS. */
const ROUNDS_MIN = 600_000;
const ROUNDS_MAX = 4_000_000;
const STRETCH_MS = 700;
const MEASURED_ROUNDS = 200_000;

const KEY_BYTES = 32;
const TOKEN_BYTES = 32;
/** The fixed size of a slot's content: kind, hours, key, token, the note's length, the note, random padding. */
const CONTENT_BYTES = 640;
const NOTE_OFFSET = 3 + KEY_BYTES + TOKEN_BYTES + 2;
export const NOTE_MAX_BYTES = CONTENT_BYTES - NOTE_OFFSET;
/** Content plus the IV before it and the AES-GCM tag after it. */
const SLOT_BYTES = CONTENT_BYTES + 12 + 16;

export interface SlotContent {
  readonly kind: "own" | "second";
  /** Decrypts this device's data. The key of a second PIN decrypts nothing. */
  readonly key: Bytes;
  /** Sent to the server after a correct PIN. The token of the first PIN has no meaning there. */
  readonly token: Bytes;
  /** For how many hours logins are refused after a second PIN. */
  readonly hours: number;
  /** The first note on the page of notes. */
  readonly note: string;
}

export interface OpenedSlot extends SlotContent {
  readonly index: 0 | 1;
}

export const createOwnContent = (key: Bytes): SlotContent => ({
  kind: "own",
  key,
  token: randomBytes(TOKEN_BYTES),
  hours: 0,
  note: "",
});

export const createSecondContent = (hours: number, note: string): SlotContent => ({
  kind: "second",
  key: randomBytes(KEY_BYTES),
  token: randomBytes(TOKEN_BYTES),
  hours,
  note,
});

export async function makeLock(pin: string, after: LockAfter): Promise<{ record: LockRecord; key: Bytes }> {
  const key = randomBytes(KEY_BYTES);
  const salt = randomBytes(16);
  const rounds = await calibrateRounds();
  const index = (randomBytes(1)[0] ?? 0) & 1;
  const empty: LockRecord = {
    salt: toBase64(salt),
    rounds,
    slots: [toBase64(randomBytes(SLOT_BYTES)), toBase64(randomBytes(SLOT_BYTES))],
    wrong: 0,
    after,
    digits: isDigitsOnly(pin),
  };
  return { record: await fillSlot(empty, index as 0 | 1, pin, createOwnContent(key)), key };
}

/** A PIN of digits is the same in any script, a phrase on any keyboard. */
export function plainPin(pin: string): string {
  const digits = asDigits(asSeen(pin));
  return /^\d+$/.test(digits) ? digits : foldSecret(pin);
}

export const isDigitsOnly = (pin: string) => /^\d+$/.test(plainPin(pin));

export async function fillSlot(
  record: LockRecord,
  index: 0 | 1,
  pin: string,
  content: SlotContent,
): Promise<LockRecord> {
  const slot = toBase64(await encrypt((await slotKeys(record, plainPin(pin)))[index], encodeContent(content)));
  return { ...record, slots: index === 0 ? [slot, record.slots[1]] : [record.slots[0], slot] };
}

/** Undefined if the PIN opens neither slot. Earlier locks know PINs as they were typed. */
export async function openSlot(record: LockRecord, pin: string): Promise<OpenedSlot | undefined> {
  const plain = plainPin(pin);
  return (await tryPin(record, plain)) ?? (plain === pin ? undefined : tryPin(record, pin));
}

async function tryPin(record: LockRecord, pin: string): Promise<OpenedSlot | undefined> {
  const keys = await slotKeys(record, pin);
  const opened = await Promise.all(
    ([0, 1] as const).map((index) =>
      decrypt(keys[index], fromBase64(record.slots[index])).then(
        (bytes): OpenedSlot => ({ index, ...decodeContent(bytes) }),
        () => undefined,
      ),
    ),
  );
  return opened[0] ?? opened[1];
}

async function slotKeys({ salt, rounds }: LockRecord, pin: string): Promise<readonly [CryptoKey, CryptoKey]> {
  const stretched = await stretch(pin, fromBase64(salt), rounds);
  const base = await crypto.subtle.importKey("raw", stretched, "HKDF", false, ["deriveKey"]);
  const derive = (index: number) =>
    crypto.subtle.deriveKey(
      { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: new TextEncoder().encode(`slot ${index}`) },
      base,
      { name: "AES-GCM", length: 256 },
      false,
      ["encrypt", "decrypt"],
    );
  return Promise.all([derive(0), derive(1)]);
}

async function stretch(pin: string, salt: Bytes, iterations: number): Promise<ArrayBuffer> {
  const text = new TextEncoder().encode(pin.normalize("NFKC").trim());
  const key = await crypto.subtle.importKey("raw", text, "PBKDF2", false, ["deriveBits"]);
  return crypto.subtle.deriveBits({ name: "PBKDF2", hash: "SHA-256", salt, iterations }, key, 256);
}

async function calibrateRounds(): Promise<number> {
  const startedAt = performance.now();
  await stretch("measured", randomBytes(16), MEASURED_ROUNDS);
  const elapsed = Math.max(1, performance.now() - startedAt);
  const rounds = Math.round((MEASURED_ROUNDS * STRETCH_MS) / elapsed / 10_000) * 10_000;
  return Math.min(ROUNDS_MAX, Math.max(ROUNDS_MIN, rounds));
}

function encodeContent({ kind, hours, key, token, note }: SlotContent): Bytes {
  const bytes = randomBytes(CONTENT_BYTES);
  const text = new TextEncoder().encode(note).subarray(0, NOTE_MAX_BYTES);
  const view = new DataView(bytes.buffer);
  bytes[0] = kind === "own" ? 1 : 2;
  view.setUint16(1, hours);
  bytes.set(key, 3);
  bytes.set(token, 3 + KEY_BYTES);
  view.setUint16(NOTE_OFFSET - 2, text.length);
  bytes.set(text, NOTE_OFFSET);
  return bytes;
}

function decodeContent(bytes: Bytes): SlotContent {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return {
    kind: bytes[0] === 1 ? "own" : "second",
    hours: view.getUint16(1),
    key: bytes.slice(3, 3 + KEY_BYTES),
    token: bytes.slice(3 + KEY_BYTES, NOTE_OFFSET - 2),
    note: new TextDecoder().decode(bytes.subarray(NOTE_OFFSET, NOTE_OFFSET + view.getUint16(NOTE_OFFSET - 2))),
  };
}
