/**
 * Countries that punish men for having sex with men, or for being gay; no row was looked up, so all are to be verified against
 * https://database.ilga.org before relying on them. The brand's safety officer reviews each row once a year (docs/OPERATIONS.md) and
 * sets REVIEWED_ON; a deployment warns when that is more than a year ago.
 */
import type { PunishingCountry } from "../punishing.ts";

/** When a person last verified the whole table against its sources, as yyyy-mm-dd; null: never. */
export const REVIEWED_ON: string | null = null;
export const WRITTEN_ON = "2026-11-22";

type Row = readonly [
  country: string,
  confidence: PunishingCountry["confidence"],
  code: PunishingCountry["code"],
  articles: string,
  maximum: PunishingCountry["maximum"],
  details?: Partial<Pick<PunishingCountry, "kind" | "box" | "also">>,
];

const ROWS: readonly Row[] = [
  // Africa
  ["BF", "medium", "family", "2025", 5],
  ["BI", "high", "penal", "art. 590", 2],
  ["CM", "high", "penal", "art. 347-1", 5],
  ["DZ", "high", "penal", "art. 333, 338", 3],
  ["EG", "high", "Law 10/1961", "art. 9 (c)", 3, { kind: "practice" }],
  ["EH", "medium", "penal", "art. 489 (MA)", 3],
  ["ER", "medium", "penal", "art. 310", 7],
  ["ET", "medium", "criminal", "art. 629-630", 15],
  ["GH", "high", "Act 29 of 1960", "s. 104", 3],
  ["GM", "high", "criminal", "s. 144, 144A", "life"],
  ["GN", "high", "penal", "art. 274", 3],
  ["KE", "high", "penal", "s. 162, 165", 14],
  ["KM", "medium", "penal", "art. 318", 5],
  ["LR", "medium", "penal", "s. 14.74", 1],
  ["LY", "high", "penal", "art. 407-408", 5],
  ["MA", "high", "penal", "art. 489", 3],
  ["ML", "low", "penal", "2024", "unset"],
  ["MR", "high", "penal", "art. 308", "death"],
  ["MW", "high", "penal", "s. 153, 156", 14],
  ["NG", "high", "criminal", "s. 214; Same Sex Marriage (Prohibition) Act 2013", "death", { also: "sharia-north" }],
  ["SD", "high", "criminal", "1991, s. 148", "life"],
  ["SL", "high", "Offences against the Person Act 1861", "s. 61", "life"],
  ["SN", "medium", "penal", "art. 319", 5],
  ["SO", "medium", "penal", "art. 409", "death", { also: "sharia" }],
  ["SS", "high", "penal", "2008, s. 248", 10],
  ["SZ", "medium", "common", "", "unset"],
  ["TD", "high", "penal", "art. 354", 2],
  ["TG", "high", "penal", "art. 392", 3],
  ["TN", "high", "penal", "art. 230", 3],
  ["TZ", "high", "penal", "s. 154", "life"],
  ["UG", "high", "Anti-Homosexuality Act 2023", "s. 2-3", "death"],
  ["ZM", "high", "penal", "s. 155", "life"],
  ["ZW", "high", "criminal", "2004, s. 73", 1],
  // Asia
  ["AE", "medium", "penal", "2021", "unset", { also: "sharia" }],
  ["AF", "high", "sharia", "2017, art. 645-650", "death"],
  ["BD", "high", "penal", "s. 377", "life"],
  ["BN", "high", "sharia", "2013, s. 82", "death"],
  [
    "ID",
    "high",
    "Qanun Jinayat 6/2014 (Aceh)",
    "art. 63",
    "flogging",
    { kind: "regional", box: { latMin: 1.9, latMax: 6.3, lonMin: 94, lonMax: 98.4 }, also: "outside-marriage" },
  ],
  ["IQ", "high", "Law 8/1988", "2024", 15],
  ["IR", "high", "sharia", "2013, art. 233-234", "death"],
  ["KW", "high", "penal", "art. 193", 7],
  ["LB", "high", "penal", "art. 534", 1],
  ["LK", "high", "penal", "s. 365, 365A", 10],
  ["MM", "medium", "penal", "s. 377", 10],
  ["MV", "medium", "penal", "s. 410-412", 8, { also: "flogging" }],
  ["MY", "high", "penal", "s. 377A-377B", 20, { also: "flogging" }],
  ["OM", "high", "penal", "2018, art. 261", 3],
  ["PK", "medium", "penal", "s. 377", "death", { also: "sharia" }],
  [
    "PS",
    "medium",
    "Criminal Code Ordinance 1936 (Gaza)",
    "s. 152",
    10,
    { kind: "regional", box: { latMin: 31.1, latMax: 31.7, lonMin: 34.1, lonMax: 34.65 } },
  ],
  ["QA", "high", "penal", "2004, art. 285, 296", 7, { also: "sharia" }],
  ["RU", "high", "criminal", "art. 282.2; Supreme Court, 2023-11-30", 10, { kind: "belonging" }],
  ["SA", "high", "sharia", "", "death"],
  ["SY", "medium", "penal", "art. 520", 3],
  ["TM", "high", "criminal", "art. 133", 2],
  ["UZ", "high", "criminal", "art. 120", 3],
  ["YE", "high", "penal", "1994, art. 264", "death"],
  // The Americas
  ["GD", "high", "criminal", "s. 431", 10],
  ["GY", "high", "Criminal Law (Offences) Act", "s. 352-354", "life"],
  ["JM", "high", "Offences against the Person Act", "s. 76-79", 10],
  ["TT", "medium", "Sexual Offences Act", "s. 13, 16", 5],
  ["VC", "high", "criminal", "s. 146, 148", 10],
  // Oceania
  ["KI", "high", "penal", "s. 153-155", 14],
  ["PG", "high", "criminal", "s. 210, 212", 14],
  ["SB", "high", "penal", "s. 160-162", 14],
  ["TO", "high", "Criminal Offences Act", "s. 136, 139", 10],
  ["TV", "high", "penal", "s. 153-155", 14],
  ["WS", "medium", "Crimes Act 2013", "s. 67", 5],
];

export const PUNISHING_COUNTRIES: readonly PunishingCountry[] = ROWS.map(
  ([country, confidence, code, articles, maximum, details]) => ({
    country,
    kind: "acts",
    code,
    articles,
    maximum,
    source: "general knowledge, not looked up",
    confidence,
    date: WRITTEN_ON,
    ...details,
  }),
);
