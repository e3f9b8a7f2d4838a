/** The way into a receipt, out of a mail or an answer: `/notice/REF#secret.code`. */
export function receiptIn(text: string): { ref: string; secret: string; code?: string } {
  const match = /\/notice\/(\w{10})#([\w-]{43})(?:\.([\w-]{43}))?/.exec(text);
  if (!match) throw new Error(`no receipt in ${text}`);
  const [, ref = "", secret = "", code] = match;
  return { ref, secret, ...(code !== undefined && { code }) };
}
