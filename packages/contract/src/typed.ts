/**
 * Reads what a person typed or pasted as they see it: what is invisible, full-width, in other digits or around it does not make it wrong.
 * Each function leaves its own result unchanged.
 */

/** Characters that show nothing. Direction overrides are not among them, because they change what is seen. */
const UNSEEN = /(?![\u202D\u202E])\p{Default_Ignorable_Code_Point}/gu;
/** Full-width forms of ASCII stand this far behind it. */
const WIDE = 0xfee0;

/** Removes invisible characters, turns every kind of space into one and wide letters into plain ones, and trims. */
export function asSeen(text: string): string {
  return text
    .replace(UNSEEN, "")
    .replace(/[！-～]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - WIDE))
    .replace(/[\s\u0085]+/g, " ")
    .trim();
}

/** Writes the digits of any script as 0 to 9. */
export function asDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => String(digitValue(digit.codePointAt(0) ?? 0)));
}

/** In every script the digits 0 to 9 follow each other, and runs of digits are made of whole tens. */
function digitValue(code: number): number {
  let start = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(start - 1))) start -= 1;
  return (code - start) % 10;
}

/** Removes the spaces and signs with which people group and end codes. */
export const asCode = (text: string): string => asDigits(asSeen(text)).replace(/[\s\p{P}<>\u2212`´]/gu, "");

/** The digits of what is typed into a field for digits, at most `max`. */
export const digitsIn = (text: string, max?: number): string => asCode(text).replace(/\D/g, "").slice(0, max);

/** The first character that is neither a digit nor a sign between digits; undefined if there is none. */
export function wrongDigitOf(text: string): string | undefined {
  return /\D/u.exec(asCode(text))?.[0];
}

const DAY = /^(\d{4}) ?[\p{Pd}\u2212./] ?(\d\d?) ?[\p{Pd}\u2212./] ?(\d\d?)$/u;

/** A day written with any digits, dashes, dots or slashes, as yyyy-mm-dd; other text as it is seen. */
export function asDay(text: string): string {
  const seen = asDigits(unwrap(asSeen(text)));
  const [, year, month = "", day = ""] = DAY.exec(seen) ?? [];
  return year === undefined ? seen : `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
}

/**
 * An email address without what often surrounds it: quotes, brackets, a name, "mailto:", a full stop or comma. Keeps its spelling for
 * sending, except for capitals from A to Z, which no provider distinguishes.
 */
export function asAddress(text: string): string {
  const bare = unwrap(asSeen(text)).replace(/ ?[@﹫] ?/g, "@");
  const at = bare.lastIndexOf("@") + 1;
  const address = bare.slice(0, at) + bare.slice(at).replace(/[。｡]/g, ".");
  return address.normalize("NFC").replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

const PAIRS = /^(?:"(.*)"|'(.*)'|`(.*)`|“(.*)”|„(.*)[“”]|‘(.*)’|«(.*)»|‹(.*)›|<(.*)>|\((.*)\)|\[(.*)\])$/s;

/** Removes pairs of quotes and brackets around a text, a name before an address in brackets, "mailto:" and a sentence's end. */
function unwrap(text: string): string {
  const [, bracketed] = /<([^<>]*@[^<>]*)>[ .,;]*$/.exec(text) ?? [];
  const inner = (bracketed ?? text)
    .replace(/[ .,;:!?。｡]+$/, "")
    .replace(/^mailto:([^?]*).*$/is, "$1")
    .trim();
  const [, ...parts] = PAIRS.exec(inner) ?? [];
  const next = parts.find((part) => part !== undefined) ?? inner;
  return next === text ? text : unwrap(next);
}

/** The first character that no address can contain; undefined if there is none. */
export function wrongCharacterOf(address: string): string | undefined {
  return /[\s\p{C}@,;:<>()[\]\\"]/u.exec(address.replace("@", ""))?.[0];
}
