/**
 * The cells of a member's places as they are stored: encrypted, for the member alone, and always of the same length, so
 * that a copy of the database reveals neither where they were nor how many places they have.
 */
import { isCell } from "@lambda/geo/grid";
import { RESTING_CELLS_MAX, type RestingCell } from "@lambda/geo/lattice";
import type { Env } from "../../platform/env.ts";

/** A cell as a double, its number of days, and the last of them. */
const ENTRY_BYTES = 8 + 1 + 4;
const LIST_BYTES = RESTING_CELLS_MAX * ENTRY_BYTES;
const IV_BYTES = 12;

export type MemoryKeys = Pick<Env, "POSITION_KEY" | "PREVIOUS_POSITION_KEY">;

interface SealingKeys {
  readonly encrypt: CryptoKey;
  readonly nonce: CryptoKey;
}

const keys = new Map<string, Promise<SealingKeys>>();

async function deriveKeys(secret: string): Promise<SealingKeys> {
  const { subtle } = crypto;
  const encoder = new TextEncoder();
  const base = await subtle.importKey("raw", encoder.encode(secret), "HKDF", false, ["deriveBits"]);
  const derive = (info: string) =>
    subtle.deriveBits({ name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: encoder.encode(info) }, base, 256);
  return {
    encrypt: await subtle.importKey("raw", await derive("place memory"), "AES-GCM", false, ["encrypt", "decrypt"]),
    nonce: await subtle.importKey("raw", await derive("place memory nonce"), { name: "HMAC", hash: "SHA-256" }, false, [
      "sign",
    ]),
  };
}

function keysOf(secret: string): Promise<SealingKeys> {
  const known = keys.get(secret) ?? deriveKeys(secret);
  keys.set(secret, known);
  return known;
}

function encode(remembered: readonly RestingCell[]): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(LIST_BYTES));
  for (const [index, { cell, days, lastDay }] of remembered.slice(0, RESTING_CELLS_MAX).entries()) {
    const offset = index * ENTRY_BYTES;
    view.setFloat64(offset, cell);
    view.setUint8(offset + 8, days);
    view.setUint32(offset + 9, lastDay);
  }
  return new Uint8Array(view.buffer);
}

/** Entries without days are padding. */
function decode(buffer: ArrayBuffer): RestingCell[] {
  const view = new DataView(buffer);
  return Array.from({ length: RESTING_CELLS_MAX }, (_, index) => {
    const offset = index * ENTRY_BYTES;
    return { cell: view.getFloat64(offset), days: view.getUint8(offset + 8), lastDay: view.getUint32(offset + 9) };
  }).flatMap(({ cell, ...rest }) => (rest.days > 0 && isCell(cell) ? [{ cell, ...rest }] : []));
}

const ownerOf = (profileId: number) => new TextEncoder().encode(`${profileId}`);

export async function encryptRestingCells(
  { POSITION_KEY }: MemoryKeys,
  profileId: number,
  remembered: readonly RestingCell[],
): Promise<Uint8Array> {
  const { encrypt, nonce } = await keysOf(POSITION_KEY);
  const plain = encode(remembered);
  const owner = ownerOf(profileId);
  // Derived from the list: no nonce serves two lists, and the stored bytes depend on the cells alone, which proofs rely
  // on.
  const nonceInput = new Uint8Array(owner.length + 1 + plain.length);
  nonceInput.set(owner);
  nonceInput.set(plain, owner.length + 1);
  const iv = new Uint8Array(await crypto.subtle.sign("HMAC", nonce, nonceInput)).slice(0, IV_BYTES);
  const cipher = await crypto.subtle.encrypt({ name: "AES-GCM", iv, additionalData: owner }, encrypt, plain);
  const encrypted = new Uint8Array(IV_BYTES + cipher.byteLength);
  encrypted.set(iv);
  encrypted.set(new Uint8Array(cipher), IV_BYTES);
  return encrypted;
}

/** Returns no cells for a list of an unknown key or another member: their places are then chosen again. */
export async function decryptRestingCells(
  { POSITION_KEY, PREVIOUS_POSITION_KEY }: MemoryKeys,
  profileId: number,
  encrypted: ArrayLike<number> | null,
): Promise<RestingCell[]> {
  if (!encrypted) return [];
  const bytes = Uint8Array.from(encrypted);
  const algorithm = { name: "AES-GCM", iv: bytes.slice(0, IV_BYTES), additionalData: ownerOf(profileId) };
  for (const secret of [POSITION_KEY, PREVIOUS_POSITION_KEY]) {
    if (!secret) continue;
    const { encrypt } = await keysOf(secret);
    const plain = await crypto.subtle.decrypt(algorithm, encrypt, bytes.slice(IV_BYTES)).catch(() => undefined);
    if (plain) return decode(plain);
  }
  return [];
}
