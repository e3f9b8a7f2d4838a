import type { Locale } from "@lambda/contract/accounts";
import type { YearlySection } from "@lambda/contract/transparency";
import { readNoticeFigures } from "../../notice/figures.ts";
import { yearlyCopy } from "./copy.ts";
import type { SectionContext } from "./section.ts";

const COUNTS = ["received", "intimate", "hiddenAtOnce", "removed", "rejected", "forwarded", "countersUpheld"] as const;

/** The year's notices, summed over its quarters. */
export async function readNoticeSections(ctx: SectionContext, year: number, locale: Locale): Promise<YearlySection[]> {
  const quarters = (await readNoticeFigures(ctx)).filter(({ period }) => period.startsWith(`${year}-`));
  const copy = yearlyCopy[locale];
  const sum = (name: (typeof COUNTS)[number]) => quarters.reduce((total, quarter) => total + quarter[name], 0);
  return [
    {
      id: "notices",
      title: copy.notices,
      rows: COUNTS.map((name) => ({ id: `notices.${name}`, label: copy.noticeCounts[name], value: sum(name) })),
    },
  ];
}
