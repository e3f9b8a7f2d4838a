/** Moves what no restore may undo from each database to the backup bucket, where a loss of the database does not reach it. */
import { ACTS_PREFIX, actsKey } from "@lambda/contract/backup";
import { DAY_MS } from "@lambda/contract/limits";
import { deleteDaysBefore } from "../bucket/objects.ts";
import { type Database, openDatabase } from "../db/database.ts";
import { messageDatabases } from "../db/message-databases.ts";
import type { Env } from "../env.ts";
import { forEachDespiteErrors } from "../for-each.ts";
import { toIsoDate } from "../iso-time.ts";
import { COPIES_KEPT_DAYS } from "./retention.ts";

const ROWS_PER_FILE = 2_000;
const FILES_PER_RUN = 10;

/** Scheduled. A run that was killed leaves rows that were stored, which the next stores again: doing an act twice changes nothing. */
export async function storeProtectiveActs(env: Env, now: number): Promise<void> {
  await forEachDespiteErrors([[0, env.DB] as const, ...messageDatabases(env)], async ([number, d1]) => {
    const db = openDatabase(d1);
    for (let file = 0; file < FILES_PER_RUN && (await storeFile(env, db, number, now)); file += 1);
  });
  await deleteDaysBefore(env.BACKUPS, ACTS_PREFIX, toIsoDate(now - COPIES_KEPT_DAYS * DAY_MS));
}

/** Returns whether there may be more. */
async function storeFile(env: Env, db: Database, number: number, now: number): Promise<boolean> {
  const oldest = db.selectFrom("protective_act").selectAll().where("id", ">", 0).orderBy("id").limit(ROWS_PER_FILE);
  const rows = await oldest.execute();
  const last = rows.at(-1);
  if (last === undefined) return false;
  await env.BACKUPS.put(actsKey(number, now, last.id), JSON.stringify(rows.map(({ id: _, ...act }) => act)));
  // Of concurrent runs the slower one must not delete newer rows, which have the same ids.
  const newest = Math.max(...rows.map(({ ts }) => ts));
  await db.deleteFrom("protective_act").where("id", "<=", last.id).where("ts", "<=", newest).execute();
  return rows.length === ROWS_PER_FILE;
}
