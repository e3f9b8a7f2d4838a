/**
 * What a profile name may be, and what it looks like. No zod here, so that the web can say why a name is refused before it sends it.
 */

export type NameProblem = "empty" | "invisible" | "marks" | "letterless" | "reserved";

/** An emoji made of several: the joiners and variation selectors inside it are no hidden text. */
const EMOJI_JOINTS =
  /(?<=\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]*)(?:\uFE0F|\u200D(?=\p{Extended_Pictographic}))/gu;
/** Control, format, private and unpaired characters, separators of lines, fillers that look blank. Spaces became plain ones. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** Vietnamese and Arabic put two on a letter; more is a tower over its neighbours. */
const TOO_MANY_MARKS = /\p{M}{4}/u;

/** A name as it is stored: composed letters, plain single spaces, none at the ends. */
export function tidyName(name: string): string {
  return name
    .normalize("NFC")
    .replace(/\p{Zs}+/gu, " ")
    .trim();
}

/** What is left of a name without the characters that `nameProblem` refuses. */
export function visibleName(name: string): string {
  const bare = [...tidyName(name)].filter((letter) => !INVISIBLE.test(letter)).join("");
  return tidyName(bare.normalize("NFD").replace(/(\p{M}{3})\p{M}+/gu, "$1"));
}

/** Why a tidied name cannot be used; undefined when it can. */
export function nameProblem(name: string): NameProblem | undefined {
  if (name === "") return "empty";
  if (INVISIBLE.test(name.replace(EMOJI_JOINTS, ""))) return "invisible";
  if (TOO_MANY_MARKS.test(name.normalize("NFD"))) return "marks";
  if (!/[\p{L}\p{N}]/u.test(name)) return "letterless";
  return isReserved(name) ? "reserved" : undefined;
}

/** Letters of other scripts, digits and signs that are read as these Latin letters in most typefaces. */
const LOOKS_LIKE: Readonly<Record<string, string>> = {
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
const LATIN = new Map(
  Object.entries(LOOKS_LIKE).flatMap(([latin, others]) => [...others].map((other) => [other, latin])),
);

/** Words of a text as they look: without case, marks, signs and the scripts they are written in. */
export function looks(name: string): string[] {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const latin = [...plain].map((letter) => LATIN.get(letter) ?? letter).join("");
  return latin
    .replace(/rn/g, "m")
    .replace(/vv/g, "w")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

/** Two names with the same skeleton are hard to tell apart. Compared, never shown. */
export function nameSkeleton(name: string): string {
  return looks(name).join("");
}

const skeletons = (words: readonly string[]) => words.map(nameSkeleton);
const SITES = skeletons(["ember", "harbor", "bramble", "lambda"]);
/** Alone, or beside a site's name, these claim to speak for it ... */
const OFFICE = skeletons([
  ...["team", "staff", "support", "help", "service", "official", "volunteer", "volunteers", "security", "safety"],
  ...["equipo", "soporte", "ayuda", "servicio", "oficial", "voluntario", "voluntarios", "seguridad"],
]);
/** ... and these do wherever they stand. */
const POSTS = skeletons([
  "admin",
  "admins",
  "administrator",
  "moderator",
  "mod team",
  "administrador",
  "moderador",
  "sysadmin",
]);
const BETWEEN = skeletons(["the", "of", "at", "by", "el", "la", "de", "del", "site", "community", "project"]);

/** Whether a name claims to be a site or who runs it. */
function isReserved(name: string): boolean {
  const words = looks(name);
  const whole = words.join("");
  if (words.some((word) => POSTS.includes(word)) || SITES.includes(whole) || POSTS.includes(whole)) return true;
  if (OFFICE.some((office) => SITES.some((site) => whole.includes(site + office) || whole.includes(office + site))))
    return true;
  const claims = words.filter((word) => SITES.includes(word) || OFFICE.includes(word));
  return claims.length > 0 && words.every((word) => claims.includes(word) || BETWEEN.includes(word));
}
