/** SHA-256 and random bytes as lower-case hexadecimal text. */

export async function sha256(text: string): Promise<string> {
  return Buffer.from(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))).toString("hex");
}

export function randomHex(bytes: number): string {
  // `from` copies an array's items one by one, but not its buffer.
  return Buffer.from(crypto.getRandomValues(new Uint8Array(bytes)).buffer).toString("hex");
}
