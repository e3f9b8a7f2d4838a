/** What is known of countries that punish; the rows are in data/punishing-countries.ts. */
import type { CellBounds } from "@lambda/geo/grid";
import { PUNISHING_COUNTRIES, REVIEWED, WRITTEN } from "./data/punishing-countries.ts";
import { DAY_MS } from "./limits.ts";

/** Names of laws that each language says in its own words; any other is written as it is called there. */
export const LAW_CODES = ["penal", "criminal", "family", "sharia", "common"] as const;
export type LawCode = (typeof LAW_CODES)[number];

export interface PunishingCountry {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** acts: a law against sex; practice: other laws are used; regional: in a part; belonging: a law against showing or organizing. */
  readonly kind: "acts" | "practice" | "regional" | "belonging";
  readonly code: LawCode | (string & {});
  readonly articles: string;
  /** A number is years in prison. */
  readonly maximum: "death" | "life" | "flogging" | "unset" | number;
  readonly also?: "sharia" | "sharia-north" | "flogging" | "outside-marriage";
  /** Of a regional law: where it holds. Only a position tells that somebody is there. */
  readonly box?: CellBounds;
  readonly source: string;
  readonly confidence: "high" | "medium" | "low";
  /** When the row was written or compared with its source. */
  readonly date: string;
}

export const PUNISHING = PUNISHING_COUNTRIES;
export { REVIEWED };

const byCountry = new Map(PUNISHING.map((entry) => [entry.country, entry]));

/** What the table says of a country; undefined where it does not punish, as far as it says. */
export function punishingCountry(country: string | null | undefined): PunishingCountry | undefined {
  return country ? byCountry.get(country) : undefined;
}

const REVIEW_EVERY_DAYS = 366;

/** Why somebody should look at the table; undefined while the last review is not older than a year. */
export function reviewWarning(now: number): string | undefined {
  const since = Math.floor((now - Date.parse(REVIEWED ?? WRITTEN)) / DAY_MS);
  if (REVIEWED === null) {
    return `The table of countries that punish was written on ${WRITTEN} and nobody has compared it with its sources yet.`;
  }
  return since > REVIEW_EVERY_DAYS
    ? `The table of countries that punish was last reviewed on ${REVIEWED}, ${since} days ago.`
    : undefined;
}
