/** Statements that a backup runs in addition to the export. */
const TABLES =
  "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '\\_cf\\_%' escape '\\'";
const TABLES_PER_BATCH = 20;

/** Row counts by table; null for a table too large to count within a statement's time limit. */
export async function countRows(d1: D1Database): Promise<Record<string, number | null>> {
  const { results } = await d1.prepare(TABLES).all<{ name: string }>();
  const counts: Record<string, number | null> = {};
  for (let start = 0; start < results.length; start += TABLES_PER_BATCH) {
    const names = results.slice(start, start + TABLES_PER_BATCH).map(({ name }) => name);
    const batchCounts = await countBatch(d1, names).catch(() => undefined);
    for (const [index, name] of names.entries()) counts[name] = batchCounts?.[index] ?? null;
  }
  return counts;
}

async function countBatch(d1: D1Database, names: readonly string[]): Promise<(number | undefined)[]> {
  const statements = names.map((name) => d1.prepare(`select count(*) as n from "${name.replaceAll('"', '""')}"`));
  const results = await d1.batch<{ n: number }>(statements);
  return results.map((result) => result.results[0]?.n);
}
