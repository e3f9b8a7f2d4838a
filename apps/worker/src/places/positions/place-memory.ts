/**
 * The cells of a member's places as they are stored: encrypted, for the member alone, and always of one length, so that a copy of
 * the database tells neither where they were nor how many places they have.
 */
import { isCell } from "@lambda/geo/grid";
import { RESTING_CELLS_MAX, type RestingCell } from "@lambda/geo/lattice";

/** A cell as a double, its days, and the last of them. */
const ENTRY_BYTES = 8 + 1 + 4;
const LIST_BYTES = RESTING_CELLS_MAX * ENTRY_BYTES;
const IV_BYTES = 12;

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
    const at = index * ENTRY_BYTES;
    view.setFloat64(at, cell);
    view.setUint8(at + 8, days);
    view.setUint32(at + 9, lastDay);
  }
  return new Uint8Array(view.buffer);
}

/** An entry without days is none. */
function decode(buffer: ArrayBuffer): RestingCell[] {
  const view = new DataView(buffer);
  return Array.from({ length: RESTING_CELLS_MAX }, (_, index) => {
    const at = index * ENTRY_BYTES;
    return { cell: view.getFloat64(at), days: view.getUint8(at + 8), lastDay: view.getUint32(at + 9) };
  }).flatMap(({ cell, ...rest }) => (rest.days > 0 && isCell(cell) ? [{ cell, ...rest }] : []));
}

const ownerOf = (profileId: number) => new TextEncoder().encode(`${profileId}`);

export async function sealPlaces(
  secret: string,
  profileId: number,
  remembered: readonly RestingCell[],
): Promise<Uint8Array> {
  const { encrypt, nonce } = await keysOf(secret);
  const plain = encode(remembered);
  const owner = ownerOf(profileId);
  // From the list itself: no nonce ever serves two lists, and what is stored depends on the cells alone, so that it can be proven.
  const named = new Uint8Array(owner.length + 1 + plain.length);
  named.set(owner);
  named.set(plain, owner.length + 1);
  const iv = new Uint8Array(await crypto.subtle.sign("HMAC", nonce, named)).slice(0, IV_BYTES);
  const cipher = await crypto.subtle.encrypt({ name: "AES-GCM", iv, additionalData: owner }, encrypt, plain);
  const sealed = new Uint8Array(IV_BYTES + cipher.byteLength);
  sealed.set(iv);
  sealed.set(new Uint8Array(cipher), IV_BYTES);
  return sealed;
}

/** What was sealed for this member. A list of another key or another member counts as none: their places are then chosen anew. */
export async function openPlaces(
  secret: string,
  profileId: number,
  sealed: ArrayLike<number> | null,
): Promise<RestingCell[]> {
  if (!sealed) return [];
  const bytes = Uint8Array.from(sealed);
  const { encrypt } = await keysOf(secret);
  const algorithm = { name: "AES-GCM", iv: bytes.slice(0, IV_BYTES), additionalData: ownerOf(profileId) };
  try {
    return decode(await crypto.subtle.decrypt(algorithm, encrypt, bytes.slice(IV_BYTES)));
  } catch {
    return [];
  }
}
