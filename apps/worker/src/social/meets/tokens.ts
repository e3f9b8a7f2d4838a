/** The server stores only hashes of tokens, so that stored data authorizes nothing. */

/** SHA-256 as base64url, like on the maker's device. */
export async function hashPlanToken(token: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
  return Buffer.from(digest).toString("base64url");
}
