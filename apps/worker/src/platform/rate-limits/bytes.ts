/** The size of a text in UTF-8, as the database stores it. */
export const bytesOf = (text: string): number => new TextEncoder().encode(text).length;
