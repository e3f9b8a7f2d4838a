/** Draws the judges of a check and follows their answers to a verdict. */
import { BRANDS } from "@lambda/brands";
import {
  CHECK_JUDGE_DISTANCE_MIN_METERS,
  CHECK_JUDGES_WITHIN_MS,
  CHECK_PANEL_SIZE,
  CHECK_PANEL_WAIT_MS,
  CHECK_STAFF_WAIT_MS,
  CONSENSUS_VOTERS_MIN,
} from "@lambda/contract/limits";
import { type CurveKey, pointOfKey } from "@lambda/geo/curve";
import { distanceMeters } from "@lambda/geo/distance";
import { sql } from "kysely";
import { inSightAnywhere } from "../../members/visibility/visibility.ts";
import { inEachLocale } from "../../platform/copy.ts";
import { batch } from "../../platform/db/batch.ts";
import { indexedBy, rowsOf } from "../../platform/db/d1.ts";
import { openDatabase } from "../../platform/db/database.ts";
import type { Env } from "../../platform/env.ts";
import { forEachDue } from "../../platform/for-each.ts";
import { type NotifyContext, notify } from "../../social/notifications/notify.ts";
import { scheduledContext } from "../../social/notifications/scheduled-context.ts";
import { personCheckCopy } from "./copy.ts";
import { drawPanel, judgesPerSeat, mayReplace, verdictOf } from "./rules.ts";
import { announceVerdict, deleteSeatsQuery, verdictQuery } from "./verdict.ts";

/** Whether two published positions are in different regions. */
export const isElsewhere = (one: CurveKey, other: CurveKey): boolean =>
  distanceMeters(pointOfKey(one), pointOfKey(other)) >= CHECK_JUDGE_DISTANCE_MIN_METERS;

/** Candidates whose distance is looked at; enough for the seats of any community that has them. */
const CANDIDATES_MAX = 200;

const voters = sql<number>`ifnull((select voters from game_pool where game = 'check'), 0)`;

/**
 * Proven players of other home brands who voted recently, are not near the member as far as is known, vote with no ring, and have no block
 * with the member. Shuffled, because whoever could choose the judges would choose accounts of their own.
 */
async function listCandidates({ db, now }: NotifyContext, profileId: number) {
  const rows = await db
    .selectFrom("profile as p")
    .innerJoin("account as own", "own.id", "p.id")
    .innerJoin("person_check as k", "k.profile_id", "p.id")
    .crossJoin(indexedBy("game_record", "r", "game_record_proven"))
    .innerJoin("account as a", "a.id", "r.profile_id")
    .innerJoin("profile as j", "j.id", "r.profile_id")
    .leftJoin("position as s", "s.profile_id", "r.profile_id")
    .select(["r.profile_id as id", "a.network", "a.ts_created as tsJoined", "a.home_brand as brand"])
    .select(["s.key", "k.key as own_key"])
    .where("p.id", "=", profileId)
    .where("r.game", "=", "check")
    .where("r.proven", "=", sql.lit(1))
    .where("r.ts_last", ">=", now - CHECK_JUDGES_WITHIN_MS)
    .whereRef("a.home_brand", "<>", "own.home_brand")
    .where("j.status", "=", "active")
    .where("a.admin_brand", "is", null)
    .where(inSightAnywhere(sql.ref("r.profile_id")))
    .where(
      sql<boolean>`not exists (select 1 from game_record ring where ring.profile_id = r.profile_id and ring.collusion > 0)`,
    )
    .where(
      sql<boolean>`not exists (select 1 from person_check_seat seat where seat.profile_id = p.id and seat.judge_id = r.profile_id)`,
    )
    .where(voters, ">=", sql.lit(CONSENSUS_VOTERS_MIN))
    .orderBy(sql`random()`)
    .limit(sql.lit(CANDIDATES_MAX))
    .execute();
  // Who has no position now is asked for it before the pictures are shown.
  return rows.filter(({ key, own_key }) => own_key !== null && (key === null || isElsewhere(key, own_key)));
}

/** The member, the judges drawn so far, and the size of the community. */
async function readDraw({ db }: NotifyContext, profileId: number) {
  const registration = db.selectFrom("account as a").select(["a.network", "a.ts_created as tsJoined"]);
  const [own, drawn, pool] = await Promise.all([
    registration.where("a.id", "=", profileId).executeTakeFirstOrThrow(),
    registration
      .innerJoin("person_check_seat as s", "s.judge_id", "a.id")
      .where("s.profile_id", "=", profileId)
      .execute(),
    db.selectNoFrom(voters.as("voters")).executeTakeFirstOrThrow(),
  ]);
  return { own, drawn, perSeat: judgesPerSeat(pool.voters) };
}

/** Seats judges and notifies them. False if there are not enough of them. */
async function seatJudges(ctx: NotifyContext, profileId: number, seats: readonly number[]): Promise<boolean> {
  const [candidates, { own, drawn, perSeat }] = await Promise.all([
    listCandidates(ctx, profileId),
    readDraw(ctx, profileId),
  ]);
  const judges = drawPanel(candidates, seats.length * perSeat, own, drawn);
  if (judges.length < seats.length) return false;
  const rows = judges.map((judge_id, index) => ({ judge_id, seat: seats[index % seats.length]! }));
  // Of two concurrent answers one seats the panel.
  const seated = await ctx.db
    .insertInto("person_check_seat")
    .columns(["profile_id", "judge_id", "seat"])
    .expression((select) =>
      select
        .selectFrom(rowsOf(rows, ["judge_id", "seat"], "d"))
        .select([sql.val(profileId).as("profile_id"), "d.judge_id", "d.seat"])
        .where(
          sql<boolean>`not exists (select 1 from person_check_seat s where s.profile_id = ${profileId} and s.seat = d.seat)`,
        ),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning("judge_id")
    .execute();
  const bodyText = inEachLocale(personCheckCopy, (text) => text.drawn);
  await Promise.all(
    seated.map(async ({ judge_id: id }) => {
      const home = candidates.find((candidate) => candidate.id === id)?.brand;
      const brand = BRANDS.find((one) => one.id === home) ?? ctx.brand;
      await notify({ ...ctx, brand }, { profileId: id, kind: "game", bodyText, url: "/games/ishim" });
    }),
  );
  return true;
}

/** Seats the first or second panel, or sends the check to staff if there are not enough judges. */
export async function startPanel(ctx: NotifyContext, profileId: number, firstSeat: 0 | 5): Promise<void> {
  const seats = Array.from({ length: CHECK_PANEL_SIZE }, (_, index) => firstSeat + index);
  if (!(await seatJudges(ctx, profileId, seats))) return sendToStaff(ctx, profileId);
  await ctx.db
    .updateTable("person_check")
    .set({ ts_due: ctx.now + CHECK_PANEL_WAIT_MS })
    .where("profile_id", "=", profileId)
    .where("state", "=", "judging")
    .execute();
}

export async function sendToStaff(ctx: NotifyContext, profileId: number): Promise<void> {
  const { db, now } = ctx;
  await batch(ctx.d1, [
    db
      .updateTable("person_check")
      .set({ state: "staff", ts_due: now + CHECK_STAFF_WAIT_MS })
      .where("profile_id", "=", profileId)
      .where("state", "=", "judging")
      .compile(),
    deleteSeatsQuery(ctx, profileId),
  ]);
  await announceVerdict(ctx, profileId, { state: "staff", ts_checked: null }, "players");
}

/** Applies the answers so far: a verdict, a second panel, or nothing yet. */
export async function applyAnswers(ctx: NotifyContext, profileId: number): Promise<void> {
  const seats = await ctx.db
    .selectFrom("person_check_seat as s")
    .innerJoin("person_check as k", "k.profile_id", "s.profile_id")
    .select((eb) => [eb.fn.max("s.answer").as("answer"), "k.renewed", voters.as("voters")])
    .where("s.profile_id", "=", profileId)
    .where("s.seat", "is not", null)
    .groupBy("s.seat")
    .orderBy("s.seat")
    .execute();
  const verdict = verdictOf(
    seats.map(({ answer }) => answer),
    seats[0]?.renewed === 1,
    seats[0]?.voters ?? 0,
  );
  if (verdict === undefined) return;
  if (verdict === "second panel") return startPanel(ctx, profileId, CHECK_PANEL_SIZE);
  const [[decided]] = await batch<[{ state: string; ts_checked: number | null }[], unknown[]]>(ctx.d1, [
    verdictQuery(ctx, profileId, verdict, "players"),
    deleteSeatsQuery(ctx, profileId),
  ]);
  if (decided) await announceVerdict(ctx, profileId, decided, "players");
}

const DUE_PER_RUN_MAX = 50;

/** Scheduled: replaces silent judges as long as the rules let it, then sends the check to staff, and ends what staff left undecided. */
export async function maintainChecks(env: Env, now: number): Promise<void> {
  const db = openDatabase(env.DB);
  const due = await db
    .selectFrom("person_check as k")
    .innerJoin("account as a", "a.id", "k.profile_id")
    .select(["k.profile_id", "k.state", "k.renewed", "k.ts_started", "a.home_brand", voters.as("voters")])
    .where("k.ts_due", "<=", now)
    .orderBy("k.ts_due")
    .limit(DUE_PER_RUN_MAX)
    .execute();
  await forEachDue(due, async ({ profile_id: id, state, renewed, ts_started, home_brand, voters }) => {
    const ctx = scheduledContext(env, home_brand, now);
    if (state === "judging") {
      await (mayReplace(renewed === 1, voters, now - ts_started) ? replaceSilent(ctx, id) : sendToStaff(ctx, id));
      return;
    }
    const expired = await db
      .updateTable("person_check")
      .set({ state: "expired", ts_due: null })
      .where("profile_id", "=", id)
      .where("state", "=", "staff")
      .returning("profile_id")
      .execute();
    if (expired.length > 0) await announceVerdict(ctx, id, { state: "expired", ts_checked: null }, "staff");
  });
}

async function replaceSilent(ctx: NotifyContext, profileId: number): Promise<void> {
  const { db, now } = ctx;
  const silent = await db
    .selectFrom("person_check_seat")
    .select("seat")
    .where("profile_id", "=", profileId)
    .where("seat", "is not", null)
    .groupBy("seat")
    .having((eb) => eb.fn.count("answer"), "=", 0)
    .execute();
  const [, renewed] = await batch<[unknown[], unknown[]]>(ctx.d1, [
    db
      .updateTable("person_check_seat")
      .set({ seat: null })
      .where("profile_id", "=", profileId)
      .where("answer", "is", null)
      .compile(),
    db
      .updateTable("person_check")
      .set({ renewed: 1, ts_due: now + CHECK_PANEL_WAIT_MS })
      .where("profile_id", "=", profileId)
      .where("state", "=", "judging")
      .returning("profile_id")
      .compile(),
  ]);
  const seats = silent.flatMap(({ seat }) => (seat === null ? [] : [seat]));
  if (renewed.length > 0 && seats.length > 0 && !(await seatJudges(ctx, profileId, seats)))
    await sendToStaff(ctx, profileId);
}
