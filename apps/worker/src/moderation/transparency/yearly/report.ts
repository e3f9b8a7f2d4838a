/**
 * The yearly transparency report that Art. 15 of the Digital Services Act requires, a builder for each section. It uses
 * public figures only, so that nothing in it reveals an open case.
 */
import type { Locale } from "@lambda/contract/accounts";
import type { YearlyReport, YearlySection } from "@lambda/contract/transparency";
import type { Context } from "../../../platform/context.ts";
import { readTotals } from "../totals.ts";
import { readCaseSections } from "./cases.ts";
import { yearlyCopy } from "./copy.ts";
import { toCsv, toHtml } from "./files.ts";
import { readNoticeSections } from "./notices.ts";
import type { SectionBuilder, SectionContext } from "./section.ts";

const BUILDERS: readonly SectionBuilder[] = [readCaseSections, readNoticeSections];

export async function readYearlyReport(
  ctx: SectionContext & Pick<Context, "now">,
  year: number,
  locale: Locale,
): Promise<YearlyReport> {
  const copy = yearlyCopy[locale];
  const [{ head }, ...built] = await Promise.all([
    readTotals(ctx),
    ...BUILDERS.map((build) => build(ctx, year, locale)),
  ]);
  const { brand, now } = ctx;
  const complete = new Date(now).getUTCFullYear() > year;
  const sections: YearlySection[] = [
    ...built.flat(),
    { id: "automation", title: copy.automation, text: copy.automationText, rows: [] },
    { id: "orders", title: copy.orders, text: copy.ordersText(brand.operatorAddress), rows: [] },
  ];
  const report = {
    title: copy.title(brand.name, year),
    note: complete ? copy.note : `${copy.note} ${copy.soFar}`,
    year,
    complete,
    head,
    sections,
  };
  return { ...report, csv: toCsv(sections), html: toHtml(report, locale, brand.legalName) };
}
