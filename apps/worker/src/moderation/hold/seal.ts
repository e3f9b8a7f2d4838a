/**
 * The encryption of legal holds. Each has keys of its own, derived from HOLD_KEY and its salt: copies of the bucket and of the
 * database open none, and no other secret of the site does.
 */
import type { LegalHoldRow } from "../../platform/db/tables.ts";

const FORMAT = 1;
const IV_BYTES = 12;
const HEADER_BYTES = 1 + IV_BYTES;

/** What a hold's keys are derived from, and what its objects are bound to. */
export type SealedHold = Pick<LegalHoldRow, "hold_ref" | "key_version" | "salt">;

interface HoldKeys {
  readonly encrypt: CryptoKey;
  readonly name: CryptoKey;
}

/**
 * HOLD_KEY as its versions, the newest first: "2:new secret,1:old secret". One without a number is version 1. An old key stays
 * until the last hold under it was erased.
 */
export function parseHoldKeys(text: string): ReadonlyMap<number, string> {
  const keys = new Map<number, string>();
  for (const part of text.split(",").map((key) => key.trim())) {
    const [, number = "1", secret = ""] = /^(?:(\d{1,6}):)?(.*)$/.exec(part) ?? [];
    if (secret === "" || keys.has(Number(number)))
      throw new Error("HOLD_KEY: a key is empty, or a version is there twice");
    keys.set(Number(number), secret);
  }
  return keys;
}

/** The version that new holds are sealed under. */
export function newestHoldKey(text: string): number {
  const [version] = parseHoldKeys(text).keys();
  if (version === undefined) throw new Error("HOLD_KEY is missing");
  return version;
}

/** Encrypts what a hold keeps. The result says nothing of its name: an object that was put in another's place does not open. */
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

/** Throws for an object that is not this hold's, was changed, or whose key is gone. */
export async function unseal(secret: string, hold: SealedHold, mac: string, object: ArrayBuffer): Promise<Uint8Array> {
  const bytes = new Uint8Array(object);
  if (bytes[0] !== FORMAT) throw new Error(`unknown format of a held object: ${bytes[0]}`);
  const { encrypt } = await deriveKeys(secret, hold);
  const iv = bytes.slice(1, HEADER_BYTES);
  return new Uint8Array(await crypto.subtle.decrypt(algorithm(hold, mac, iv), encrypt, bytes.slice(HEADER_BYTES)));
}

/** The name of what a hold keeps: the same bytes have the same one within a hold, and nobody can guess it. */
export async function macOf(secret: string, hold: SealedHold, bytes: Uint8Array): Promise<string> {
  const { name } = await deriveKeys(secret, hold);
  const mac = new Uint8Array(await crypto.subtle.sign("HMAC", name, copyOf(bytes)));
  return Array.from(mac, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function algorithm({ hold_ref }: SealedHold, mac: string, iv: Uint8Array<ArrayBuffer>) {
  return { name: "AES-GCM", iv, additionalData: new TextEncoder().encode(`${hold_ref}/${mac}`) };
}

async function deriveKeys(secret: string, { key_version, salt }: SealedHold): Promise<HoldKeys> {
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

function copyOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
