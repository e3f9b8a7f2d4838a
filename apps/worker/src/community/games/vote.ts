import type { VoteResult } from "@lambda/contract/games";
import { DAY_MS } from "@lambda/contract/limits";
import { sql } from "kysely";
import { batch, type Compiled } from "../../platform/db/batch.ts";
import { failedGuard, guardQuery } from "../../platform/db/guard.ts";
import { AppError } from "../../platform/errors.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { awardCreditsQuery } from "../credits/ledger.ts";
import type { CommitAnswer } from "./commit.ts";
import { sendToStaff, settleItem } from "./effects.ts";
import { type OpenItem, openItem } from "./open-item.ts";
import { consumeItemQuery } from "./pack.ts";
import { type PlayerRow, parseRecord, recordOf, toPlayerRecord, type VoteGame } from "./record.ts";
import {
  addVote,
  isDoubted,
  isProven,
  mayTest,
  NO_VOTES,
  type PlayRecord,
  recordVote,
  type Tally,
  verdictOf,
  weightOf,
} from "./rules.ts";

/** Simultaneous votes of one player or on one item are counted again; more failures in a row than this are a fault. */
const ATTEMPTS_MAX = 8;
/** Accounts that joined within one such span may belong to one person. */
const JOINED_TOGETHER_MS = 7 * DAY_MS;

interface Vote {
  readonly game: VoteGame;
  /** Under which the item was issued to the player. */
  readonly number: number;
  readonly answer: string;
}

/**
 * Takes a vote on an item that was issued to this member, and acts when votes agree. Throws NOT_FOUND for any other item, for
 * one that has the member's vote, and for one whose subject the member may not see any more.
 */
export async function castGameVote(ctx: MemberContext, commit: CommitAnswer, vote: Vote): Promise<VoteResult> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await castOnce(ctx, commit, vote);
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || !failedGuard(error)) throw error;
    }
  }
}

async function castOnce(ctx: MemberContext, commit: CommitAnswer, vote: Vote): Promise<VoteResult> {
  const { item, player } = await openItem(ctx, vote.game, vote.number);
  const counted = countVote(item, player, vote.answer, ctx.now);
  const creditsEarned = await storeVote(ctx, vote, item, counted);
  const settled = await actOn(ctx, commit, item, counted.tally);
  const { after, accountAgeMs, streak, bestStreak, right } = counted;
  const credits = player.credits + creditsEarned;
  const record = toPlayerRecord(after, accountAgeMs, { streak, bestStreak, credits });
  return { right, answer: item.known, settled, creditsEarned, record };
}

/** What one vote changes in the item's tally and in the player's record. */
interface CountedVote {
  readonly weight: number;
  readonly tally: Tally;
  readonly before: PlayRecord;
  readonly after: PlayRecord;
  readonly accountAgeMs: number;
  /** Null: the item has no known answer. */
  readonly right: boolean | null;
  readonly streak: number;
  readonly bestStreak: number;
}

function countVote(item: OpenItem, player: PlayerRow, answer: string, now: number): CountedVote {
  const stored = recordOf(player);
  const before = parseRecord(stored);
  const accountAgeMs = now - player.ts_joined;
  const weight = weightOf(before, accountAgeMs);
  const tally = addVote(parseTally(item), { answer, weight, accountAgeMs, group: groupOf(player), ts: now });
  const elapsedMs = now - Math.max(item.ts_drawn, stored?.ts_last ?? 0);
  const after = recordVote(before, { answer, known: item.known, elapsedMs });
  const right = item.known === null ? null : item.known === answer;
  const streakBefore = stored?.streak ?? 0;
  const streak = right === null ? streakBefore : right ? streakBefore + 1 : 0;
  const bestStreak = Math.max(streak, stored?.best_streak ?? 0);
  return { weight, tally, before, after, accountAgeMs, right, streak, bestStreak };
}

/** Writes a vote; answers the credits that it earned. Throws NOT_FOUND when the member voted on the item meanwhile. */
async function storeVote(ctx: MemberContext, vote: Vote, item: OpenItem, counted: CountedVote): Promise<number> {
  const { db, now, viewer } = ctx;
  const { game, number, answer } = vote;
  const { weight, tally, before, right } = counted;
  const me = viewer.profileId;
  const queries: Compiled[] = [
    // Record and tally are overwritten, so they must still be those that were read: each vote adds one to both.
    guardQuery(
      db,
      sql<boolean>`ifnull((select votes from game_record where profile_id = ${me} and game = ${game}), 0) = ${before.votes}
        and exists (select 1 from game_item where id = ${item.id} and votes = ${item.votes} and tally = ${item.tally})`,
    ),
    db.insertInto("game_vote").values({ item_id: item.id, voter_id: me, answer, weight, ts_created: now }).compile(),
    consumeItemQuery(ctx, game, number),
    db
      .updateTable("game_item")
      .set({ votes: sql<number>`votes + 1`, tally: JSON.stringify(tally) })
      .where("id", "=", item.id)
      .compile(),
    upsertRecordQuery(ctx, game, counted),
  ];
  // Known items alone are paid: what the others say is no measure of an honest vote.
  if (right) queries.push(awardCreditsQuery(ctx, me, game, String(item.id), 1));
  try {
    const rows = await batch<unknown[][]>(ctx.d1, queries);
    return right ? ((rows.at(-1) as { amount: number }[])[0]?.amount ?? 0) : 0;
  } catch (error) {
    if (/UNIQUE constraint failed: game_vote/.test(String(error))) throw new AppError("NOT_FOUND");
    throw error;
  }
}

function upsertRecordQuery({ db, now, viewer }: MemberContext, game: VoteGame, counted: CountedVote): Compiled {
  const { after, accountAgeMs, streak, bestStreak } = counted;
  const proven = isProven(after, accountAgeMs) ? 1 : 0;
  const { votes, known, answers, tooFast, ring } = after;
  const record = {
    votes,
    known: JSON.stringify(known),
    answers: JSON.stringify(answers),
    too_fast: tooFast,
    proven,
    streak,
    best_streak: bestStreak,
    ts_last: now,
  } as const;
  return db
    .insertInto("game_record")
    .values({ profile_id: viewer.profileId, game, ring, ...record })
    .onConflict((conflict) => conflict.columns(["profile_id", "game"]).doUpdateSet(record))
    .compile();
}

function parseTally({ tally }: OpenItem): Tally {
  return { ...NO_VOTES, ...(JSON.parse(tally) as Partial<Tally>) };
}

/** Accounts that count as one person: those registered from one network or, where it is not known any more, in one week. */
function groupOf({ network, ts_joined: joined }: PlayerRow): string {
  return network !== null ? `n${network}` : `w${Math.floor(joined / JOINED_TOGETHER_MS)}`;
}

/** Acts on the votes so far; answers whether they settled the item now. Items that wait for staff are left to staff. */
async function actOn(ctx: MemberContext, commit: CommitAnswer, item: OpenItem, tally: Tally): Promise<boolean> {
  const voters = item.voters ?? 0;
  if (item.staff_why !== null) return false;
  if (item.known !== null && item.by_staff === 1) {
    if (isDoubted(tally, item.known, voters)) await sendToStaff(ctx, item.id, "doubted");
    return false;
  }
  // A text whose origin is known, or a person's own words: nobody's votes change the former.
  if (item.picture_id === null && item.subject_id === null) return false;
  const verdict = verdictOf(tally, voters);
  if (verdict?.by === "staff") {
    await sendToStaff(ctx, item.id, verdict.why);
    return false;
  }
  if (verdict?.by !== "votes") return false;
  const asked = item.ts_review_asked !== null && item.ts_review_asked > (item.ts_decided ?? 0);
  if (verdict.answer !== item.answer || asked) {
    // What voters say of a picture or a profile may change who sees it.
    ctx.changes.aboutOthers += 1;
    await settleItem(ctx, commit, item, { ...verdict, votes: tally.votes });
    return true;
  }
  if (item.known === null && mayTest(tally, verdict.answer, item.ts_decided ?? ctx.now, ctx.now)) {
    const tests = { known: verdict.answer };
    await ctx.db.updateTable("game_item").set(tests).where("id", "=", item.id).where("known", "is", null).execute();
  }
  return false;
}
