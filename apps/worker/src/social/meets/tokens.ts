/** The server stores only hashes of tokens, so that stored data authorizes nothing. */

const encoder = new TextEncoder();

/** SHA-256 as base64url, like on the maker's device. */
export async function hashToken(token: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(token)));
  return btoa(String.fromCharCode(...digest))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** Compares in constant time. */
export function isSameHash(one: string, other: string): boolean {
  const [a, b] = [encoder.encode(one), encoder.encode(other)];
  return a.byteLength === b.byteLength && crypto.subtle.timingSafeEqual(a, b);
}
