import type { ListEntry } from "./entries.ts";

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
