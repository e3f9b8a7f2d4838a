import { JURY_ANSWER_MS, JURY_SEATS, JURY_VOTES_MIN } from "@lambda/contract/limits";
import { sql } from "kysely";
import type { Compiled } from "../../db/batch.ts";
import type { Database } from "../../db/database.ts";
import { openDatabase } from "../../db/database.ts";
import type { Env } from "../../env.ts";
import { withAudit } from "../moderation/audit.ts";
import { failedGuard, guard } from "../moderation/guard.ts";
import { clockContext } from "../moderation/lift-due.ts";
import { NOTICES } from "../moderation/notices.ts";
import { announce } from "../notifications/announce.ts";
import { insertNotification, type NotifyContext } from "../notifications/notify.ts";
import { drawJurors } from "./draw.ts";
import { settleJury } from "./settle.ts";

/** Everyone on either side of a case. */
export async function listParties(db: Database, reportId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select subject_id as id from report where id = ${reportId}
    union select reporter_id from report_filing where report_id = ${reportId} and reporter_id is not null`.execute(db);
  return rows.map((row) => row.id);
}

/** Seats a jury on a new case. Without enough members to draw from, the case stays with staff. */
export async function openFirstJury(ctx: NotifyContext, reportId: number): Promise<boolean> {
  const jurors = await drawJurors(ctx, reportId, await listParties(ctx.db, reportId), JURY_SEATS);
  if (jurors.length < JURY_SEATS) return false;
  const caseRef = sql<string>`(select case_ref from report where id = ${reportId})`;
  const { rows } = await sql<{ ref: string }>`select ${caseRef} as ref`.execute(ctx.db);
  await withAudit(
    ctx,
    [
      ...seatJury(ctx, reportId, 1, jurors),
      ctx.db
        .updateTable("report")
        .set({ state: "jury" })
        .where("id", "=", reportId)
        .where("state", "=", "staff")
        .compile(),
    ],
    [
      {
        brand: ctx.brand.id,
        action: "jury.seated",
        by: "clock",
        caseRef: rows[0]?.ref ?? null,
        details: { round: 1, seats: jurors.length },
      },
    ],
  );
  for (const juror of jurors) announce(ctx, juror, "jury");
  return true;
}

/** The queries that open a jury and summon its members. */
export function seatJury(ctx: NotifyContext, reportId: number, round: number, jurors: readonly number[]): Compiled[] {
  const { db, now } = ctx;
  const jury = sql<number>`(select id from jury where report_id = ${reportId} and round = ${round})`;
  return [
    db.insertInto("jury").values({ report_id: reportId, round, state: "open", ts_opened: now }).compile(),
    ...jurors.flatMap((juror) => summon(ctx, jury, juror)),
  ];
}

function summon(ctx: NotifyContext, jury: ReturnType<typeof sql<number>>, juror: number): Compiled[] {
  return [
    sql`insert into juror (jury_id, profile_id, state, ts_summoned) values (${jury}, ${juror}, 'summoned', ${ctx.now})`.compile(
      ctx.db,
    ),
    sql`insert into juror_record (profile_id, summoned) values (${juror}, 1)
      on conflict (profile_id) do update set summoned = summoned + 1`.compile(ctx.db),
    insertNotification(ctx, {
      profileId: juror,
      kind: "jury",
      bodyText: NOTICES.summons,
      url: "/games/arbitration",
    }),
  ];
}

/**
 * Run by schedule: a summons that nobody answered goes to someone else; a jury that finds nobody decides as it is, or staff do. A jury
 * that waits for nobody and is still open met a fault when its last vote came: it is decided now.
 */
export async function tendJuries(env: Env, now: number): Promise<void> {
  const db = openDatabase(env.DB);
  const silent = await db
    .selectFrom("juror as r")
    .innerJoin("jury as j", "j.id", "r.jury_id")
    .innerJoin("report as c", "c.id", "j.report_id")
    .select(["r.jury_id", "r.profile_id", "j.report_id", "c.brand"])
    .where("r.state", "=", "summoned")
    .where("r.ts_summoned", "<=", now - JURY_ANSWER_MS)
    .where("j.state", "=", "open")
    .limit(50)
    .execute();
  for (const { jury_id, profile_id, report_id, brand } of silent) {
    await replaceJuror(clockContext(env, brand, now), { juryId: jury_id, jurorId: profile_id, reportId: report_id });
  }
  const complete = await db
    .selectFrom("jury as j")
    .innerJoin("report as c", "c.id", "j.report_id")
    .select(["j.id", "j.report_id", "c.brand"])
    .where("j.state", "=", "open")
    .where(sql<boolean>`not exists (select 1 from juror r where r.jury_id = j.id and r.state = 'summoned')`)
    .limit(50)
    .execute();
  for (const { id, report_id, brand } of complete) await decideShortJury(clockContext(env, brand, now), id, report_id);
}

/** Excuses a juror and summons another in his place. */
export async function replaceJuror(
  ctx: NotifyContext,
  seat: { juryId: number; jurorId: number; reportId: number },
): Promise<void> {
  const { juryId, jurorId, reportId } = seat;
  const [next] = await drawJurors(ctx, reportId, await listParties(ctx.db, reportId), 1);
  const queries: Compiled[] = [
    guard(
      ctx.db,
      sql<boolean>`exists (select 1 from juror r join jury j on j.id = r.jury_id
        where r.jury_id = ${juryId} and r.profile_id = ${jurorId} and r.state = 'summoned' and j.state = 'open')`,
    ),
    ctx.db
      .updateTable("juror")
      .set({ state: "excused" })
      .where("jury_id", "=", juryId)
      .where("profile_id", "=", jurorId)
      .compile(),
  ];
  if (next !== undefined) queries.push(...summon(ctx, sql<number>`${juryId}`, next));
  try {
    await ctx.d1.batch(queries.map((query) => ctx.d1.prepare(query.sql).bind(...query.parameters)));
  } catch (error) {
    if (failedGuard(error)) return;
    throw error;
  }
  if (next !== undefined) announce(ctx, next, "jury");
  else await decideShortJury(ctx, juryId, reportId);
}

async function decideShortJury(ctx: NotifyContext, juryId: number, reportId: number): Promise<void> {
  const jurors = await ctx.db.selectFrom("juror").select("state").where("jury_id", "=", juryId).execute();
  if (jurors.some((juror) => juror.state === "summoned")) return;
  const votes = jurors.filter((juror) => juror.state === "voted").length;
  // An even number could tie: the last vote then does not count for a majority.
  const seats = votes % 2 === 0 ? votes - 1 : votes;
  if (seats >= JURY_VOTES_MIN && (await settleJury(ctx, juryId, seats))) return;
  const open = sql<boolean>`exists (select 1 from jury where id = ${juryId} and state = 'open')`;
  const handOver = ctx.d1.batch(
    [
      guard(ctx.db, open),
      ctx.db.updateTable("jury").set({ state: "decided", ts_decided: ctx.now }).where("id", "=", juryId).compile(),
      ctx.db
        .updateTable("report")
        .set({ state: "staff" })
        .where("id", "=", reportId)
        .where("state", "=", "jury")
        .compile(),
      ctx.db.updateTable("appeal").set({ jury_id: null }).where("jury_id", "=", juryId).compile(),
    ].map((query) => ctx.d1.prepare(query.sql).bind(...query.parameters)),
  );
  await handOver.catch((error: unknown) => {
    // It was decided meanwhile.
    if (!failedGuard(error)) throw error;
  });
}
