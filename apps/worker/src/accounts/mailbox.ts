import { canonicalAddress } from "@lambda/contract/typed";

/** Providers that ignore dots before the @, with the domain under which their mailboxes are counted. */
const DOTLESS = new Map([
  ["gmail.com", "gmail.com"],
  ["googlemail.com", "gmail.com"],
]);

/**
 * Identifies the mailbox that an address reaches, so that its many spellings (capitals, full-width letters, plus tags,
 * Gmail's dots, a Unicode or punycode domain) count as one. Mail is never sent to the result.
 */
export function mailboxOf(email: string): string {
  // A Turkish keyboard writes İ for a capital i, and lowercases it to i with a combining dot.
  const plain = canonicalAddress(
    email
      .normalize("NFKC")
      .toLowerCase()
      .replace(/i\u0307/g, "i"),
  );
  const at = plain.lastIndexOf("@");
  const ascii = plain.slice(at + 1);
  const domain = DOTLESS.get(ascii) ?? ascii;
  const name = plain.slice(0, at).replace(/(?<=.)\+.*$/, "");
  return `${DOTLESS.has(ascii) ? name.replaceAll(".", "") : name}@${domain}`;
}
