/**
 * Encrypts legal holds. Each hold has its own keys, derived from HOLD_KEY and the hold's salt: neither a copy of the
 * bucket and the database nor any other secret of the site opens one.
 */
import { hkdfSync } from "node:crypto";
import type { LegalHoldRow } from "../../platform/db/tables.ts";
import { decryptWith, encryptWith } from "../../platform/encryption.ts";
import { parseVersions } from "../../platform/keys.ts";
import { hmacSha256 } from "../../platform/mac.ts";

const FORMAT = 1;

/** The fields that a hold's keys are derived from and its objects are bound to. */
type SealedHold = Pick<LegalHoldRow, "hold_ref" | "key_version" | "salt">;

/** The versions of HOLD_KEY. Keep an old one until the last hold sealed under it is erased. */
export const parseHoldKeys = (text: string): ReadonlyMap<number, string> => parseVersions("HOLD_KEY", text);

/** The key version under which new holds are sealed. */
export const newestHoldKey = (text: string): number => [...parseHoldKeys(text).keys()][0]!;

/** Encrypts bytes of a hold. The name is authenticated, so that an object moved to another name does not open. */
export function seal(secret: string, hold: SealedHold, mac: string, bytes: Uint8Array): Buffer {
  const key = deriveKey(secret, hold, "legal hold");
  return Buffer.concat([Buffer.of(FORMAT), encryptWith(key, bytes, { context: contextOf(hold, mac) })]);
}

/** Throws if the object belongs to another hold, was changed, or its key version is missing. */
export function unseal(secret: string, hold: SealedHold, mac: string, object: ArrayBuffer): Uint8Array {
  const bytes = new Uint8Array(object);
  if (bytes[0] !== FORMAT) throw new Error(`unknown format of a held object: ${bytes[0]}`);
  const key = deriveKey(secret, hold, "legal hold");
  return decryptWith([key], bytes.subarray(1), { context: contextOf(hold, mac) });
}

const contextOf = ({ hold_ref }: SealedHold, mac: string) => `${hold_ref}/${mac}`;

/** Names a hold's object by a keyed hash of its bytes: stable within the hold, and impossible to guess. */
export function computeMac(secret: string, hold: SealedHold, bytes: Uint8Array): string {
  return hmacSha256(deriveKey(secret, hold, "legal hold names"), bytes).toString("hex");
}

function deriveKey(secret: string, { key_version, salt }: SealedHold, purpose: string): Buffer {
  const key = parseHoldKeys(secret).get(key_version);
  if (key === undefined) throw new Error(`HOLD_KEY has no version ${key_version}`);
  return Buffer.from(hkdfSync("sha256", key, salt, purpose, 32));
}
