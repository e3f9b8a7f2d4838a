/** A right-to-left name turns the sentence around it: this walk over the texts finds the names that are not isolated. */
import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** What somebody typed, by the parameter's name. What is ours has another: `provider`, `brand`, `legalName`. */
const TYPED = /\b(names?|(?!legal)\w+Name|tag|word)\b/;

function findBareNames(source: string): string[] {
  const inserted = source.match(/\$\{[^{}]*\}/g) ?? [];
  return inserted.filter((text) => TYPED.test(text.replaceAll(/\b(isolate|copy\.\w+)\(\w+\)/g, "")));
}

it("isolates every name in our own sentences", () => {
  const apps = new URL("../..", import.meta.url).pathname;
  const sources = globSync("{web,worker}/src/**/*.{ts,tsx}", { cwd: apps })
    .filter((file) => !file.includes(".test."))
    .map((file) => ({ file, source: readFileSync(apps + file, "utf8") }))
    .filter(({ source }) => /defineCopy(Hook)?\(/.test(source));
  expect(sources.length).toBeGreaterThan(80);
  expect(sources.flatMap(({ file, source }) => findBareNames(source).map((text) => `${file} ${text}`))).toEqual([]);
});

/** Joins names with something else, in a template or a list, in a screen instead of its copy file. */
const JOINS = [
  /`[^`]*(?:[:,·] \$\{[^{}]*\b(?:name|\w+Name|profilename)\b[^{}]*\}|\$\{[^{}]*\b(?:name|\w+Name|profilename)\b[^{}]*\}[:,] )[^`]*`/g,
  /\[[^[\]]*\b(?:name|(?:profile|subject)Name|profilename)\b[^[\]]*\](?:\s*\.filter\(Boolean\))?\s*\.join\(/g,
];

function findJoinedNames(source: string): string[] {
  const found = JOINS.flatMap((pattern) => source.match(pattern) ?? []);
  return found.filter((text) =>
    TYPED_OR_SHOWN.test(text.replaceAll(/\b(isolate|copy(\.\w+)+)\([^()]*(\([^()]*\))?[^()]*\)/g, "")),
  );
}
const TYPED_OR_SHOWN = /\b(name|(profile|subject)Name|profilename)\b/;

it("joins no name in a screen without isolating it", () => {
  const features = new URL(".", import.meta.url).pathname;
  const screens = globSync("**/*.{ts,tsx}", { cwd: features })
    .filter((file) => !file.includes(".test.") && !/copy/.test(file))
    .map((file) => ({ file, source: readFileSync(features + file, "utf8") }));
  const found = screens.flatMap(({ file, source }) => findJoinedNames(source).map((text) => `${file} ${text}`));
  // Names of our own: brands, disguises, laws, towns, regions.
  const ours =
    /brand\.name|DISGUISES|copy\[name\]|^features\/(pages|places\/(travel|map\/(MapScreen|use-no-streets|engine\/use-map-engine)))/;
  expect(found.filter((each) => !ours.test(each))).toEqual([]);
});

it.each([
  "`$\u007bname}: $\u007btext}`",
  "`$\u007bverdict}: $\u007bmember.profileName}`",
  '[name, age].filter(Boolean).join(", ")',
])("finds the joined name in %s", (code) => expect(findJoinedNames(code)).toHaveLength(1));

const textWith = (code: string) => `\`Tag \${${code}}\``;

it.each(["name", 'name || "him"', "isolate(name) + otherName"])("finds the name in %s", (code) =>
  expect(findBareNames(textWith(code))).toHaveLength(1),
);

it.each(["isolate(name)", "legalName", "brand"])("allows %s", (code) =>
  expect(findBareNames(textWith(code))).toEqual([]),
);

/** Spanish writes only names in capitals, so this finds every name of a screen or button inside a sentence. */
const NAMED_ES = /[a-záéíóúñ,;] [«"(]?([A-ZÁÉÍÓÚÑ][a-záéíóúñ]+[^«»"`]*)/g;
const NAMES_ELSEWHERE =
  /^(Unión Europea|Estados (Unidos|miembros)|Reino Unido|Comisión|Junta|Servicios Digitales|Cyber|Gay Activists|Nueva York|Congreso Internacional|Edimburgo|Tom Doerr|Consumer Arb|Arbitration|Arizona|Android|Privacidad de Datos|Apple|Google|Safari|Mac|Escape|Atrás|Intro|Mayús|Abrir archivos|Estado llama|Penal|Personas|Familia|Derechos Gay|JavaScript|Mail|First day|Ages|Each year)/;

function spanishTexts(): readonly { readonly file: string; readonly text: string }[] {
  const apps = new URL("../..", import.meta.url).pathname;
  const files = globSync(
    [
      "{web,worker}/src/**/*copy*.ts",
      "web/src/**/copy/*.ts",
      "web/src/**/*-es.ts",
      "../packages/contract/src/pages.ts",
    ],
    { cwd: apps },
  );
  return files
    .filter((file) => !file.includes(".test."))
    .flatMap((file) => {
      const source = readFileSync(apps + file, "utf8");
      const start = /-es\.ts$|pages\.ts$/.test(file) ? 0 : source.search(/^\s*es: \{|^const \w*_ES\b/m);
      const texts = start < 0 ? [] : [...source.slice(start).matchAll(/"([^"\n]+)"|`([^`]+)`/g)];
      return texts.map(([, plain, template]) => ({ file, text: plain ?? template!.replaceAll(/\$\{[^}]*\}/g, "…") }));
    });
}

it("calls screens and buttons in Spanish sentences what they are called there", () => {
  const literals = spanishTexts();
  const labels = new Set(literals.map(({ text }) => text).filter((text) => text.length < 40));
  const isLabel = (rest: string) =>
    rest.split(/(?=[ .,;:)])/).some((_, index, words) => labels.has(words.slice(0, index + 1).join("")));
  const unknown = literals
    .filter(({ file }) => !file.endsWith("pages.ts"))
    .flatMap(({ file, text }) =>
      [...text.matchAll(NAMED_ES)]
        .map(([, rest]) => rest!)
        .filter((rest) => !NAMES_ELSEWHERE.test(rest) && !isLabel(rest))
        .map((rest) => `${file}: ${rest}`),
    );
  expect(literals.length).toBeGreaterThan(2000);
  expect(unknown).toEqual([]);
});

/** Nobody in the Americas says these to a friend. An hour takes its article from `hourEs`. */
const ELSEWHERE =
  /(?<![\wáéíóúñ])(vosotros|vuestr[ao]s?|usted|os|sois|veis|disteis|visteis|(?!gais|país|dieciséis)[\wáéíóúñ]+[áé]is)(?![\wáéíóúñ])|(?<=\b)las …(?! entradas)/i;
const OF_SPAIN =
  /(?<![\wáéíóúñ])(ordenador|móvil|carné|gais|pulsa[rs]?|pulses|añad\w+|coge[rs]?|enseña\w*|qued(ar|as?|o) con|caduc\w+|se han? podido|hemos (?!hablado)\w+[ai]do)(?![\wáéíóúñ])/i;

it("speaks the Spanish of the Americas", () => {
  const terms = spanishTexts().filter(({ file }) => file.endsWith("-es.ts"));
  const texts = textsOfTheApps().flatMap(({ file, es }) => es.map((text) => ({ file, text })));
  const found = [...texts, ...terms].filter(({ text }) => ELSEWHERE.test(text) || OF_SPAIN.test(text));
  expect(found).toEqual([]);
});

/** The law's and safety's sentences stay whole, and these are quoted from the specification. */
const WHOLE =
  /pages\/(copy\/(safety|legal-notice)|terms|transparency)|moderation\/notices|meets\/|accounts\/(age|acknowledgements)|stay-copy|dungeon\/notice|platform\//;
const QUOTED = [
  "Could not save your settings.",
  "Passwords do not match",
  "was not found.",
  "Could not replace images",
];
const FULL_FORM =
  /\b((do|does|did|is|are|was|were|has|have|could|will|would|must|need|should) not|cannot|whoever|whom|(some|every|any)body)\b/i;
const SENTENCE_WORDS_MAX = 28;

/** The texts of a file in English and Spanish: a Spanish block ends where a line is no deeper than its first. */
function textsByLanguage(source: string): Readonly<Record<"en" | "es", readonly string[]>> {
  const parts = { en: "", es: "" };
  let depth = -1;
  for (const line of source.split("\n")) {
    const start = /^(\s*)(es: |const (\w*_ES|SPANISH\w*)\b)/.exec(line);
    const isSpanish = depth >= 0 || start !== null;
    parts[isSpanish ? "es" : "en"] += `${line}\n`;
    if (depth < 0 && start && /[{([]$/.test(line)) depth = start[1]!.length;
    else if (depth >= 0 && line.search(/\S/) <= depth) depth = -1;
  }
  const texts = (part: string) =>
    [...part.matchAll(/"([^"\n]+)"|`([^`]+)`/g)].map(([, plain, template]) => plain ?? template!);
  return { en: texts(parts.en), es: texts(parts.es) };
}

function textsOfTheApps() {
  const root = new URL("../../..", import.meta.url).pathname;
  const found = globSync(["apps/{web,worker}/src/**/*.{ts,tsx}", "packages/{contract,brands}/src/*.ts"], { cwd: root })
    .filter((file) => !file.includes(".test."))
    .map((file) => ({ file: file.replace("apps/", ""), source: readFileSync(root + file, "utf8") }))
    .filter(({ source }) => /defineCopy(Hook)?[<(]|_ES\b|\bes: ["`{]|\bes = \{/.test(source))
    .map(({ file, source }) => ({ file, ...textsByLanguage(source) }));
  expect(found.flatMap(({ en }) => en).length).toBeGreaterThan(1900);
  expect(found.flatMap(({ es }) => es).length).toBeGreaterThan(1800);
  return found;
}

it("speaks as one would on a phone: contractions in English, short sentences in both languages", () => {
  const isLong = (text: string) =>
    !/\bselect\b/.test(text) &&
    text.split(/[.!?;:](?= |$)/).some((sentence) => sentence.split(" ").length > SENTENCE_WORDS_MAX);
  const found = textsOfTheApps()
    .filter(({ file }) => /^(web|worker)/.test(file) && !WHOLE.test(file))
    .flatMap(({ en, es }) => [...en.filter((text) => FULL_FORM.test(text) || isLong(text)), ...es.filter(isLong)])
    .filter((text) => !QUOTED.some((quoted) => text.includes(quoted)));
  expect(found).toEqual([]);
});
