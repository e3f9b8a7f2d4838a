/**
 * Validates profile names and detects lookalikes. It does not use zod, so that the web can cheaply explain why a name is rejected before
 * sending it.
 */
import { BRANDS } from "@lambda/brands";

export type NameProblem = "empty" | "invisible" | "marks" | "letterless" | "reserved";

/** A letter of a script in which letters are joined by default. */
const JOINED = `[${"Arab Beng Deva Gujr Guru Knda Mlym Orya Sinh Taml Telu".replace(/(\w+) ?/g, "\\p{scx=$1}")}]`;
/**
 * Unseen characters that change what is seen, with what is before them: within an emoji, a key or the flags of England, Scotland and Wales,
 * and between letters that are joined by default. Not by looking behind, which Safari before 16.4 cannot read.
 */
const WITH_JOINTS = new RegExp(
  String.raw`\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}|\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]*(?:\u200D(?=\p{Extended_Pictographic}))?|[\d#*]\uFE0F(?=\u20E3)|(?!\p{Cf})${JOINED}[\u200C\u200D](?=${JOINED})`,
  "gu",
);
const JOINTS_AND_UNSEEN = new RegExp(
  `(${WITH_JOINTS.source})|(?![\\u202D\\u202E])\\p{Default_Ignorable_Code_Point}`,
  "gu",
);
/** Control, format, private-use and unpaired characters, line separators, and fillers that look blank. Spaces are already normalized. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
const JOINTS_AND_INVISIBLE = new RegExp(`(${WITH_JOINTS.source})|${INVISIBLE.source}`, "gu");
/** Vietnamese and Arabic use up to two marks per letter; stacks of marks overflow into neighboring lines. */
const TOO_MANY_MARKS = /\p{M}{4}/u;

/** Removes what nobody sees, because it is pasted unknowingly. Direction overrides stay, since they change what is seen. */
export const withoutUnseen = (text: string): string => text.replace(JOINTS_AND_UNSEEN, "$1");

/** Normalizes a name for storage: composed letters, single plain spaces, trimmed, nothing unseen. */
export const normalizeName = (name: string): string =>
  withoutUnseen(name)
    .normalize("NFC")
    .replace(/\p{Zs}+/gu, " ")
    .trim();

/** Removes the characters that `findNameProblem` rejects. */
export function stripInvisibleCharacters(name: string): string {
  const bare = normalizeName(name).replace(JOINTS_AND_INVISIBLE, "$1");
  return normalizeName(bare.normalize("NFD").replace(/(\p{M}{3})\p{M}+/gu, "$1"));
}

/** Why a normalized name is rejected; undefined if it is valid. */
export function findNameProblem(name: string): NameProblem | undefined {
  if (name === "") return "empty";
  if (INVISIBLE.test(name.replace(WITH_JOINTS, ""))) return "invisible";
  if (TOO_MANY_MARKS.test(name.normalize("NFD"))) return "marks";
  if (!/[\p{L}\p{N}]/u.test(name)) return "letterless";
  return isReserved(name) ? "reserved" : undefined;
}

/** Letters of other scripts, digits and symbols that look like these Latin letters in most typefaces. */
const HOMOGLYPHS: Readonly<Record<string, string>> = {
  a: "аαɑ@4ᴀ",
  b: "ьвβƅ8ʙ",
  c: "сϲᴄ¢ⅽ",
  d: "ԁɗⅾᴅ",
  e: "еєɛε3ҽᴇ€",
  f: "ғƒꜰ",
  g: "ɡց9ɢ",
  h: "һнհʜ",
  i: "іιɩıl1|!ⅼӏıɪ",
  j: "јϳᴊ",
  k: "кκᴋ",
  m: "мⅿᴍ",
  n: "пηոɴ",
  o: "оοσօ0ᴏө",
  p: "рρᴘ",
  q: "ԛգ",
  r: "гᴦʀ",
  s: "ѕ5$ꜱ",
  t: "тτ7ᴛ",
  u: "υսцʋᴜ",
  v: "ѵνᴠ",
  w: "ѡωшԝᴡ",
  x: "хχᕁ",
  y: "уγүʏ",
  z: "ᴢ2ʐ",
};
const LATIN_LOOKALIKES = new Map(
  Object.entries(HOMOGLYPHS).flatMap(([latin, others]) => [...others].map((other) => [other, latin])),
);

/** The words of a text as they look to a reader: without case, marks or symbols, and mapped to Latin lookalikes. */
export function lookalikeWords(name: string): string[] {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const latin = [...plain].map((letter) => LATIN_LOOKALIKES.get(letter) ?? letter).join("");
  return latin
    .replace(/rn/g, "m")
    .replace(/vv/g, "w")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

/** Names with the same skeleton are hard to distinguish. For comparison only, never shown. */
export const nameSkeleton = (name: string): string => lookalikeWords(name).join("");

const skeletons = (words: readonly string[]) => words.map(nameSkeleton);
const SITES = skeletons([...BRANDS.map(({ name }) => name), "lambda"]);
/** These claim to speak for the site, either alone or next to a site's name. */
const STAFF_WORDS = skeletons(
  "team staff support help service official volunteer volunteers security safety equipo soporte ayuda servicio oficial voluntario voluntarios seguridad".split(
    " ",
  ),
);
/** These claim to speak for the site wherever they appear. */
const STAFF_TITLES = skeletons(
  "admin admins administrator administrators administration moderator moderators moderation modteam administrador administradora administradores moderador moderadora moderadores moderacion sysadmin webmaster".split(
    " ",
  ),
);
/** Claim nothing by themselves. */
const FILLER_WORDS = skeletons(
  "the of at by and el la de del al y site community project trust care desk chat customer customers member members account cliente clientes cuenta".split(
    " ",
  ),
);

/** Whether a name claims to be a site or its staff, also if it is numbered. */
const isReserved = (name: string): boolean =>
  [name, name.replace(/\p{Nd}+(?![\p{L}\p{M}\p{Nd}])/gu, "")].some((text) => isClaim(lookalikeWords(text)));

function isClaim(words: readonly string[]): boolean {
  const whole = words.join("");
  if (words.some((word) => STAFF_TITLES.includes(word)) || SITES.includes(whole) || STAFF_TITLES.includes(whole))
    return true;
  if (STAFF_WORDS.some((word) => SITES.some((site) => whole.includes(site + word) || whole.includes(word + site))))
    return true;
  const claims = words.filter((word) => SITES.includes(word) || STAFF_WORDS.includes(word));
  return claims.length > 0 && words.every((word) => claims.includes(word) || FILLER_WORDS.includes(word));
}
