/** Queries on juries and their seats, to run in one batch. */
import { sql } from "kysely";
import { insertNotificationQuery, type NotifyContext } from "../../notifications/notify.ts";
import { inEachLocale } from "../../platform/copy.ts";
import { guardQuery, type Query } from "../../platform/db/database.ts";
import { randomId } from "../../platform/hash.ts";
import { moderationCopy } from "../action/copy.ts";
import type { Effect } from "../case/case.ts";
import type { CaseHeader } from "./find-case.ts";
import type { NotifiedMember } from "./notify-parties.ts";

type EffectOf<Type extends Effect["type"]> = Extract<Effect, { type: Type }>;

export function seatJury(
  ctx: NotifyContext,
  { id }: CaseHeader,
  { round, jurors, pool }: EffectOf<"seatJury">,
): { queries: Query[]; notified: NotifiedMember[] } {
  const { db, now } = ctx;
  const jury = sql<number>`(select id from jury where report_id = ${id} and round = ${round})`;
  const queries = [
    db.insertInto("jury").values({ id: randomId(), report_id: id, round, state: "open", pool, ts_opened: now }),
    ...jurors.flatMap((juror) => [
      db.insertInto("juror").values({ jury_id: jury, profile_id: juror, state: "summoned", ts_summoned: now }),
      db
        .insertInto("juror_record")
        .values({ profile_id: juror, summoned: 1 })
        .onConflict((conflict) => conflict.column("profile_id").doUpdateSet({ summoned: sql<number>`summoned + 1` })),
      insertNotificationQuery(ctx, {
        profileId: juror,
        kind: "jury",
        bodyText: inEachLocale(moderationCopy, (text) => text.summons),
        url: "/games/arbitration",
      }),
    ]),
  ];
  return { queries, notified: jurors.map((profileId) => ({ profileId, kind: "jury" })) };
}

/** Aborts the batch unless the juror's summons is still open. */
function requireSummonedQuery({ db }: NotifyContext, { juryId }: CaseHeader, jurorId: number): Query {
  return guardQuery(
    db,
    sql<boolean>`exists (select 1 from juror r join jury j on j.id = r.jury_id
      where r.jury_id = ${juryId} and r.profile_id = ${jurorId} and r.state = 'summoned' and j.state = 'open')`,
  );
}

export function ballotQueries(
  ctx: NotifyContext,
  found: CaseHeader,
  { jurorId, verdict, sanction, reason }: EffectOf<"recordBallot">["ballot"],
): Query[] {
  const { db, now } = ctx;
  const { juryId } = found;
  return [
    requireSummonedQuery(ctx, found, jurorId),
    db
      .updateTable("juror")
      .set({ state: "voted", verdict, sanction, reason, ts_voted: now })
      .where("jury_id", "=", juryId)
      .where("profile_id", "=", jurorId),
    db.updateTable("juror_record").set({ voted: sql<number>`voted + 1` }).where("profile_id", "=", jurorId),
  ];
}

/** The seat stays empty: refilling it would let a juror's exit trigger another draw. */
export function emptySeatQueries(ctx: NotifyContext, found: CaseHeader, jurorId: number): Query[] {
  const seat = ctx.db
    .updateTable("juror")
    .set({ state: "excused" })
    .where("jury_id", "=", found.juryId)
    .where("profile_id", "=", jurorId);
  return [requireSummonedQuery(ctx, found, jurorId), seat];
}
