/** 256 random bits in base64url, for session tokens and one-time codes. */
export const newToken = (): string => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");

/** The form in which a token is stored. Tokens have full entropy, so a plain hash suffices. */
export async function hashToken(token: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token)));
}
