/** What a backup asks of the database beside its export. */
const TABLES =
  "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '\\_cf\\_%' escape '\\'";
/** Tables in one round trip. */
const TOGETHER = 20;

/** How many rows each table has; null for one that is too large to be counted in the time that a statement may take. */
export async function countRows(d1: D1Database): Promise<Record<string, number | null>> {
  const { results } = await d1.prepare(TABLES).all<{ name: string }>();
  const counts: Record<string, number | null> = {};
  for (let at = 0; at < results.length; at += TOGETHER) {
    const names = results.slice(at, at + TOGETHER).map(({ name }) => name);
    const counted = await countTogether(d1, names).catch(() => undefined);
    for (const [index, name] of names.entries()) counts[name] = counted?.[index] ?? null;
  }
  return counts;
}

async function countTogether(d1: D1Database, names: readonly string[]): Promise<(number | undefined)[]> {
  const statements = names.map((name) => d1.prepare(`select count(*) as n from "${name.replaceAll('"', '""')}"`));
  const answers = await d1.batch<{ n: number }>(statements);
  return answers.map(({ results }) => results[0]?.n);
}
