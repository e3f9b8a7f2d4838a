/** Finds the link to a receipt in a mail or a response, `/notice/REF#secret.code`, and returns its parts. */
export function parseReceiptLink(text: string): { ref: string; secret: string; code?: string } {
  const match = /\/notice\/(\w{10}(?:-\d)?)#([\w-]{43})(?:\.([\w-]{43}))?/.exec(text);
  if (!match) throw new Error(`no receipt link in ${text}`);
  const [, ref = "", secret = "", code] = match;
  return { ref, secret, ...(code !== undefined && { code }) };
}
