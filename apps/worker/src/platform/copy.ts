import type { Locale } from "@lambda/contract/accounts";

/** The shape that a translation must have: every string a string, every phrase a function of the same values. */
type Translation<Text> = {
  readonly [Key in keyof Text]: Text[Key] extends string
    ? string
    : Text[Key] extends (...values: infer Values) => unknown
      ? (...values: Values) => string
      : Translation<Text[Key]>;
};

/** A feature's texts, as in the web: Spanish must have the shape of English. */
export interface Copy<Text> {
  readonly en: Translation<Text>;
  readonly es: Translation<Text>;
}

export function defineCopy<Text>(copy: { readonly en: Text; readonly es: NoInfer<Translation<Text>> }): Copy<Text> {
  return copy as unknown as Copy<Text>;
}

/** One text in each language, for what is stored in the language of a member who is not known yet. */
export function inEachLocale<Text>(
  copy: Copy<Text>,
  choose: (text: Translation<Text>) => string,
): Readonly<Record<Locale, string>> {
  return { en: choose(copy.en), es: choose(copy.es) };
}
