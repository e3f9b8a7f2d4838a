import type { Bytes } from "../../../device/sealer.ts";

export const randomBytes = (length: number): Bytes => crypto.getRandomValues(new Uint8Array(length));

const IV_BYTES = 12;

/** Encrypts with AES-GCM. The result starts with a fresh IV. */
export async function encrypt(key: CryptoKey, plain: Bytes): Promise<Bytes> {
  const iv = randomBytes(IV_BYTES);
  const sealed = new Uint8Array(await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, plain));
  const output = new Uint8Array(IV_BYTES + sealed.length);
  output.set(iv);
  output.set(sealed, IV_BYTES);
  return output;
}

/** Throws for a wrong key or modified bytes. */
export async function decrypt(key: CryptoKey, sealed: Bytes): Promise<Bytes> {
  const iv = sealed.subarray(0, IV_BYTES);
  return new Uint8Array(await crypto.subtle.decrypt({ name: "AES-GCM", iv }, key, sealed.subarray(IV_BYTES)));
}
