/** Bytes of a text as the database stores it. */
export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
