/** The size of a text in UTF-8, as the database stores it. */
export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
