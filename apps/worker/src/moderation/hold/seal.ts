/**
 * Encrypts legal holds. Each hold has its own keys, derived from HOLD_KEY and the hold's salt: neither a copy of the
 * bucket and the database nor any other secret of the site opens one.
 */
import type { LegalHoldRow } from "../../platform/db/tables.ts";
import { parseVersions } from "../../platform/keys.ts";

const FORMAT = 1;
const IV_BYTES = 12;
const HEADER_BYTES = 1 + IV_BYTES;

/** The fields that a hold's keys are derived from and its objects are bound to. */
export type SealedHold = Pick<LegalHoldRow, "hold_ref" | "key_version" | "salt">;

/** The versions of HOLD_KEY. Keep an old one until the last hold sealed under it is erased. */
export const parseHoldKeys = (text: string): ReadonlyMap<number, string> => parseVersions("HOLD_KEY", text);

/** The key version under which new holds are sealed. */
export function newestHoldKey(text: string): number {
  const [version] = parseHoldKeys(text).keys();
  if (version === undefined) throw new Error("HOLD_KEY is missing");
  return version;
}

/** Encrypts bytes of a hold. The name is authenticated, so that an object moved to another name does not open. */
export async function seal(secret: string, hold: SealedHold, mac: string, bytes: Uint8Array): Promise<Uint8Array> {
  const { encrypt } = await deriveKeys(secret, hold);
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const sealed = await crypto.subtle.encrypt(algorithm(hold, mac, iv), encrypt, copyOf(bytes));
  const object = new Uint8Array(HEADER_BYTES + sealed.byteLength);
  object[0] = FORMAT;
  object.set(iv, 1);
  object.set(new Uint8Array(sealed), HEADER_BYTES);
  return object;
}

/** Throws if the object belongs to another hold, was changed, or its key version is missing. */
export async function unseal(secret: string, hold: SealedHold, mac: string, object: ArrayBuffer): Promise<Uint8Array> {
  const bytes = new Uint8Array(object);
  if (bytes[0] !== FORMAT) throw new Error(`unknown format of a held object: ${bytes[0]}`);
  const { encrypt } = await deriveKeys(secret, hold);
  const iv = bytes.slice(1, HEADER_BYTES);
  return new Uint8Array(await crypto.subtle.decrypt(algorithm(hold, mac, iv), encrypt, bytes.slice(HEADER_BYTES)));
}

/** Names a hold's object by a keyed hash of its bytes: stable within the hold, and impossible to guess. */
export async function computeMac(secret: string, hold: SealedHold, bytes: Uint8Array): Promise<string> {
  const { name } = await deriveKeys(secret, hold);
  return Buffer.from(await crypto.subtle.sign("HMAC", name, copyOf(bytes))).toString("hex");
}

function algorithm({ hold_ref }: SealedHold, mac: string, iv: Uint8Array<ArrayBuffer>) {
  return { name: "AES-GCM", iv, additionalData: new TextEncoder().encode(`${hold_ref}/${mac}`) };
}

async function deriveKeys(secret: string, { key_version, salt }: SealedHold) {
  const key = parseHoldKeys(secret).get(key_version);
  if (key === undefined) throw new Error(`HOLD_KEY has no version ${key_version}`);
  const { subtle } = crypto;
  const encoder = new TextEncoder();
  const base = await subtle.importKey("raw", encoder.encode(key), "HKDF", false, ["deriveBits"]);
  const derive = (info: string) =>
    subtle.deriveBits(
      { name: "HKDF", hash: "SHA-256", salt: encoder.encode(salt), info: encoder.encode(info) },
      base,
      256,
    );
  return {
    encrypt: await subtle.importKey("raw", await derive("legal hold"), "AES-GCM", false, ["encrypt", "decrypt"]),
    name: await subtle.importKey("raw", await derive("legal hold names"), { name: "HMAC", hash: "SHA-256" }, false, [
      "sign",
    ]),
  };
}

const copyOf = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);
