/** Countries that punish homosexuality; the rows are in data/punishing-countries.ts. */
import type { Bounds } from "@lambda/geo/distance";
import { PUNISHING_COUNTRIES, REVIEWED_ON, WRITTEN_ON } from "./data/punishing-countries.ts";
import { DAY_MS } from "./limits.ts";

/** Names of laws that are translated; any other is shown by its own name. */
export const LAW_CODES = ["penal", "criminal", "family", "sharia", "common"] as const;
export type LawCode = (typeof LAW_CODES)[number];

export interface PunishingCountry {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** acts: sex is illegal. practice: other laws are used. regional: only in part of the country. belonging: expression or organizing is illegal. */
  readonly kind: "acts" | "practice" | "regional" | "belonging";
  readonly code: LawCode | (string & {});
  readonly articles: string;
  /** A number is years in prison. */
  readonly maximum: "death" | "life" | "flogging" | "unset" | number;
  readonly also?: "sharia" | "sharia-north" | "flogging" | "outside-marriage";
  /** Where a regional law applies. Only a position, not a network's country, can tell that somebody is there. */
  readonly box?: Bounds;
  readonly source: string;
  readonly confidence: "high" | "medium" | "low";
  /** When the row was written or verified against its source. */
  readonly date: string;
}

export const PUNISHING = PUNISHING_COUNTRIES;
export { REVIEWED_ON };

const byCountry = new Map(PUNISHING.map((entry) => [entry.country, entry]));

export function findPunishingCountry(country: string | null | undefined): PunishingCountry | undefined {
  return country ? byCountry.get(country) : undefined;
}

const REVIEW_INTERVAL_DAYS = 366;

/** A warning if the table needs a review; undefined if it was reviewed within the last year. */
export function reviewWarning(now: number): string | undefined {
  const days = Math.floor((now - Date.parse(REVIEWED_ON ?? WRITTEN_ON)) / DAY_MS);
  if (REVIEWED_ON === null) {
    return `The table of countries that punish was written on ${WRITTEN_ON} and nobody has compared it with its sources yet.`;
  }
  return days > REVIEW_INTERVAL_DAYS
    ? `The table of countries that punish was last reviewed on ${REVIEWED_ON}, ${days} days ago.`
    : undefined;
}
