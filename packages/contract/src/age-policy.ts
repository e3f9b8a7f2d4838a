/**
 * What the law of a place asks of a site with members' explicit pictures. The operator's own rows (AGE_POLICY in wrangler.toml)
 * stand before these; docs/OPERATIONS.md says how. No legal advice.
 */
import { z } from "zod";
import { AgeRule } from "./age.ts";

export const AgePolicyRow = z.strictObject({
  /** "GB": a country by ISO 3166-1. "US-TX": a state of the United States. "*": everywhere else. */
  place: z.string().regex(/^(\*|[A-Z]{2}|US-[A-Z]{2})$/, "is no country, US state or *"),
  /** Making an account. */
  join: AgeRule,
  /** Seeing explicit pictures of other members. */
  seeExplicit: AgeRule,
  /** The law, or who decided. */
  source: z.string().trim().min(3).max(300),
  /** Since when the law is in force, or when the operator decided. */
  date: z.iso.date(),
});
export type AgePolicyRow = z.infer<typeof AgePolicyRow>;

export interface AgePolicy {
  /** Stored with each proof. */
  readonly version: string;
  readonly rows: ReadonlyMap<string, AgePolicyRow>;
}

/** The day on which the rows below were last looked up. */
const SHIPPED_VERSION = "2026-11-22";

const seenWithProof = (place: string, date: string, source: string): AgePolicyRow => ({
  place,
  join: "open",
  seeExplicit: "proof",
  source,
  date,
});

export const SHIPPED_ROWS: readonly AgePolicyRow[] = [
  seenWithProof("GB", "2025-07-25", "Online Safety Act 2023, children's safety duties"),
  seenWithProof("AU", "2026-03-09", "Age-Restricted Material Codes under the Online Safety Act 2021"),
  seenWithProof("US-AL", "2024-10-01", "HB 164"),
  seenWithProof("US-AR", "2023-07-31", "SB 66, Act 612"),
  seenWithProof("US-AZ", "2025-09-26", "HB 2112"),
  seenWithProof("US-FL", "2025-01-01", "HB 3"),
  seenWithProof("US-GA", "2025-07-01", "SB 351"),
  seenWithProof("US-ID", "2024-07-01", "HB 498"),
  seenWithProof("US-IN", "2024-08-16", "SB 17"),
  seenWithProof("US-KS", "2024-07-01", "SB 394, a quarter of the material"),
  seenWithProof("US-KY", "2024-07-15", "HB 278"),
  seenWithProof("US-LA", "2023-01-01", "HB 142, Act 440"),
  seenWithProof("US-MO", "2025-11-30", "15 CSR 60-18"),
  seenWithProof("US-MS", "2023-07-01", "SB 2346"),
  seenWithProof("US-MT", "2024-01-01", "SB 544"),
  seenWithProof("US-NC", "2024-01-01", "HB 8"),
  seenWithProof("US-ND", "2025-08-01", "HB 1561"),
  seenWithProof("US-NE", "2024-07-18", "LB 1092"),
  seenWithProof("US-OH", "2025-09-30", "HB 96"),
  seenWithProof("US-OK", "2024-11-01", "SB 1959"),
  seenWithProof("US-SC", "2025-01-01", "H 3424"),
  seenWithProof("US-SD", "2025-07-01", "HB 1053, any amount of the material"),
  seenWithProof("US-TN", "2025-01-13", "Protect Tennessee Minors Act"),
  seenWithProof("US-TX", "2023-09-19", "HB 1181; Free Speech Coalition v. Paxton, 2025-06-27"),
  seenWithProof("US-UT", "2023-05-03", "SB 287"),
  seenWithProof("US-VA", "2023-07-01", "SB 1515"),
  seenWithProof("US-WY", "2025-07-01", "HB 43"),
  { place: "*", join: "open", seeExplicit: "open", source: "No such law known to us", date: "2026-11-22" },
];

/**
 * The shipped rows with the operator's over them. Throws an error that names the row and its field, so that neither a deployment
 * nor the worker goes on with a table that says something else than its author meant.
 */
export function readAgePolicy(text = ""): AgePolicy {
  const own = parseRows(text);
  const rows = new Map(SHIPPED_ROWS.map((row) => [row.place, row]));
  const seen = new Set<string>();
  own.forEach((value, at) => {
    const parsed = AgePolicyRow.safeParse(value);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw new Error(`AGE_POLICY, ${rowName(value, at)}: ${issue?.path.join(".") || "row"} ${issue?.message}`);
    }
    const { place } = parsed.data;
    if (seen.has(place)) throw new Error(`AGE_POLICY, ${rowName(value, at)}: this place has a row before`);
    seen.add(place);
    rows.set(place, parsed.data);
  });
  return { version: own.length === 0 ? SHIPPED_VERSION : `${SHIPPED_VERSION}+${digest(text)}`, rows };
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

function rowName(row: unknown, at: number): string {
  const place = typeof row === "object" && row !== null && "place" in row ? ` (${JSON.stringify(row.place)})` : "";
  return `row ${at + 1}${place}`;
}

/** Tells two tables apart; nothing depends on its being hard to guess. */
function digest(text: string): string {
  let hash = 2166136261;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 16777619);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

/** The row of a place: its state's, else its country's, else the row of everywhere. */
export function ruleOf(policy: AgePolicy, country: string | undefined, region: string | undefined): AgePolicyRow {
  const state = country === "US" && region ? policy.rows.get(`US-${region}`) : undefined;
  const found = state ?? (country ? policy.rows.get(country) : undefined) ?? policy.rows.get("*");
  if (!found) throw new Error("AGE_POLICY has no row for everywhere else.");
  return found;
}
