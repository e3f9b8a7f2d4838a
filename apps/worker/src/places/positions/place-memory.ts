/**
 * The cells of a member's places as they are stored: encrypted, for the member alone, and always of the same length, so
 * that a copy of the database reveals neither where they were nor how many places they have.
 */
import { createHmac } from "node:crypto";
import { isCell } from "@lambda/geo/grid";
import { RESTING_CELLS_MAX, type RestingCell } from "@lambda/geo/lattice";
import { decryptWith, encryptWith, IV_BYTES } from "../../platform/encryption.ts";
import { derivedKeys, type Keys } from "../../platform/keys.ts";

/** A cell as a double, its number of days, and the last of them. */
const ENTRY_BYTES = 8 + 1 + 4;
const LIST_BYTES = RESTING_CELLS_MAX * ENTRY_BYTES;

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
function decode(bytes: Uint8Array): RestingCell[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: RESTING_CELLS_MAX }, (_, index) => {
    const offset = index * ENTRY_BYTES;
    return { cell: view.getFloat64(offset), days: view.getUint8(offset + 8), lastDay: view.getUint32(offset + 9) };
  }).flatMap(({ cell, ...rest }) => (rest.days > 0 && isCell(cell) ? [{ cell, ...rest }] : []));
}

export function encryptRestingCells(env: Keys, profileId: number, remembered: readonly RestingCell[]): Buffer {
  const [key] = derivedKeys(env, "place memory");
  const [nonceKey] = derivedKeys(env, "place memory nonce");
  const plain = encode(remembered);
  // Derived from the list: no nonce serves two lists, and the stored bytes depend on the cells alone, which proofs rely on.
  const iv = createHmac("sha256", nonceKey!).update(`${profileId}\0`).update(plain).digest().subarray(0, IV_BYTES);
  return encryptWith(key!, plain, { context: `${profileId}`, iv });
}

/** Returns no cells for a list of an unknown key or another member: their places are then chosen again. */
export function decryptRestingCells(env: Keys, profileId: number, encrypted: ArrayLike<number> | null): RestingCell[] {
  if (!encrypted) return [];
  try {
    const keys = derivedKeys(env, "place memory");
    return decode(decryptWith(keys, Uint8Array.from(encrypted), { context: `${profileId}` }));
  } catch {
    return [];
  }
}
