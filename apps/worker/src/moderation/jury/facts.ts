/** The facts about a case that closing its jury needs. */
import { JURY_AUTONOMY_POOL_MIN, JURY_AUTONOMY_TESTED_MIN } from "@lambda/contract/limits";
import { sql } from "kysely";
import type { NotifyContext } from "../../notifications/notify.ts";
import type { Database } from "../../platform/db/database.ts";
import type { JuryFacts } from "../case/case.ts";
import { juryOf } from "../case/close-jury.ts";
import type { ActiveAction, JuryRecord } from "../case/rules.ts";
import type { FoundCase } from "../effects/find-case.ts";

export async function readJuryFacts(ctx: NotifyContext, found: FoundCase): Promise<JuryFacts> {
  return {
    pictureId: await findPicture(ctx, found),
    activeActions: await listActiveActions(ctx.db, found.id),
    record: await readJuryRecord(ctx, found),
  };
}

/** The track record of the brand's juries. Skips the query if the pool is too small for the record to matter. */
async function readJuryRecord({ db }: NotifyContext, { brand, state }: FoundCase): Promise<JuryRecord> {
  const pool = juryOf(state)?.pool ?? 0;
  if (pool < JURY_AUTONOMY_POOL_MIN) return { pool, tested: 0, confirmed: 0 };
  const latest = db
    .selectFrom("jury as j")
    .innerJoin("report as r", "r.id", "j.report_id")
    .select("r.outcome")
    .where("j.round", "=", 1)
    .where("j.sanction", "in", ["suspend_7", "suspend_30"])
    .where("r.brand", "=", brand)
    .where("r.state", "=", "decided")
    .orderBy("j.ts_opened", "desc")
    .limit(JURY_AUTONOMY_TESTED_MIN);
  const { tested, confirmed } = await db
    .selectFrom(latest.as("l"))
    .select(({ fn }) => fn.countAll<number>().as("tested"))
    .select(sql<number>`coalesce(sum(outcome in ('suspend', 'ban')), 0)`.as("confirmed"))
    .executeTakeFirstOrThrow();
  return { pool, tested, confirmed };
}

export function listActiveActions(db: Database, reportId: number): Promise<ActiveAction[]> {
  return db
    .selectFrom("moderation_action")
    .select(["id", "profile_id", "case_ref", "brand", "kind", "picture_id", "ts_until"])
    .where("report_id", "=", reportId)
    .where("ts_lifted", "is", null)
    .execute();
}

/** The id of the picture that the case is about or has as public evidence; null if its owner has deleted it. */
async function findPicture({ db }: NotifyContext, found: FoundCase): Promise<number | null> {
  const row = await db
    .selectFrom("picture")
    .select("id")
    .where((eb) => {
      if (found.source === "picture") return eb("id", "=", found.sourceId);
      const frozen = eb.selectFrom("evidence").select("source_id").where("report_id", "=", found.id);
      return eb("id", "in", frozen.where("kind", "=", "picture").where("staff_only", "=", 0));
    })
    .where("profile_id", "=", found.subjectId)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}
