import type { Locale } from "./accounts.ts";

/**
 * What an empty conversation offers to begin with. Each is a plain greeting for the rule on repeated openers: at least
 * OPENING_MIN_LETTERS and fewer than OPENING_UNIQUE_MIN_LETTERS letters.
 */
export const OPENERS: Readonly<Record<Locale, readonly string[]>> = {
  en: ["How's your day?", "What are you up to?", "Coffee sometime?"],
  es: ["¿Cómo va tu día?", "¿En qué andas hoy?", "¿Tomamos un café?"],
};
