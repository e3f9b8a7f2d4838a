/**
 * The free texts of a profile, "" while empty. Whoever may see a profile reads each of them. What edits, shows, freezes, exports or
 * imports a profile goes over this list, and so do the terms.
 */
import type { Locale } from "./accounts.ts";
import { MEASURE_MAX_CHARS, TEXT_MAX_CHARS } from "./limits.ts";

interface TextField {
  /** fact: one line beside the distance. text: paragraphs of their own, without their label. */
  readonly place: "fact" | "text";
  readonly maxChars: number;
  readonly label: Readonly<Record<Locale, string>>;
  /** A hint below the field of the form. */
  readonly help?: Readonly<Record<Locale, string>>;
}

const FIELDS = {
  height: {
    place: "fact",
    maxChars: MEASURE_MAX_CHARS,
    label: { en: "Height", es: "Altura" },
    help: {
      en: "As you like: 6'1\" or 185 cm.",
      es: "Como quieras: 185 cm o 6'1\".",
    },
  },
  weight: {
    place: "fact",
    maxChars: MEASURE_MAX_CHARS,
    label: { en: "Weight", es: "Peso" },
  },
  description: {
    place: "text",
    maxChars: TEXT_MAX_CHARS,
    label: { en: "Description", es: "Descripción" },
    help: {
      en: "What would you tell him over the first drink?",
      es: "¿Qué le contarías con el primer trago?",
    },
  },
} as const satisfies Record<string, TextField>;

export type ProfileText = keyof typeof FIELDS;
export const PROFILE_TEXTS = Object.keys(FIELDS) as ProfileText[];
export const TEXT_FIELDS: Readonly<Record<ProfileText, TextField>> = FIELDS;

/** A value for each text. */
export function mapTexts<Value>(value: (field: TextField, name: ProfileText) => Value): Record<ProfileText, Value> {
  const entries = PROFILE_TEXTS.map((name) => [name, value(TEXT_FIELDS[name], name)]);
  return Object.fromEntries(entries) as Record<ProfileText, Value>;
}

export const EMPTY_TEXTS: Readonly<Record<ProfileText, string>> = mapTexts(() => "");

/** The texts of one place, in order. */
export const textsAt = (place: TextField["place"]): ProfileText[] =>
  PROFILE_TEXTS.filter((name) => TEXT_FIELDS[name].place === place);

/** The labels as they stand within a sentence. */
export const textNames = (locale: Locale): Record<ProfileText, string> =>
  mapTexts(({ label }) => label[locale].toLowerCase());
