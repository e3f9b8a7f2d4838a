import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

/** One line of an operator's list of known pictures. */
export interface ListEntry {
  readonly hash: string;
  readonly source: string;
  readonly rule: "minor" | "intimate";
}

const RULES = ["minor", "intimate"] as const;
const SOURCE = /^[A-Za-z0-9][A-Za-z0-9._ -]{0,63}$/;
/** A picture's hash normally has about as many ones as zeros. Hashes of plain pictures would match unrelated ones. */
const ONES_MIN = 96;
const ONES_MAX = 160;
/** How much of an invalid line is quoted in the error. */
const SHOWN_CHARS = 80;

/**
 * Reads a list with one `hash,source` or `hash,source,rule` per line, separated by commas, semicolons or tabs. Skips empty lines and
 * lines that start with #. Throws at the first invalid line and names it.
 */
export async function* readEntries(file: string): AsyncGenerator<ListEntry> {
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    const text = line.replace(/^\uFEFF/, "").trim();
    if (text === "" || text.startsWith("#")) continue;
    const entry = parseEntry(text);
    if (typeof entry === "string") {
      throw new Error(`${file}, line ${number}: ${entry}: ${JSON.stringify(text.slice(0, SHOWN_CHARS))}`);
    }
    yield entry;
  }
}

/** Returns the entry, or what is wrong with the line. */
export function parseEntry(line: string): ListEntry | string {
  const [hash = "", source = "", rule = "minor", ...rest] = line.split(/[,;\t]/).map((field) => field.trim());
  if (!/^[0-9a-f]{64}$/i.test(hash)) return "the first field is no PDQ hash of 64 hexadecimal digits";
  if (!SOURCE.test(source)) return "the second field must name the list with letters, digits, spaces, dots and dashes";
  if (!RULES.some((known) => known === rule)) return `the third field must be one of ${RULES.join(", ")}`;
  if (rest.length > 0) return "there are more than three fields";
  const ones = BigInt(`0x${hash}`).toString(2).replaceAll("0", "").length;
  if (ones < ONES_MIN || ones > ONES_MAX) return "the hash is of a picture too plain to be told from others";
  return { hash: hash.toLowerCase(), source, rule: rule as ListEntry["rule"] };
}

/** Rows per statement, which D1 limits to 100 KB. */
export const ROWS_PER_STATEMENT = 400;

/** Adds entries; repeating it changes nothing. Safe without escaping, because validated fields cannot contain quotes. */
export function addStatement(entries: readonly ListEntry[], now: number): string {
  const rows = entries.map(({ hash, source, rule }) => `('${hash}', 'list:${source}', '${rule}', ${now})`);
  return `INSERT INTO known_picture (hash, source, rule, ts_created) VALUES ${rows.join(", ")} ON CONFLICT DO NOTHING;`;
}

export function removeStatement(entries: readonly ListEntry[]): string {
  const rows = entries.map(({ hash, source }) => `('${hash}', 'list:${source}')`);
  return `DELETE FROM known_picture WHERE (hash, source) IN (VALUES ${rows.join(", ")});`;
}

export const LIST_STATEMENT = `SELECT substr(source, 6) AS source, rule, count(*) AS entries, sum(searched = 0) AS waiting
  FROM known_picture WHERE source GLOB 'list:*' GROUP BY source, rule ORDER BY source, rule;`;
