import type { Locale } from "@lambda/contract/accounts";
import type { Copy, Translation } from "@lambda/contract/copy";

/** A text in every language, to be stored before the recipient's language is known. */
export function inEachLocale<Text>(
  copy: Copy<Text>,
  choose: (text: Translation<Text>) => string,
): Readonly<Record<Locale, string>> {
  return { en: choose(copy.en), es: choose(copy.es) };
}
