/** Statements on every table that there is, whatever it is called. */

/** Tables of members; those of the platform and of SQLite have a prefix. */
const TABLES =
  "select name from sqlite_master where type = 'table' and name not like 'sqlite~_%' escape '~' and name not like '~_cf~_%' escape '~'";

/**
 * Empties every table but these, in one transaction. Returns how many rows there were.
 *
 * @param kept names of tables
 */
export async function emptyTables(d1: D1Database, kept: ReadonlySet<string>): Promise<number> {
  const { results } = await d1.prepare(TABLES).all<{ name: string }>();
  const statements = results
    .filter(({ name }) => !kept.has(name))
    .map(({ name }) => d1.prepare(`delete from "${name}"`));
  if (statements.length === 0) return 0;
  const outcomes = await d1.batch(statements);
  return outcomes.reduce((sum, { meta }) => sum + (meta.changes ?? 0), 0);
}
