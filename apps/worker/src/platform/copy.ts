import type { Locale } from "@lambda/contract/accounts";
import type { Copy, Translation } from "@lambda/contract/copy";

/** One text in each language, for what is stored in the language of a member who is not known yet. */
export function inEachLocale<Text>(
  copy: Copy<Text>,
  choose: (text: Translation<Text>) => string,
): Readonly<Record<Locale, string>> {
  return { en: choose(copy.en), es: choose(copy.es) };
}
