import type { VoteResult } from "@lambda/contract/games";
import { DAY_MS } from "@lambda/contract/limits";
import { sql } from "kysely";
import { batch, type Compiled } from "../../platform/db/batch.ts";
import { failedGuard, guard } from "../../platform/db/guard.ts";
import { AppError } from "../../platform/errors.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { bookCredits } from "../credits/ledger.ts";
import { callStaff, settleItem } from "./effects.ts";
import { type OpenItem, openItem, takeOut } from "./pack.ts";
import { type PlayerRow, parseRecord, recordOf, toPlayerRecord, type VoteGame } from "./record.ts";
import {
  addVote,
  isDoubted,
  isProven,
  mayTest,
  NO_VOTES,
  recordVote,
  type Tally,
  verdictOf,
  weightOf,
} from "./rules.ts";

/** Votes of one player, or on one item, at once make us count again; more than this many in a row is a fault. */
const TRIES = 8;
/** Accounts that joined within one such span may be one person. */
const JOINED_TOGETHER_MS = 7 * DAY_MS;

/**
 * Takes a vote on an item that was drawn for this member, and acts when votes agree. Throws NOT_FOUND for an item that was not
 * drawn for the member, that has the member's vote, or whose subject the member may not see any more.
 */
export async function castGameVote(
  ctx: MemberContext,
  game: VoteGame,
  itemNumber: number,
  answer: string,
): Promise<VoteResult> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await castOnce(ctx, game, itemNumber, answer);
    } catch (error) {
      if (tries === TRIES || !failedGuard(error)) throw error;
    }
  }
}

async function castOnce(ctx: MemberContext, game: VoteGame, itemNumber: number, answer: string): Promise<VoteResult> {
  const { db, now, viewer } = ctx;
  const me = viewer.profileId;
  const { item, player } = await openItem(ctx, game, itemNumber);
  const stored = recordOf(player);
  const before = parseRecord(stored);
  const accountAgeMs = now - player.ts_joined;
  const weight = weightOf(before, accountAgeMs);
  const tally = addVote(parseTally(item), { answer, weight, accountAgeMs, group: groupOf(player), ts: now });
  const elapsedMs = now - Math.max(item.ts_drawn, stored?.ts_last ?? 0);
  const after = recordVote(before, { answer, known: item.known, elapsedMs });
  const right = item.known === null ? null : item.known === answer;
  const streak = right === null ? (stored?.streak ?? 0) : right ? (stored?.streak ?? 0) + 1 : 0;
  const bestStreak = Math.max(streak, stored?.best_streak ?? 0);
  const proven = isProven(after, accountAgeMs) ? 1 : 0;
  const queries: Compiled[] = [
    // Record and tally are written as a whole, so they must be those that were read: each vote adds one to both.
    guard(
      db,
      sql<boolean>`ifnull((select votes from game_record where profile_id = ${me} and game = ${game}), 0) = ${before.votes}
        and exists (select 1 from game_item where id = ${item.id} and votes = ${item.votes} and tally = ${item.tally})`,
    ),
    sql`insert into game_vote (item_id, voter_id, answer, weight, ts_created) values (${item.id}, ${me}, ${answer}, ${weight}, ${now})`.compile(
      db,
    ),
    takeOut(ctx, game, itemNumber),
    sql`update game_item set votes = votes + 1, tally = ${JSON.stringify(tally)} where id = ${item.id}`.compile(db),
    sql`insert into game_record (profile_id, game, votes, known, answers, too_fast, proven, ring, streak, best_streak, ts_last)
      values (${me}, ${game}, ${after.votes}, ${JSON.stringify(after.known)}, ${JSON.stringify(after.answers)}, ${after.tooFast}, ${proven}, ${after.ring}, ${streak}, ${bestStreak}, ${now})
      on conflict (profile_id, game) do update set votes = excluded.votes, known = excluded.known, answers = excluded.answers,
        too_fast = excluded.too_fast, proven = excluded.proven, streak = excluded.streak, best_streak = excluded.best_streak,
        ts_last = excluded.ts_last`.compile(db),
  ];
  // Known items alone are paid: what the others say is no measure of an honest vote.
  if (right) queries.push(bookCredits(ctx, me, game, String(item.id), 1));
  let rows: unknown[][];
  try {
    rows = await batch<unknown[][]>(ctx.d1, queries);
  } catch (error) {
    if (/UNIQUE constraint failed: game_vote/.test(String(error))) throw new AppError("NOT_FOUND");
    throw error;
  }
  const earned = right ? ((rows.at(-1) as { amount: number }[])[0]?.amount ?? 0) : 0;
  const settled = await actOn(ctx, item, tally);
  return {
    right,
    answer: item.known,
    settled,
    creditsEarned: earned,
    record: toPlayerRecord(after, accountAgeMs, { streak, bestStreak, credits: player.credits + earned }),
  };
}

function parseTally({ tally }: OpenItem): Tally {
  return { ...NO_VOTES, ...(JSON.parse(tally) as Partial<Tally>) };
}

/** Whom to take for one person: those who registered from one network, or, where that is not known (any more), in one week. */
function groupOf({ network, ts_joined: joined }: PlayerRow): string {
  return network !== null ? `n${network}` : `w${Math.floor(joined / JOINED_TOGETHER_MS)}`;
}

/** What the votes so far lead to; answers whether it was settled now. What waits for staff is theirs. */
async function actOn(ctx: MemberContext, item: OpenItem, tally: Tally): Promise<boolean> {
  const voters = item.voters ?? 0;
  if (item.staff_why !== null) return false;
  if (item.known !== null && item.by_staff === 1) {
    if (isDoubted(tally, item.known, voters)) await callStaff(ctx, item.id, "doubted");
    return false;
  }
  // A text whose origin is known, or a person's own words: nobody's votes change the former.
  if (item.picture_id === null && item.subject_id === null) return false;
  const verdict = verdictOf(tally, voters);
  if (verdict?.by === "staff") {
    await callStaff(ctx, item.id, verdict.why);
    return false;
  }
  if (verdict?.by !== "votes") return false;
  const asked = item.ts_look !== null && item.ts_look > (item.ts_decided ?? 0);
  if (verdict.answer !== item.answer || asked) {
    await settleItem(ctx, item, { ...verdict, votes: tally.votes });
    return true;
  }
  if (item.known === null && mayTest(tally, verdict.answer, item.ts_decided ?? ctx.now, ctx.now)) {
    const tests = { known: verdict.answer };
    await ctx.db.updateTable("game_item").set(tests).where("id", "=", item.id).where("known", "is", null).execute();
  }
  return false;
}
