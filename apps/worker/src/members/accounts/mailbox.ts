/** Providers that ignore dots before the @, by the name under which their mailboxes are counted. */
const DOTLESS = new Map([
  ["gmail.com", "gmail.com"],
  ["googlemail.com", "gmail.com"],
]);

/**
 * The mailbox that an address reaches, for caps: the many spellings of one (capitals, look-alike widths, plus tags, Gmail's dots, a
 * domain in its own letters or in punycode) count as one. Never where mail is sent.
 */
export function mailboxOf(email: string): string {
  const plain = email.normalize("NFKC").toLowerCase();
  const at = plain.lastIndexOf("@");
  const written = plain.slice(at + 1).replace(/\.$/, "");
  const ascii = URL.canParse(`http://${written}`) ? new URL(`http://${written}`).hostname : written;
  const domain = DOTLESS.get(ascii) ?? ascii;
  const name = plain.slice(0, at).replace(/(?<=.)\+.*$/, "");
  return `${DOTLESS.has(ascii) ? name.replaceAll(".", "") : name}@${domain}`;
}
