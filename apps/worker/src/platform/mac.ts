/** Message authentication codes (HMAC-SHA-256), and the comparison of secrets. */
import { createHmac, timingSafeEqual } from "node:crypto";

export function hmacSha256(key: string | Buffer, ...parts: readonly (string | Uint8Array)[]): Buffer {
  const mac = createHmac("sha256", key);
  for (const part of parts) mac.update(part);
  return mac.digest();
}

export function isEqualInConstantTime(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
