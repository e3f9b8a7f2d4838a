/**
 * Age verification rules per country or US state for a site with explicit member pictures, which are not legal advice. The
 * operator's own rows (AGE_POLICY in wrangler.toml) override these, as docs/OPERATIONS.md explains.
 */
import { z } from "zod";
import { AgeRule } from "./age.ts";

export const AgePolicyRow = z.strictObject({
  /** An ISO 3166-1 country such as "GB", a US state such as "US-TX", or "*" for everywhere else. */
  place: z.string().regex(/^(\*|[A-Z]{2}|US-[A-Z]{2})$/, "is no country, US state or *"),
  /** To create an account. */
  join: AgeRule,
  /** To see other members' explicit pictures. */
  seeExplicit: AgeRule,
  /** The law, or whoever decided. */
  source: z.string().trim().min(3).max(300),
  /** When the law came into force, or when the operator decided. */
  date: z.iso.date(),
});
export type AgePolicyRow = z.infer<typeof AgePolicyRow>;

export interface AgePolicy {
  /** Stored with each proof of age. */
  readonly version: string;
  readonly rows: ReadonlyMap<string, AgePolicyRow>;
}

/** When the rows below were last reviewed. */
const SHIPPED_VERSION = "2026-11-22";

const proofToSeeExplicit = (place: string, date: string, source: string): AgePolicyRow => ({
  place,
  join: "open",
  seeExplicit: "proof",
  source,
  date,
});

export const SHIPPED_ROWS: readonly AgePolicyRow[] = [
  proofToSeeExplicit("GB", "2025-07-25", "Online Safety Act 2023, children's safety duties"),
  proofToSeeExplicit("AU", "2026-03-09", "Age-Restricted Material Codes under the Online Safety Act 2021"),
  proofToSeeExplicit("US-AL", "2024-10-01", "HB 164"),
  proofToSeeExplicit("US-AR", "2023-07-31", "SB 66, Act 612"),
  proofToSeeExplicit("US-AZ", "2025-09-26", "HB 2112"),
  proofToSeeExplicit("US-FL", "2025-01-01", "HB 3"),
  proofToSeeExplicit("US-GA", "2025-07-01", "SB 351"),
  proofToSeeExplicit("US-ID", "2024-07-01", "HB 498"),
  proofToSeeExplicit("US-IN", "2024-08-16", "SB 17"),
  proofToSeeExplicit("US-KS", "2024-07-01", "SB 394, a quarter of the material"),
  proofToSeeExplicit("US-KY", "2024-07-15", "HB 278"),
  proofToSeeExplicit("US-LA", "2023-01-01", "HB 142, Act 440"),
  proofToSeeExplicit("US-MO", "2025-11-30", "15 CSR 60-18"),
  proofToSeeExplicit("US-MS", "2023-07-01", "SB 2346"),
  proofToSeeExplicit("US-MT", "2024-01-01", "SB 544"),
  proofToSeeExplicit("US-NC", "2024-01-01", "HB 8"),
  proofToSeeExplicit("US-ND", "2025-08-01", "HB 1561"),
  proofToSeeExplicit("US-NE", "2024-07-18", "LB 1092"),
  proofToSeeExplicit("US-OH", "2025-09-30", "HB 96"),
  proofToSeeExplicit("US-OK", "2024-11-01", "SB 1959"),
  proofToSeeExplicit("US-SC", "2025-01-01", "H 3424"),
  proofToSeeExplicit("US-SD", "2025-07-01", "HB 1053, any amount of the material"),
  proofToSeeExplicit("US-TN", "2025-01-13", "Protect Tennessee Minors Act"),
  proofToSeeExplicit("US-TX", "2023-09-19", "HB 1181; Free Speech Coalition v. Paxton, 2025-06-27"),
  proofToSeeExplicit("US-UT", "2023-05-03", "SB 287"),
  proofToSeeExplicit("US-VA", "2023-07-01", "SB 1515"),
  proofToSeeExplicit("US-WY", "2025-07-01", "HB 43"),
  { place: "*", join: "open", seeExplicit: "open", source: "No such law known to us", date: "2026-11-22" },
];

/**
 * Merges the operator's rows over the shipped ones. Throws an error that names the invalid row and field, so that neither a deployment
 * nor the worker continues with a misread table.
 */
export function parseAgePolicy(text = ""): AgePolicy {
  const operatorRows = parseRows(text);
  const rows = new Map(SHIPPED_ROWS.map((row) => [row.place, row]));
  const seen = new Set<string>();
  operatorRows.forEach((value, index) => {
    const parsed = AgePolicyRow.safeParse(value);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw new Error(`AGE_POLICY, ${describeRow(value, index)}: ${issue?.path.join(".") || "row"} ${issue?.message}`);
    }
    const { place } = parsed.data;
    if (seen.has(place)) throw new Error(`AGE_POLICY, ${describeRow(value, index)}: this place has a row before`);
    seen.add(place);
    rows.set(place, parsed.data);
  });
  return { version: operatorRows.length === 0 ? SHIPPED_VERSION : `${SHIPPED_VERSION}+${digest(text)}`, rows };
}

function parseRows(text: string): unknown[] {
  if (text.trim() === "") return [];
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new Error(`AGE_POLICY is no JSON: ${error instanceof Error ? error.message : ""}`);
  }
  if (!Array.isArray(parsed)) throw new Error("AGE_POLICY must be a list of rows.");
  return parsed;
}

function describeRow(row: unknown, index: number): string {
  const place = typeof row === "object" && row !== null && "place" in row ? ` (${JSON.stringify(row.place)})` : "";
  return `row ${index + 1}${place}`;
}

/** FNV-1a: distinguishes versions of the table and needs no cryptographic strength. */
function digest(text: string): string {
  let hash = 2166136261;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 16777619);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

/** The row that applies in a place: that of its state, else its country, else "*". */
export function getAgePolicyRow(
  policy: AgePolicy,
  country: string | undefined,
  region: string | undefined,
): AgePolicyRow {
  const state = country === "US" && region ? policy.rows.get(`US-${region}`) : undefined;
  const row = state ?? (country ? policy.rows.get(country) : undefined) ?? policy.rows.get("*");
  if (!row) throw new Error("AGE_POLICY has no row for everywhere else.");
  return row;
}
