import type { Locale } from "./accounts.ts";

/** The shape that a translation must have: every string a string, every phrase a function of the same values. */
export type Translation<Text> = {
  readonly [Key in keyof Text]: Text[Key] extends string
    ? string
    : Text[Key] extends (...values: infer Values) => unknown
      ? (...values: Values) => string
      : Translation<Text[Key]>;
};

/** A feature's texts in every language of the product. */
export type Copy<Text> = Readonly<Record<Locale, Translation<Text>>>;

/** Spanish must have the shape of English. Imports nothing at run time, so that a browser's texts bring no parser along. */
export function defineCopy<Text>(copy: { readonly en: Text; readonly es: NoInfer<Translation<Text>> }): Copy<Text> {
  return copy as unknown as Copy<Text>;
}
