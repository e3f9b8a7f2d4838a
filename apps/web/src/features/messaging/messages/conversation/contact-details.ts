/** Detects links and phone numbers in messages from strangers, a common scam, so that the reader can be warned. */
import { asDigits, asSeen } from "@lambda/contract/typed";

/** Any domain with a path or a port, and those of common ends without one. */
const LINK =
  /(?:https?:\/\/|www\.)\S|[\p{L}\p{N}]\.\p{L}{2,}(?::\d|\/[\p{L}\p{N}])|(?:^|[^\p{L}\p{N}])[\p{L}\p{N}-]+\.(?:com|net|org|info|me|io|ly|app|co|eu|us|uk|de|es|fr|it|nl|pt|mx|ar|cl|br|tv|gg|to|be|link|site|online|chat|page|xyz|ru|рф|ch|ca|au|jp|cn|dev|club|shop|top|vip|click)(?![\p{L}\p{N}])/iu;
const NUMBER = /\+?\d(?:[\s().\-/]{0,3}\d){7,14}/g;
const DATE = /^(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}-\d{1,2}-\d{1,2})/;

export interface ContactDetails {
  readonly link: boolean;
  readonly number: boolean;
}

/** A number counts as a phone number with at least eight digits, unless it looks like a date. */
export function findContactDetails(text: string): ContactDetails {
  // Digits may be drawn as keys.
  const seen = asDigits(asSeen(text.normalize("NFKC"))).replaceAll("\u20E3", "");
  const numbers = seen.match(NUMBER) ?? [];
  return { link: LINK.test(seen), number: numbers.some((number) => !DATE.test(number)) };
}
