/**
 * The two slots of an app lock. A PIN is stretched once and tried on both, whatever they hold: opening, failing, the first PIN and the
 * second take the same work. A slot that no PIN opens is random bytes.
 */
import type { LockAfter, LockRecord } from "../../device/lock-record.ts";
import { type Bytes, decrypt, encrypt, fromBase64, randomBytes, toBase64 } from "./bytes.ts";

/** At least what OWASP asks for PBKDF2 with SHA-256; a device that is quicker does as many as it can in this time. */
const ROUNDS_MIN = 600_000;
const ROUNDS_MAX = 4_000_000;
const STRETCH_MS = 700;
const MEASURED_ROUNDS = 200_000;

const KEY_BYTES = 32;
const TOKEN_BYTES = 32;
/** What a slot holds, always as much: kind, hours, key, token, length of the note, the note, filled up. */
const CONTENT_BYTES = 640;
const NOTE_AT = 3 + KEY_BYTES + TOKEN_BYTES + 2;
export const NOTE_MAX_BYTES = CONTENT_BYTES - NOTE_AT;
/** The number in front and the tag behind. */
const SLOT_BYTES = CONTENT_BYTES + 12 + 16;

export interface SlotContent {
  readonly kind: "own" | "second";
  /** Opens what this device keeps; of a second PIN it opens nothing. */
  readonly key: Bytes;
  /** What the server is told after the PIN. Of the first PIN it means nothing to anybody. */
  readonly token: Bytes;
  /** How long logins are refused after a second PIN. */
  readonly hours: number;
  /** What stands in the notes at first. */
  readonly note: string;
}

export interface OpenedSlot extends SlotContent {
  readonly index: 0 | 1;
}

export const ownContent = (key: Bytes): SlotContent => ({
  kind: "own",
  key,
  token: randomBytes(TOKEN_BYTES),
  hours: 0,
  note: "",
});

export const secondContent = (hours: number, note: string): SlotContent => ({
  kind: "second",
  key: randomBytes(KEY_BYTES),
  token: randomBytes(TOKEN_BYTES),
  hours,
  note,
});

export async function makeLock(pin: string, after: LockAfter): Promise<{ record: LockRecord; key: Bytes }> {
  const key = randomBytes(KEY_BYTES);
  const salt = randomBytes(16);
  const rounds = await measureRounds();
  const index = (randomBytes(1)[0] ?? 0) & 1;
  const empty: LockRecord = {
    salt: toBase64(salt),
    rounds,
    slots: [toBase64(randomBytes(SLOT_BYTES)), toBase64(randomBytes(SLOT_BYTES))],
    wrong: 0,
    after,
    digits: isDigits(pin),
  };
  return { record: await fillSlot(empty, index as 0 | 1, pin, ownContent(key)), key };
}

export const isDigits = (pin: string) => /^\d+$/.test(pin);

/** The record with one slot written for a PIN. */
export async function fillSlot(
  record: LockRecord,
  index: 0 | 1,
  pin: string,
  content: SlotContent,
): Promise<LockRecord> {
  const slot = toBase64(await encrypt((await slotKeys(record, pin))[index], write(content)));
  return { ...record, slots: index === 0 ? [slot, record.slots[1]] : [record.slots[0], slot] };
}

/** Undefined for a PIN that opens neither. */
export async function openSlot(record: LockRecord, pin: string): Promise<OpenedSlot | undefined> {
  const keys = await slotKeys(record, pin);
  const opened = await Promise.all(
    ([0, 1] as const).map((index) =>
      decrypt(keys[index], fromBase64(record.slots[index])).then(
        (bytes): OpenedSlot => ({ index, ...read(bytes) }),
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

/** As many rounds as take this device the wished time. */
async function measureRounds(): Promise<number> {
  const began = performance.now();
  await stretch("measured", randomBytes(16), MEASURED_ROUNDS);
  const took = Math.max(1, performance.now() - began);
  const rounds = Math.round((MEASURED_ROUNDS * STRETCH_MS) / took / 10_000) * 10_000;
  return Math.min(ROUNDS_MAX, Math.max(ROUNDS_MIN, rounds));
}

function write({ kind, hours, key, token, note }: SlotContent): Bytes {
  const bytes = randomBytes(CONTENT_BYTES);
  const text = new TextEncoder().encode(note).subarray(0, NOTE_MAX_BYTES);
  const view = new DataView(bytes.buffer);
  bytes[0] = kind === "own" ? 1 : 2;
  view.setUint16(1, hours);
  bytes.set(key, 3);
  bytes.set(token, 3 + KEY_BYTES);
  view.setUint16(NOTE_AT - 2, text.length);
  bytes.set(text, NOTE_AT);
  return bytes;
}

function read(bytes: Bytes): SlotContent {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return {
    kind: bytes[0] === 1 ? "own" : "second",
    hours: view.getUint16(1),
    key: bytes.slice(3, 3 + KEY_BYTES),
    token: bytes.slice(3 + KEY_BYTES, NOTE_AT - 2),
    note: new TextDecoder().decode(bytes.subarray(NOTE_AT, NOTE_AT + view.getUint16(NOTE_AT - 2))),
  };
}
