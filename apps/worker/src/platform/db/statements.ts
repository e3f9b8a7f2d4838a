/** What the schedule asks of any database, of which kysely knows no tables. */

/** Reads no row of D1, whose every answer says how large the database is. */
const NOTHING = "select 1";

export async function measureBytes(d1: D1Database): Promise<number> {
  const { meta } = await d1.prepare(NOTHING).run();
  return Math.round(meta.size_after ?? 0);
}
