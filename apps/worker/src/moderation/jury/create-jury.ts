import { JUROR_CLEAN_RECORD_MS, JUROR_CONVERSATIONS_MIN } from "@lambda/contract/limits";
import { sql } from "kysely";
import { wroteTo } from "../../messaging/wrote-to.ts";
import type { NotifyContext } from "../../notifications/notify.ts";
import { itemsOf, passesGuards } from "../../platform/db/database.ts";
import { secretRandom, shuffle } from "../../platform/shuffle.ts";
import { blockedBy, presentOn } from "../../visibility/visibility.ts";
import type { CaseEvent } from "../case/case.ts";
import { advanceCase } from "../effects/advance-case.ts";
import type { CaseHeader, FoundCase } from "../effects/find-case.ts";
import {
  CANDIDATES_CHECKED_MAX,
  type Candidate,
  canServe,
  type Draw,
  drawJury,
  estimatePool,
  isQualified,
  type PoolMember,
} from "./draw-rules.ts";

/** Upper bound of `profile.random_order`. */
const MEMBER_ORDER_END = 2 ** 32;
/** Members read at first: on a small site all, so that its few weeks of joining are all considered; elsewhere mostly enough who can serve. */
const SAMPLE_SIZE = 450;
/** Members read instead if not enough of them are. */
const SAMPLE_MAX = 4000;

type DrawWithPool = Draw & { readonly pool: number };

/**
 * Draws jurors without contact to the case's sides, or returns why its pool is unfit. Empty seats are never redrawn. Reads as many members on
 * a large site as on a small one: those who follow a random place in the secret random order.
 */
export async function drawJurorsForCase(ctx: NotifyContext, { id }: Pick<FoundCase, "id">): Promise<DrawWithPool> {
  const parties = await listParties(ctx, id);
  const start = Math.floor(secretRandom() * MEMBER_ORDER_END);
  let sample = await readSample(ctx, parties, start, SAMPLE_SIZE);
  if (sample.eligible.length < CANDIDATES_CHECKED_MAX && sample.covered < 1)
    sample = await readSample(ctx, parties, start, SAMPLE_MAX);
  const eligible = shuffle(sample.eligible, secretRandom);
  const checked = eligible.slice(0, CANDIDATES_CHECKED_MAX);
  const candidates = await listCandidates(ctx, checked, id, parties);
  const qualified = candidates.filter(isQualified).length;
  const pool = estimatePool({
    covered: sample.covered,
    eligible: eligible.length,
    checked: checked.length,
    qualified,
  });
  const sideNetworks = await listNetworks(ctx, parties);
  return { ...drawJury({ candidates, size: pool, sideNetworks }, secretRandom, ctx.now), pool };
}

interface Sample {
  readonly eligible: PoolMember[];
  /** Share of the random order that was read; 1 if it was read around to its start. */
  readonly covered: number;
}

async function readSample(
  ctx: NotifyContext,
  parties: readonly number[],
  start: number,
  size: number,
): Promise<Sample> {
  const part = (side: ">=" | "<") =>
    ctx.db
      .selectFrom("profile as p")
      .select(["p.id", "p.random_order", "p.ts_seen", "p.listed_on", "p.few_on"])
      .where("p.status", "=", sql.lit("active"))
      .where("p.random_order", side, start)
      .orderBy("p.random_order")
      .limit(size)
      .as("part");
  const sampled = ctx.db
    .selectFrom(part(">="))
    .selectAll()
    .unionAll(ctx.db.selectFrom(part("<")).selectAll())
    .limit(size)
    .as("p");
  // The account is joined for all, since the sample's size and end are needed too.
  const rows = await ctx.db
    .selectFrom(sampled)
    .innerJoin("account as a", "a.id", "p.id")
    .leftJoin("juror_record as q", "q.profile_id", "p.id")
    .select(["p.id", "p.random_order", "a.ts_created as tsCreated", "p.ts_seen as tsSeen"])
    .select(["a.home_brand as homeBrand", "a.network", "a.admin_brand"])
    .select(({ fn, val }) => [
      fn.coalesce("q.opted_out", val(0)).as("optedOut"),
      fn.coalesce("q.voted", val(0)).as("voted"),
      fn.coalesce("q.overturned", val(0)).as("overturned"),
    ])
    .select(presentOn(ctx.brand).as("isPresent"))
    .select(sql<number | null>`(select max(r.ts_summoned) from juror r where r.profile_id = p.id)`.as("tsSummoned"))
    .execute();
  const sides = new Set(parties);
  const ends = rows.map((row) => (row.random_order - start + MEMBER_ORDER_END) % MEMBER_ORDER_END);
  const eligible = rows
    .filter((row) => Number(row.isPresent) === 1 && row.admin_brand === null && !sides.has(row.id))
    .map(({ id, tsCreated, tsSeen, homeBrand, network, optedOut, voted, overturned, tsSummoned }) => ({
      ...{ id, tsCreated, tsSeen, homeBrand, network, voted, overturned, tsSummoned },
      optedOut: optedOut === 1,
    }))
    .filter((member) => canServe(member, ctx.now));
  return { eligible, covered: rows.length < size ? 1 : (Math.max(...ends) + 1) / MEMBER_ORDER_END };
}

/** Only a candidate's own acts count as contact, so that a side cannot exclude anybody by contacting them. */
async function listCandidates(
  ctx: NotifyContext,
  members: readonly PoolMember[],
  reportId: number,
  parties: readonly number[],
): Promise<Candidate[]> {
  const conversations = sql<number>`(select count(*) from (select 1 from conversation t where t.profile_id = c.value
    limit ${sql.lit(JUROR_CONVERSATIONS_MIN)}))`;
  const sanctioned = sql<number>`exists (select 1 from moderation_action m where m.profile_id = c.value
    and m.ts_created > ${ctx.now - JUROR_CLEAN_RECORD_MS} and m.lifted_by is not 'appeal')`;
  const served = sql<number>`exists (select 1 from juror r join jury j on j.id = r.jury_id
    where r.profile_id = c.value and j.report_id = ${reportId})`;
  const metSide = sql<number>`exists (select 1 from json_each(${JSON.stringify(parties)}) side where
        ${wroteTo(sql.ref("c.value"), sql.ref("side.value"))}
        or ${blockedBy(sql.ref("c.value"), sql.ref("side.value"))}
        or exists (select 1 from profile_like l where l.liker_id = c.value and l.liked_id = side.value)
        or exists (select 1 from picture_like l where l.owner_id = side.value and l.liker_id = c.value)
        or exists (select 1 from profile_note n where n.author_id = c.value and n.about_id = side.value)
        or exists (select 1 from album_grant g where g.owner_id = c.value and g.member_id = side.value and g.state = 'granted')
        or exists (select 1 from album_grant g where g.owner_id = side.value and g.member_id = c.value and g.state = 'requested')
        or exists (select 1 from report_filing f join report r on r.id = f.report_id
          where f.reporter_id = c.value and r.subject_id = side.value))`;
  const ids = members.map((member) => member.id);
  const rows = await ctx.db
    .selectFrom(itemsOf(ids, "c"))
    .select([
      "c.value as id",
      conversations.as("conversations"),
      sanctioned.as("sanctioned"),
      served.as("served"),
      metSide.as("metSide"),
    ])
    .execute();
  const rowsById = new Map(rows.map((row) => [row.id, row]));
  return members.flatMap((member) => {
    const row = rowsById.get(member.id);
    if (!row) return [];
    const flags = { sanctioned: row.sanctioned === 1, served: row.served === 1, metSide: row.metSide === 1 };
    return [{ ...member, conversations: row.conversations, ...flags }];
  });
}

async function listNetworks(ctx: NotifyContext, ids: readonly number[]): Promise<number[]> {
  const rows = await ctx.db
    .selectFrom(itemsOf(ids, "s"))
    .innerJoin("account as a", "a.id", "s.value")
    .select("a.network")
    .where("a.network", "is not", null)
    .$narrowType<{ network: number }>()
    .execute();
  return rows.map((row) => row.network);
}

/** The member whom the case is about, and those who reported them. */
async function listParties({ db }: NotifyContext, id: number): Promise<number[]> {
  const reporters = db
    .selectFrom("report_filing")
    .select("reporter_id as id")
    .where("report_id", "=", id)
    .where("reporter_id", "is not", null)
    .$narrowType<{ id: number }>();
  const rows = await db.selectFrom("report").select("subject_id as id").where("id", "=", id).union(reporters).execute();
  return rows.map((row) => row.id);
}

/** Seats a jury on a new case, or leaves it to staff. */
export async function createFirstJury(ctx: NotifyContext, newCase: CaseHeader & Pick<FoundCase, "id">): Promise<void> {
  const draw = await drawJurorsForCase(ctx, newCase);
  const event: CaseEvent =
    "problem" in draw ? { type: "poolUnfit", problem: draw.problem } : { type: "juryDrawn", ...draw };
  // Staff may decide the case in the meantime.
  await passesGuards(advanceCase(ctx, newCase, event));
}
