/** Message authentication codes (HMAC-SHA-256), and the comparison of secrets. */
import { createHmac, timingSafeEqual } from "node:crypto";

export function hmacSha256(key: string, ...parts: readonly (string | Uint8Array)[]): Buffer {
  const mac = createHmac("sha256", key);
  for (const part of parts) mac.update(part);
  return mac.digest();
}

/** Uses the position key with a label for each purpose, so that a MAC for one purpose is invalid for any other. */
export function labeledMac(
  { POSITION_KEY }: { readonly POSITION_KEY: string },
  label: string,
  ...parts: readonly (string | Uint8Array)[]
): Buffer {
  if (!POSITION_KEY) throw new Error("POSITION_KEY is not set");
  return hmacSha256(`${label}:${POSITION_KEY}`, ...parts);
}

export function isEqualInConstantTime(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
