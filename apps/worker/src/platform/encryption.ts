/** Authenticated encryption (AES-256-GCM). Each purpose has a key of its own, derived from the position key and the purpose's label. */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

const ALGORITHM = "aes-256-gcm";
export const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The keys among the worker's bindings, spelled here because browser tests and the seed import this file without the platform's types. */
export interface Keys {
  readonly POSITION_KEY: string;
  readonly PREVIOUS_POSITION_KEY?: string;
}

interface Options {
  /** What the text belongs to: decryption fails in another context. */
  readonly context?: string;
  /** Must differ for each text of a label. Random by default. */
  readonly iv?: Uint8Array;
}

export function encrypt(
  env: Keys,
  label: string,
  text: string | Uint8Array,
  { context = "", iv = randomBytes(IV_BYTES) }: Options = {},
): Buffer {
  const cipher = createCipheriv(ALGORITHM, keyOf(env.POSITION_KEY, label), iv);
  cipher.setAAD(Buffer.from(context));
  // Workers reject text without an encoding.
  return Buffer.concat([iv, cipher.update(Buffer.from(text)), cipher.final(), cipher.getAuthTag()]);
}

/** Throws for bytes that were encrypted with neither the current nor the previous key, with another label or context, or changed since. */
export function decrypt(env: Keys, label: string, encrypted: Uint8Array, options: Options = {}): Buffer {
  try {
    return decryptWith(keyOf(env.POSITION_KEY, label), encrypted, options);
  } catch (error) {
    if (!env.PREVIOUS_POSITION_KEY) throw error;
    return decryptWith(keyOf(env.PREVIOUS_POSITION_KEY, label), encrypted, options);
  }
}

function decryptWith(key: Buffer, encrypted: Uint8Array, { context = "" }: Options): Buffer {
  const tagStart = encrypted.length - TAG_BYTES;
  if (tagStart < IV_BYTES) throw new Error("too short to be encrypted");
  const decipher = createDecipheriv(ALGORITHM, key, encrypted.subarray(0, IV_BYTES));
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(encrypted.subarray(tagStart));
  return Buffer.concat([decipher.update(encrypted.subarray(IV_BYTES, tagStart)), decipher.final()]);
}

function keyOf(secret: string, label: string): Buffer {
  if (!secret) throw new Error("POSITION_KEY is not set");
  return createHash("sha256").update(`${label}:${secret}`).digest();
}
