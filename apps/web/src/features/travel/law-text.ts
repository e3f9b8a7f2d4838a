import type { Translation } from "@lambda/contract/copy";
import type { LawCode, PunishingCountry } from "@lambda/contract/punishing";
import type { stayCopy } from "./stay-copy.ts";

type Words = (typeof stayCopy)["en"] | Translation<(typeof stayCopy)["es"]>;

/** The law of a country in the member's language. Names of laws that exist only there are not translated. */
export function lawText(entry: PunishingCountry, copy: Words): string {
  const { code, articles, maximum, kind, also } = entry;
  const name = code in copy.codes ? copy.codes[code as LawCode] : code;
  const law = articles ? `${name}, ${articles}` : name;
  const maximumText = typeof maximum === "number" ? copy.years(maximum) : copy.maximum[maximum];
  return [copy[kind](law, maximumText), also && copy.also[also]].filter(Boolean).join(" ");
}
