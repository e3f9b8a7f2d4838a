import type { Translation } from "@lambda/contract/copy";
import type { LawCode, PunishingCountry } from "@lambda/contract/punishing";
import type { stayCopy } from "./stay-copy.ts";

type Words = (typeof stayCopy)["en"] | Translation<(typeof stayCopy)["es"]>;

/** What the table says of a country, in the member's language; names of laws that only exist there stay as they are called. */
export function lawText(entry: PunishingCountry, copy: Words): { sentence: string; most: string } {
  const { code, articles, maximum, kind, also } = entry;
  const name = code in copy.codes ? copy.codes[code as LawCode] : code;
  const law = articles ? `${name}, ${articles}` : name;
  const most = typeof maximum === "number" ? copy.years(maximum) : copy.maximum[maximum];
  return { sentence: [copy[kind](law, most), also && copy.also[also]].filter(Boolean).join(" "), most };
}
