import type { Locale } from "./accounts.ts";

/** The type that a translation must have: a string for each string, and a function with the same parameters for each function. */
export type Translation<Text> = {
  readonly [Key in keyof Text]: Text[Key] extends string
    ? string
    : Text[Key] extends (...values: infer Values) => unknown
      ? (...values: Values) => string
      : Translation<Text[Key]>;
};

export type Copy<Text> = Readonly<Record<Locale, Translation<Text>>>;

/** Type-checks that Spanish has the same shape as English. Has no runtime imports, so that texts in the browser do not pull in zod. */
export function defineCopy<Text>(copy: { readonly en: Text; readonly es: NoInfer<Translation<Text>> }): Copy<Text> {
  return copy as unknown as Copy<Text>;
}
