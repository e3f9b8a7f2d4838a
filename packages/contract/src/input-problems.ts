import { characterName } from "./wrong-character.ts";

/**
 * What is wrong with an input, as `error.reason` of BAD_INPUT, without zod so that the web can say it in the member's language. Each text
 * continues a sentence that begins with the field's name; `{limit}` is the number in `error.limit`.
 */
export const INPUT_PROBLEMS = {
  MISSING: { en: "is required", es: "es obligatorio" },
  TOO_SHORT: { en: "is too short: at least {limit} characters", es: "es demasiado corto: al menos {limit} caracteres" },
  TOO_LONG: { en: "is too long: at most {limit} characters", es: "es demasiado largo: como máximo {limit} caracteres" },
  TOO_SMALL: { en: "is too small: at least {limit}", es: "es demasiado pequeño: al menos {limit}" },
  TOO_BIG: { en: "is too big: at most {limit}", es: "es demasiado grande: como máximo {limit}" },
  TOO_FEW: { en: "has too few entries: at least {limit}", es: "tiene muy pocos elementos: al menos {limit}" },
  TOO_MANY: { en: "has too many entries: at most {limit}", es: "tiene demasiados elementos: como máximo {limit}" },
  NO_NUMBER: { en: "is not a number", es: "no es un número" },
  NOT_WHOLE: { en: "is not a whole number", es: "no es un número entero" },
  NO_DATE: { en: "is not a date", es: "no es una fecha" },
  NO_CHOICE: { en: "is not one of the possible values", es: "no es uno de los valores posibles" },
  NO_EMAIL: { en: "is not an email address", es: "no es una dirección de correo" },
  QUOTED_EMAIL: {
    en: "has quotation marks before the @, and such addresses cannot be used here",
    es: "tiene comillas antes de la @, y esas direcciones no se pueden usar aquí",
  },
  /** `{limit}` is the character, and `error.limit` its code point. */
  WRONG_CHARACTER: { en: "contains {limit}, which does not belong there", es: "contiene {limit}, que ahí sobra" },
  SIX_DIGITS: { en: "needs six digits", es: "necesita seis cifras" },
  PAST: { en: "is in the past", es: "ya ha pasado" },
  FUTURE: { en: "is in the future", es: "todavía no llega" },
  TOO_FAR_AHEAD: { en: "is too far ahead: at most {limit} days", es: "está demasiado lejos: como máximo {limit} días" },
  TOO_MANY_DAYS: { en: "lasts too long: at most {limit} days", es: "dura demasiado: como máximo {limit} días" },
  REVERSED: { en: "ends before it begins", es: "termina antes de empezar" },
  FULL: {
    en: "has no room left: at most {limit}, remove one first",
    es: "no tiene más sitio: como máximo {limit}, quita uno antes",
  },
  WRONG_FORM: { en: "does not have the right form", es: "no tiene la forma correcta" },
} as const;

export type InputProblem = keyof typeof INPUT_PROBLEMS;

export function findInputProblem(reason: string | undefined): InputProblem | undefined {
  return reason !== undefined && Object.hasOwn(INPUT_PROBLEMS, reason) ? (reason as InputProblem) : undefined;
}

export function inputProblemText(problem: InputProblem, limit: number | undefined, locale: "en" | "es"): string {
  const shown = problem === "WRONG_CHARACTER" ? characterName(limit ?? 0, locale) : String(limit ?? "");
  return INPUT_PROBLEMS[problem][locale].replace("{limit}", () => shown);
}
