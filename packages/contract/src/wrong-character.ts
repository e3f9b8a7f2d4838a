import { isolate } from "./isolate.ts";

/** A character in quotes, or by its number if it cannot be seen. */
export function characterName(code: number, locale: "en" | "es"): string {
  const character = String.fromCodePoint(code);
  if (/\s/.test(character)) return { en: "a space", es: "un espacio" }[locale];
  const number = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  return /[\p{C}\p{M}]/u.test(character) ? number : `“${isolate(character)}” (${number})`;
}

/** Says that a text for digits contains something else, which is named because it often looks like a digit. */
export function digitsOnlyText(wrong: string, locale: "en" | "es"): string {
  const name = characterName(wrong.codePointAt(0) ?? 0, locale);
  return { en: `Only digits belong here, and ${name} is none.`, es: `Aquí solo van cifras, y ${name} no lo es.` }[
    locale
  ];
}
