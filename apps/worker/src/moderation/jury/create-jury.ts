import type { StaffReason } from "@lambda/contract/admin";
import { JURY_ANSWER_MS } from "@lambda/contract/limits";
import { sql } from "kysely";
import { batch, type Compiled } from "../../platform/db/batch.ts";
import type { Database } from "../../platform/db/database.ts";
import { openDatabase } from "../../platform/db/database.ts";
import { failedGuard, guardQuery } from "../../platform/db/guard.ts";
import type { Env } from "../../platform/env.ts";
import { announce } from "../../social/notifications/announce.ts";
import { clockContext } from "../../social/notifications/clock-context.ts";
import { insertNotificationQuery, type NotifyContext } from "../../social/notifications/notify.ts";
import { NOTICES } from "../action/notices.ts";
import { withAudit } from "../audit/log.ts";
import { drawJurors } from "./draw.ts";
import { settleJury } from "./settle.ts";

/** Everyone on either side of a case. */
export async function listParties(db: Database, reportId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select subject_id as id from report where id = ${reportId}
    union select reporter_id from report_filing where report_id = ${reportId} and reporter_id is not null`.execute(db);
  return rows.map((row) => row.id);
}

/** Seats a jury on a new case. Where the pool cannot carry one, the case stays with staff, with the reason. */
export async function openFirstJury(ctx: NotifyContext, reportId: number, caseRef: string): Promise<void> {
  const draw = await drawJurors(ctx, reportId, await listParties(ctx.db, reportId));
  if ("fault" in draw) return noteStaffReason(ctx, reportId, draw.fault);
  const { jurors, pool } = draw;
  const waits = sql<boolean>`exists (select 1 from report where id = ${reportId} and state = 'staff')`;
  const seating = withAudit(
    ctx,
    [
      guardQuery(ctx.db, waits),
      ...seatJury(ctx, { reportId, round: 1, jurors, pool }),
      ctx.db.updateTable("report").set({ state: "jury" }).where("id", "=", reportId).compile(),
    ],
    [
      {
        brand: ctx.brand.id,
        action: "jury.seated",
        by: "clock",
        caseRef,
        undecided: true,
        details: { round: 1, seats: jurors.length },
      },
    ],
  );
  try {
    await seating;
  } catch (error) {
    // Staff decided it meanwhile.
    if (failedGuard(error)) return;
    throw error;
  }
  for (const juror of jurors) announce(ctx, juror, "jury");
}

export async function noteStaffReason(ctx: NotifyContext, reportId: number, reason: StaffReason): Promise<void> {
  await ctx.db.updateTable("report").set({ staff_reason: reason }).where("id", "=", reportId).execute();
}

/** The queries that open a jury and summon its members. */
export function seatJury(
  ctx: NotifyContext,
  seated: { reportId: number; round: number; jurors: readonly number[]; pool: number },
): Compiled[] {
  const { db, now } = ctx;
  const { reportId, round, jurors, pool } = seated;
  const jury = sql<number>`(select id from jury where report_id = ${reportId} and round = ${round})`;
  return [
    db.insertInto("jury").values({ report_id: reportId, round, state: "open", pool, ts_opened: now }).compile(),
    ...jurors.flatMap((juror) => [
      sql`insert into juror (jury_id, profile_id, state, ts_summoned) values (${jury}, ${juror}, 'summoned', ${now})`.compile(
        db,
      ),
      sql`insert into juror_record (profile_id, summoned) values (${juror}, 1)
        on conflict (profile_id) do update set summoned = summoned + 1`.compile(db),
      insertNotificationQuery(ctx, {
        profileId: juror,
        kind: "jury",
        bodyText: NOTICES.summons,
        url: "/games/arbitration",
      }),
    ]),
  ];
}

/** Run by schedule: seats that nobody used in time fall empty, and juries that wait for nobody are closed. */
export async function tendJuries(env: Env, now: number): Promise<void> {
  const db = openDatabase(env.DB);
  await db
    .updateTable("juror")
    .set({ state: "excused" })
    .where("state", "=", "summoned")
    .where("ts_summoned", "<=", now - JURY_ANSWER_MS)
    .execute();
  const complete = await db
    .selectFrom("jury as j")
    .innerJoin("report as c", "c.id", "j.report_id")
    .select(["j.id", "c.brand"])
    .where("j.state", "=", "open")
    .where(sql<boolean>`not exists (select 1 from juror r where r.jury_id = j.id and r.state = 'summoned')`)
    .limit(50)
    .execute();
  for (const { id, brand } of complete) await settleJury(clockContext(env, brand, now), id);
}

/** Excuses a juror. The seat stays empty: a second draw for it would be one that somebody asked for. */
export async function excuseJuror(ctx: NotifyContext, seat: { juryId: number; jurorId: number }): Promise<void> {
  await batch(ctx.d1, [
    ctx.db
      .updateTable("juror")
      .set({ state: "excused" })
      .where("jury_id", "=", seat.juryId)
      .where("profile_id", "=", seat.jurorId)
      .where("state", "=", "summoned")
      .compile(),
  ]);
  await settleJury(ctx, seat.juryId);
}
