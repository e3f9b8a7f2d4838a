/** SHA-256 and random bytes as lower-case hexadecimal text. */

export async function sha256(text: string): Promise<string> {
  return Buffer.from(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))).toString("hex");
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** A table, because each request needs one and the runtime's Buffer takes several times as long. */
export function randomHex(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => HEX[byte]).join("");
}

/**
 * An id that tells its holder nothing about other rows. Consecutive ids of reports would tell a member whether somebody else filed one in
 * the meantime.
 */
export const randomId = (): number => Number.parseInt(randomHex(6), 16) + 1;
