/**
 * Reads what a person typed or pasted as they see it: what is invisible, full-width, in other digits or around it does not make it wrong.
 * Each function leaves its own result unchanged.
 */

/** Characters that show nothing. Direction overrides change what is seen, except one to the right before what is read so anyway. */
const UNSEEN =
  /^\u202D(?=[^\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]*$)|(?![\u202D\u202E])\p{Default_Ignorable_Code_Point}/gu;
/** Full-width forms of ASCII stand this far behind it. */
const WIDE = 0xfee0;

/** Removes invisible characters, turns every kind of blank into a space and wide letters into plain ones, and trims. */
export function asSeen(text: string): string {
  return text
    .replace(UNSEEN, "")
    .replace(/[！-～]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - WIDE))
    .replace(/[\s\u0085\u2800]+/g, " ")
    .trim();
}

/** A secret in the one spelling by which it is kept: some keyboards write ’ for ', “ for " and — for --. */
export const foldSecret = (secret: string): string =>
  secret
    .normalize("NFKC")
    .replace(/[\u2018-\u201B\u2032\u2035`\u00B4]/g, "'")
    .replace(/[\u201C-\u201F\u2033\u2036\u00AB\u00BB]/g, '"')
    .replace(/[\p{Pd}\u2212]+/gu, "-");

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

/** Removes the spaces, signs, rings and boxes with which people group, decorate and end codes. */
export const asCode = (text: string): string =>
  asDigits(asSeen(text.normalize("NFKC"))).replace(/[\s\p{P}\p{M}<>\u2212`´]/gu, "");

/** The number of so many digits among the words with which it was copied; undefined if none has this length. */
const numberIn = (code: string, length?: number) => code.split(/\D+/).find((part) => part.length === length);

/** A code of so many digits without the words around it; any other text as a code. */
export const asCodeOf = (length: number) => (text: string) => numberIn(asCode(text), length) ?? asCode(text);

/** The digits of what is typed into a field for digits, at most `max`. */
export const digitsIn = (text: string, max?: number): string =>
  numberIn(asCode(text), max) ?? asCode(text).replace(/\D/g, "").slice(0, max);

/** The first character that is neither a digit nor a sign between digits; undefined if there is none. */
export function wrongDigitOf(text: string): string | undefined {
  return /\D/u.exec(asCode(text))?.[0];
}

/**
 * An email address without what often surrounds it: quotes, brackets, a name, "mailto:", a full stop or comma. Keeps its spelling for
 * sending, except for capitals from A to Z, which no provider distinguishes, and for what keyboards and documents replace.
 */
export function asAddress(text: string): string {
  const seen = withoutIcons(asSeen(text)).replace(/ ?[@﹫] ?/g, "@");
  const at = seen.lastIndexOf("@") + 1;
  // Keyboards add a space after a full stop.
  const address = unwrap(seen.slice(0, at) + seen.slice(at).replace(/ ?[.。｡﹒] ?/g, "."));
  return address
    .normalize("NFKC")
    .replace(/[\p{Pd}\u2212]/gu, "-")
    .replace(/[‘’]/g, "'")
    .replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Without icons beside the words, and once if an address was pasted twice. Other words may be a part of it that was torn off. */
function withoutIcons(text: string): string {
  const words = text.split(/ |[✉📧📨📩📪📫📬📭📮]/u).filter((word) => !/^\p{So}*$/u.test(word));
  const addresses = new Set(words.map((word) => /.@./.test(word) && unwrap(word).toLowerCase()));
  return words.length > 1 && addresses.size === 1 && !addresses.has(false) ? unwrap(words[0] ?? "") : words.join(" ");
}

/** A label, bullet or number before a text without spaces. */
const LABEL = /^(?:[^@:"]*:|[\p{Pd}•*·>]|\d+[.)]) (?=\S+$)/u;
const PAIRS = /^(?:(["'`*_|])(.*)\1|[<\p{Ps}\p{Pi}\p{Pf}](.*)[>\p{Pe}\p{Pi}\p{Pf}])$/su;

/** Removes pairs of quotes and brackets around a text, a name before or after an address, "mailto:" and a sentence's end. */
export function unwrap(text: string): string {
  const [, bracketed] = /[<([]([^<>()[\]]*@[^<>()[\]]*)[>)\]][ .,;]*$/.exec(text) ?? [];
  const inner = (bracketed ?? text)
    .replace(LABEL, "")
    .replace(/(?:[ .,;:!?。｡…]| \([^()@]*\))+$/, "")
    .replace(/^mailto:(?:\/\/)?([^?]*).*$/is, (_, to: string) => decodeLink(to))
    .trim();
  const [, , quoted, enclosed] = PAIRS.exec(inner) ?? [];
  // One of a pair may be left out of a selection.
  const next = quoted ?? enclosed ?? inner.replace(/^[<([“„«‹¿¡]+|[>)\]}"'\p{Pf}]+$/gu, "");
  return next === text ? text : unwrap(next);
}

/** A domain in the letters of the DNS; undefined if it is none. */
export function asciiDomain(domain: string): string | undefined {
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return undefined;
  }
}

/** An address in the one spelling by which it is compared: capitals, accents and the letters of its domain can be written in several ways. */
export function canonicalAddress(address: string): string {
  const plain = address.normalize("NFKC").toLowerCase().normalize("NFKC");
  const at = plain.lastIndexOf("@") + 1;
  const domain = plain.slice(at).replace(/\.$/, "");
  return plain.slice(0, at) + (asciiDomain(domain) ?? domain);
}

function decodeLink(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Signs that no domain has, and emoji in the last part of one. */
const NOT_IN_DOMAIN = /(?![\w.·\u05F3\u05F4\u30FB-])[\p{P}\p{Sm}\p{Sc}\p{Sk}]|\p{So}(?=[^.]*$)/u;

/** The first character that no address can contain; undefined if there is none. */
export function wrongCharacterOf(address: string): string | undefined {
  const [wrong] = /[\s\p{C}@,;:<>()[\]\\"]/u.exec(address.replace("@", "")) ?? [];
  return wrong ?? NOT_IN_DOMAIN.exec(address.slice(address.indexOf("@") + 1))?.[0];
}
