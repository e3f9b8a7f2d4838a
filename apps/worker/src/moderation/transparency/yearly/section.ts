import type { Locale } from "@lambda/contract/accounts";
import type { YearlySection } from "@lambda/contract/transparency";
import type { Context } from "../../../platform/context.ts";

export type SectionContext = Pick<Context, "db" | "brand">;
/** Builds one source's sections for a year, in the reader's language. */
export type SectionBuilder = (ctx: SectionContext, year: number, locale: Locale) => Promise<YearlySection[]>;
