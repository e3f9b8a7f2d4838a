/** Draws the judges of a check and follows their answers to a verdict. */
import { BRANDS } from "@lambda/brands";
import {
  CHECK_JUDGE_DISTANCE_MIN_METERS,
  CHECK_JUDGED_MAX_MS,
  CHECK_JUDGES_WITHIN_MS,
  CHECK_STAFF_WAIT_MS,
  CONSENSUS_VOTERS_MIN,
} from "@lambda/contract/limits";
import { type CurveKey, pointOfKey } from "@lambda/geo/curve";
import { distanceMeters } from "@lambda/geo/distance";
import { sql } from "kysely";
import { type NotifyContext, scheduledContext } from "../../notifications/notify.ts";
import { batch, indexedBy, insertFrom, itemsOf, openDatabase } from "../../platform/db/database.ts";
import type { Env } from "../../platform/env.ts";
import { forEachDue } from "../../platform/for-each.ts";
import { inSightAnywhere } from "../../visibility/visibility.ts";
import { drawJudges, verdictOf } from "./rules.ts";
import { announceVerdict, deleteSeatsQuery, verdictQuery } from "./verdict.ts";

/** Whether two published positions are in different regions. */
export const isElsewhere = (one: CurveKey, other: CurveKey): boolean =>
  distanceMeters(pointOfKey(one), pointOfKey(other)) >= CHECK_JUDGE_DISTANCE_MIN_METERS;

/** Candidates of whom judges are drawn; a random part of those of a large community. */
const CANDIDATES_MAX = 1000;

const voters = sql<number>`ifnull((select voters from game_pool where game = 'check'), 0)`;

/**
 * Draws judges of proven players of other home brands who voted recently, are not near the member as far as is known, vote with no ring, and have no block
 * with the member. Shuffled, because whoever could choose the judges would choose accounts of their own.
 */
async function drawFromCandidates({ db, now }: NotifyContext, profileId: number) {
  const rows = await db
    .selectFrom("profile as p")
    .innerJoin("account as own", "own.id", "p.id")
    .innerJoin("person_check as k", "k.profile_id", "p.id")
    .crossJoin(indexedBy("game_record", "r", "game_record_proven"))
    .innerJoin("account as a", "a.id", "r.profile_id")
    .innerJoin("profile as j", "j.id", "r.profile_id")
    .leftJoin("position as s", "s.profile_id", "r.profile_id")
    .select(["r.profile_id as id", "a.network", "a.ts_created as tsJoined", "s.key", "k.key as own_key"])
    .select(["own.network as own_network", "own.ts_created as own_joined"])
    .select(sql<number>`count(*) over ()`.as("total"))
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
    .where(voters, ">=", sql.lit(CONSENSUS_VOTERS_MIN))
    .orderBy(sql`random()`)
    .limit(CANDIDATES_MAX)
    .execute();
  // Who has no position now is asked for it before the pictures are shown.
  const candidates = rows.filter(({ key, own_key }) => own_key !== null && (key === null || isElsewhere(key, own_key)));
  const [first] = rows;
  if (!first) return undefined;
  const own = { network: first.own_network, tsJoined: first.own_joined };
  return drawJudges(candidates, (first.total * candidates.length) / rows.length, own);
}

/** Draws the judges, who find the check when they play, or sends it to staff if there are not enough of them. */
export async function startPanel(ctx: NotifyContext, profileId: number): Promise<void> {
  const { db, d1, now } = ctx;
  const { judges, needed } = (await drawFromCandidates(ctx, profileId)) ?? { judges: [], needed: 0 };
  if (judges.length === 0) return sendToStaff(ctx, profileId);
  const seats = db.selectFrom(itemsOf(judges, "d")).select("d.value as judge_id");
  await batch(d1, [
    insertFrom(db, "person_check_seat", seats, { profile_id: profileId }),
    db
      .updateTable("person_check")
      .set({ answers_needed: needed, ts_due: now + CHECK_JUDGED_MAX_MS })
      .where("profile_id", "=", profileId)
      .where("state", "=", "judging"),
  ]);
}

export async function sendToStaff(ctx: NotifyContext, profileId: number): Promise<void> {
  const { db, now } = ctx;
  const [sent] = await batch(ctx.d1, [
    db
      .updateTable("person_check")
      .set({ state: "staff", ts_due: now + CHECK_STAFF_WAIT_MS })
      .where("profile_id", "=", profileId)
      .where("state", "=", "judging")
      .returning("profile_id"),
    deleteSeatsQuery(ctx, profileId),
  ]);
  if (sent.length > 0) await announceVerdict(ctx, profileId, { state: "staff", ts_checked: null }, "players");
}

/** Ends the check once the answers are enough for a verdict. */
export async function applyAnswers(ctx: NotifyContext, profileId: number): Promise<void> {
  const rows = await ctx.db
    .selectFrom("person_check_seat as s")
    .innerJoin("person_check as k", "k.profile_id", "s.profile_id")
    .select(["s.answer", "k.answers_needed as needed"])
    .where("s.profile_id", "=", profileId)
    .where("s.answer", "is not", null)
    .execute();
  const [first] = rows;
  // An answer that does not count has come before all others.
  if (!first) return;
  const verdict = verdictOf(
    rows.flatMap(({ answer }) => answer ?? []),
    first.needed,
  );
  if (verdict === undefined) return;
  const [[decided]] = await batch(ctx.d1, [
    verdictQuery(ctx, profileId, verdict, "players"),
    deleteSeatsQuery(ctx, profileId),
  ]);
  if (decided) await announceVerdict(ctx, profileId, decided, "players");
}

const DUE_PER_RUN_MAX = 50;

/** Scheduled: sends to staff what players left undecided, and ends what staff did. */
export async function maintainChecks(env: Env, now: number): Promise<void> {
  const db = openDatabase(env.DB);
  const due = await db
    .selectFrom("person_check as k")
    .select(["k.profile_id", "k.state"])
    .where("k.ts_due", "<=", now)
    .orderBy("k.ts_due")
    .limit(DUE_PER_RUN_MAX)
    .execute();
  const ctx = scheduledContext(env, BRANDS[0].id, now);
  await forEachDue(due, async ({ profile_id: id, state }) => {
    if (state === "judging") return sendToStaff(ctx, id);
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
