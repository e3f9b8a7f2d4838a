import { JURY_VOTING_MS } from "@lambda/contract/limits";
import { sql } from "kysely";
import { openDatabase } from "../../platform/db/database.ts";
import type { Env } from "../../platform/env.ts";
import { forEachDue } from "../../platform/for-each.ts";
import { scheduledContext } from "../../social/notifications/scheduled-context.ts";
import { closeCompleteJury } from "./close-jury.ts";

/** Juries closed in one run; the rest follow a minute later. */
const CLOSED_PER_RUN_MAX = 50;

/** Scheduled: empties seats whose jurors did not vote in time, and closes juries that wait for nobody. */
export async function maintainJuries(env: Env, now: number): Promise<void> {
  const db = openDatabase(env.DB);
  await db
    .updateTable("juror")
    .set({ state: "excused" })
    .where("state", "=", "summoned")
    .where("ts_summoned", "<=", now - JURY_VOTING_MS)
    .execute();
  const complete = await db
    .selectFrom("jury as j")
    .innerJoin("report as c", "c.id", "j.report_id")
    .select(["j.id", "c.brand"])
    .where("j.state", "=", "open")
    .where(sql<boolean>`not exists (select 1 from juror r where r.jury_id = j.id and r.state = 'summoned')`)
    .limit(CLOSED_PER_RUN_MAX)
    .execute();
  await forEachDue(complete, ({ id, brand }) => closeCompleteJury(scheduledContext(env, brand, now), id));
}
