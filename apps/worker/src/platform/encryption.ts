/**
 * Authenticated encryption (AES-256-GCM). Each purpose has a key of its own (keys.ts), whose id stands in front of what is encrypted
 * with it.
 */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { encryptionKeys, KEY_ID_BYTES, type Keys, type Purpose } from "./keys.ts";

const ALGORITHM = "aes-256-gcm";
export const IV_BYTES = 12;
const TAG_BYTES = 16;

interface Options {
  /** What the text belongs to: decryption fails in another context. */
  readonly context?: string;
  /** Must differ for each text of a purpose. Random by default. */
  readonly iv?: Uint8Array;
}

export function encrypt(env: Keys, purpose: Purpose, text: string | Uint8Array, options: Options = {}): Buffer {
  const { id, key } = encryptionKeys(env, purpose)[0]!;
  return Buffer.concat([id, encryptWith(key, text, options)]);
}

/**
 * Throws for bytes that were encrypted with no version of the key that this purpose recognizes, for another purpose or context, or that
 * changed since.
 */
export function decrypt(env: Keys, purpose: Purpose, encrypted: Uint8Array, options: Options = {}): Buffer {
  const keys = encryptionKeys(env, purpose);
  const named = keys.find(({ id }) => id.equals(encrypted.subarray(0, KEY_ID_BYTES)));
  if (named) return decryptWith([named.key], encrypted.subarray(KEY_ID_BYTES), options);
  // Bytes from before they named their key.
  return decryptWith(
    keys.map(({ key }) => key),
    encrypted,
    options,
  );
}

export function encryptWith(
  key: Buffer,
  text: string | Uint8Array,
  { context = "", iv = randomBytes(IV_BYTES) }: Options = {},
): Buffer {
  const cipher = createCipheriv(ALGORITHM, key, iv);
  cipher.setAAD(Buffer.from(context));
  // Workers reject text without an encoding.
  return Buffer.concat([iv, cipher.update(Buffer.from(text)), cipher.final(), cipher.getAuthTag()]);
}

/** Throws if none of the keys fits. */
export function decryptWith(keys: readonly Buffer[], encrypted: Uint8Array, { context = "" }: Options = {}): Buffer {
  const tagStart = encrypted.length - TAG_BYTES;
  if (tagStart < IV_BYTES) throw new Error("too short to be encrypted");
  const [key, ...others] = keys;
  if (!key) throw new Error("encrypted with another key");
  try {
    const decipher = createDecipheriv(ALGORITHM, key, encrypted.subarray(0, IV_BYTES));
    decipher.setAAD(Buffer.from(context));
    decipher.setAuthTag(encrypted.subarray(tagStart));
    return Buffer.concat([decipher.update(encrypted.subarray(IV_BYTES, tagStart)), decipher.final()]);
  } catch (error) {
    if (others.length === 0) throw error;
    return decryptWith(others, encrypted, { context });
  }
}
