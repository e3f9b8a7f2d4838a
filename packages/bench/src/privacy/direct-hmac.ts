/**
 * Replaces WebCrypto's HMAC with a synchronous one that produces the same bytes, because waiting for Node's thread pool would dominate
 * the run time of the attacks.
 */
import { createHmac } from "node:crypto";

const secrets = new WeakMap<CryptoKey, { readonly hash: string; readonly bytes: Uint8Array }>();

export function signDirectly(): void {
  const { subtle } = globalThis.crypto;
  const [importKey, sign] = [subtle.importKey.bind(subtle), subtle.sign.bind(subtle)];
  subtle.importKey = (async (...args: Parameters<SubtleCrypto["importKey"]>) => {
    const key = await importKey(...args);
    const { name, hash } = key.algorithm as HmacKeyAlgorithm;
    if (name === "HMAC")
      secrets.set(key, { hash: hash.name.replace("-", ""), bytes: args[1] as unknown as Uint8Array });
    return key;
  }) as SubtleCrypto["importKey"];
  subtle.sign = async (algorithm, key, data) => {
    const secret = secrets.get(key);
    if (!secret) return sign(algorithm, key, data);
    const { buffer, byteOffset, byteLength } = createHmac(secret.hash, secret.bytes)
      .update(data as Uint8Array)
      .digest();
    return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
  };
}
