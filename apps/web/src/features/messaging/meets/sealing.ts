/**
 * The cryptography of plans. One 256-bit secret, which exists only in the link's fragment, derives the encryption keys,
 * the reader's token and the salt of the PINs, so the server can neither read a plan nor guess its PINs.
 */
import { MEET_PIN_ITERATIONS } from "@lambda/contract/limits";
import { fromBase64Url, toBase64Url } from "../../../device/base64.ts";

const ID_CHARS = 22;
const SECRET_BYTES = 32;
const IV_BYTES = 12;
const encoder = new TextEncoder();

export interface PlanLink {
  readonly id: string;
  readonly secret: string;
}

export type SealedKind = "plan" | "position";

const randomText = (bytes: number) => toBase64Url(crypto.getRandomValues(new Uint8Array(bytes)));

/** The server accepts no other id for this device's token. */
export const makeLink = async (owner: string): Promise<PlanLink> => ({
  id: (await hashPlanToken(owner)).slice(0, ID_CHARS),
  secret: randomText(SECRET_BYTES),
});
export const makeToken = (): string => randomText(SECRET_BYTES);

/** Hashes a token the way the server does. */
export async function hashPlanToken(token: string): Promise<string> {
  return toBase64Url(new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(token))));
}

/** The token that proves possession of the whole link. */
export const readerToken = async (link: PlanLink): Promise<string> => toBase64Url(await deriveBytes(link, "reader"));

/** Slow by design: PINs are few, so a thief of the link and the server's hashes must pay for each guess. */
export async function pinToken(link: PlanLink, pin: string): Promise<string> {
  const base = await crypto.subtle.importKey("raw", encoder.encode(pin), "PBKDF2", false, ["deriveBits"]);
  const salt = await deriveBytes(link, "pin");
  const bits = await crypto.subtle.deriveBits(
    { name: "PBKDF2", hash: "SHA-256", salt, iterations: MEET_PIN_ITERATIONS },
    base,
    SECRET_BYTES * 8,
  );
  return toBase64Url(new Uint8Array(bits));
}

/** Encrypts a value padded to exactly `size` bytes, so that its length reveals nothing. Throws a RangeError if it is longer. */
export async function seal(link: PlanLink, kind: SealedKind, value: object, size: number): Promise<string> {
  const text = encoder.encode(JSON.stringify(value));
  if (text.byteLength > size) throw new RangeError("too long to be sealed");
  // JSON.parse ignores trailing spaces.
  const padded = new Uint8Array(size).fill(0x20);
  padded.set(text);
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const sealed = await crypto.subtle.encrypt(algorithm(link, kind, iv), await deriveKey(link, kind, "encrypt"), padded);
  const output = new Uint8Array(IV_BYTES + sealed.byteLength);
  output.set(iv);
  output.set(new Uint8Array(sealed), IV_BYTES);
  return toBase64Url(output);
}

/** Throws if the text was sealed with another link or modified. */
export async function unseal<Value>(link: PlanLink, kind: SealedKind, text: string): Promise<Value> {
  const bytes = fromBase64Url(text);
  const params = algorithm(link, kind, bytes.slice(0, IV_BYTES));
  const opened = await crypto.subtle.decrypt(params, await deriveKey(link, kind, "decrypt"), bytes.slice(IV_BYTES));
  return JSON.parse(new TextDecoder().decode(opened)) as Value;
}

function algorithm({ id }: PlanLink, kind: SealedKind, iv: Uint8Array<ArrayBuffer>) {
  return { name: "AES-GCM", iv, additionalData: encoder.encode(`${kind}:${id}`) };
}

async function deriveKey(link: PlanLink, kind: SealedKind, use: "encrypt" | "decrypt"): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", await deriveBytes(link, kind), "AES-GCM", false, [use]);
}

async function deriveBytes({ id, secret }: PlanLink, info: string): Promise<Uint8Array<ArrayBuffer>> {
  const base = await crypto.subtle.importKey("raw", fromBase64Url(secret), "HKDF", false, ["deriveBits"]);
  const params = { name: "HKDF", hash: "SHA-256", salt: encoder.encode(id), info: encoder.encode(`safe-meet ${info}`) };
  return new Uint8Array(await crypto.subtle.deriveBits(params, base, SECRET_BYTES * 8));
}
