/** What a first message may lure with: found in its text, so that the reader can be told calmly. */

const LINK =
  /(?:https?:\/\/|www\.)\S|(?<![\p{L}\p{N}])[\p{L}\p{N}-]+\.(?:com|net|org|info|me|io|ly|app|co|eu|us|uk|de|es|fr|it|nl|pt|mx|ar|cl|br|tv|gg|to|be|link|site|online|chat|page|xyz)(?![\p{L}\p{N}])/iu;
const NUMBER = /\+?\d(?:[\s().\-/]{0,3}\d){7,14}/g;
const DATE = /^(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}-\d{1,2}-\d{1,2})/;

export interface Lures {
  readonly link: boolean;
  readonly number: boolean;
}

/** Whether a text holds a link or an address, and a phone number: eight digits or more that are no date. */
export function luresIn(text: string): Lures {
  const plain = text.normalize("NFKC");
  const numbers = plain.match(NUMBER) ?? [];
  return { link: LINK.test(plain), number: numbers.some((number) => !DATE.test(number)) };
}
