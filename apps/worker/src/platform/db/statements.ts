/** Statements for databases outside kysely's schema. */

/** Reads no rows; every D1 result includes the size of the database. */
const NOOP = "select 1";

export async function measureBytes(d1: D1Database): Promise<number> {
  const { meta } = await d1.prepare(NOOP).run();
  return Math.round(meta.size_after ?? 0);
}
