/**
 * What a plan is encrypted and asked for with. One secret of 256 bits, which stands in the link's fragment alone, makes the keys, the
 * token that shows the link, and the salt under which PINs are stretched: a server that keeps the rest can neither read nor guess.
 */
import { MEET_PIN_ROUNDS } from "@lambda/contract/limits";

const ID_BYTES = 16;
const SECRET_BYTES = 32;
const IV_BYTES = 12;
const encoder = new TextEncoder();

/** What a link carries. */
export interface PlanLink {
  readonly id: string;
  readonly secret: string;
}

export type SealedKind = "plan" | "position";

const randomText = (bytes: number) => toBase64Url(crypto.getRandomValues(new Uint8Array(bytes)));

export const makeLink = (): PlanLink => ({ id: randomText(ID_BYTES), secret: randomText(SECRET_BYTES) });
export const makeToken = (): string => randomText(SECRET_BYTES);

/** As the server hashes a token. */
export async function hashToken(token: string): Promise<string> {
  return toBase64Url(new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(token))));
}

/** Shows that one has the whole link. */
export async function readerToken(link: PlanLink): Promise<string> {
  return toBase64Url(await deriveBytes(link, "reader"));
}

/** Stretched, so that whoever has the link and the server's hashes has to work for each of the few PINs there are. */
export async function pinToken(link: PlanLink, pin: string): Promise<string> {
  const base = await crypto.subtle.importKey("raw", encoder.encode(pin), "PBKDF2", false, ["deriveBits"]);
  const salt = await deriveBytes(link, "pin");
  const bits = await crypto.subtle.deriveBits(
    { name: "PBKDF2", hash: "SHA-256", salt, iterations: MEET_PIN_ROUNDS },
    base,
    SECRET_BYTES * 8,
  );
  return toBase64Url(new Uint8Array(bits));
}

/** Encrypts a value as exactly `size` bytes and what AES-GCM adds. Throws a RangeError for one that does not fit. */
export async function seal(link: PlanLink, kind: SealedKind, value: object, size: number): Promise<string> {
  const text = encoder.encode(JSON.stringify(value));
  if (text.byteLength > size) throw new RangeError("too long to be sealed");
  // Blanks behind JSON change nothing of what is read.
  const filled = new Uint8Array(size).fill(0x20);
  filled.set(text);
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const sealed = await crypto.subtle.encrypt(algorithm(link, kind, iv), await keyOf(link, kind, "encrypt"), filled);
  const whole = new Uint8Array(IV_BYTES + sealed.byteLength);
  whole.set(iv);
  whole.set(new Uint8Array(sealed), IV_BYTES);
  return toBase64Url(whole);
}

/** Throws for what another link sealed, and for what was changed. */
export async function unseal<Value>(link: PlanLink, kind: SealedKind, text: string): Promise<Value> {
  const bytes = fromBase64Url(text);
  const how = algorithm(link, kind, bytes.slice(0, IV_BYTES));
  const opened = await crypto.subtle.decrypt(how, await keyOf(link, kind, "decrypt"), bytes.slice(IV_BYTES));
  return JSON.parse(new TextDecoder().decode(opened)) as Value;
}

function algorithm({ id }: PlanLink, kind: SealedKind, iv: Uint8Array<ArrayBuffer>) {
  return { name: "AES-GCM", iv, additionalData: encoder.encode(`${kind}:${id}`) };
}

async function keyOf(link: PlanLink, kind: SealedKind, use: "encrypt" | "decrypt"): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", await deriveBytes(link, kind), "AES-GCM", false, [use]);
}

async function deriveBytes({ id, secret }: PlanLink, info: string): Promise<Uint8Array<ArrayBuffer>> {
  const base = await crypto.subtle.importKey("raw", fromBase64Url(secret), "HKDF", false, ["deriveBits"]);
  const how = { name: "HKDF", hash: "SHA-256", salt: encoder.encode(id), info: encoder.encode(`safe-meet ${info}`) };
  return new Uint8Array(await crypto.subtle.deriveBits(how, base, SECRET_BYTES * 8));
}

function toBase64Url(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
}
