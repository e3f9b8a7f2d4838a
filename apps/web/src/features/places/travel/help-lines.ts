import type { useStayCopy } from "./stay-copy.ts";

export interface HelpLine {
  readonly key: keyof ReturnType<typeof useStayCopy>["lines"];
  readonly name?: string;
  readonly url?: string;
  /** Where the address was found on `date`; null if it is unverified general knowledge. No phone number was verified, so there are none. */
  readonly source: string | null;
  readonly date: string;
}

export const HELP_LINES: readonly HelpLine[] = [
  {
    key: "railroad",
    name: "Rainbow Railroad",
    url: "https://www.rainbowrailroad.org/request-help",
    source: "rainbowrefugee.ca/?p=916",
    date: "2026-11-22",
  },
  {
    key: "defenders",
    name: "Front Line Defenders",
    url: "https://www.frontlinedefenders.org",
    source: "business-humanrights.org/en/emergency-and-rapid-response-mechanisms",
    date: "2026-11-22",
  },
  { key: "ilga", name: "ILGA World", url: "https://database.ilga.org", source: null, date: "2026-11-22" },
  { key: "embassy", source: null, date: "2026-11-22" },
];
