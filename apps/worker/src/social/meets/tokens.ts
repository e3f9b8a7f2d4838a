/** The server keeps hashes of tokens, never a token: what is stored opens nothing. */

const encoder = new TextEncoder();

/** SHA-256 as base64url, the way the maker's device hashes its tokens. */
export async function hashToken(token: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(token)));
  return btoa(String.fromCharCode(...digest))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** In a time that tells nothing of where two hashes differ. */
export function areSame(one: string, other: string): boolean {
  const [a, b] = [encoder.encode(one), encoder.encode(other)];
  return a.byteLength === b.byteLength && crypto.subtle.timingSafeEqual(a, b);
}
