import type { VoteResult } from "@lambda/contract/games";
import { type RawBuilder, sql } from "kysely";
import { batch, guardQuery, type Query, retryIfOvertaken } from "../platform/db/database.ts";
import { AppError } from "../platform/errors.ts";
import type { MemberContext } from "../platform/trpc.ts";
import type { CommitAnswer } from "./commit.ts";
import { awardCreditsQuery } from "./credits/ledger.ts";
import { escalateToStaff, settleItem } from "./effects.ts";
import { type OpenItem, openItem } from "./open-item.ts";
import { consumeItemQuery } from "./pack.ts";
import { type PackGame, type PlayerRow, parseRecord, recordOf, toPlayerRecord, type VoteGame } from "./record.ts";
import {
  addVote,
  canBecomeTestItem,
  groupOf,
  isDoubted,
  isProven,
  NO_VOTES,
  type PlayRecord,
  recordVote,
  type Tally,
  verdictOf,
  weightOf,
} from "./rules.ts";

interface Vote {
  readonly game: VoteGame;
  /** The number under which the item was issued to the player. */
  readonly itemId: number;
  readonly answer: string;
}

/**
 * Stores a vote on an item issued to this member, and applies the verdict if votes agree. Throws NOT_FOUND for any other item, for one already
 * voted on, and for one whose subject is no longer visible to the member.
 */
export function castGameVote(ctx: MemberContext, commit: CommitAnswer, vote: Vote): Promise<VoteResult> {
  return retryIfOvertaken(() => tryVote(ctx, commit, vote));
}

async function tryVote(ctx: MemberContext, commit: CommitAnswer, vote: Vote): Promise<VoteResult> {
  const { item, player } = await openItem(ctx, vote.game, vote.itemId);
  const counted = countVote(item, player, vote.answer, ctx.now);
  const creditsEarned = await storeVote(ctx, vote, item, counted);
  const settled = await applyVotes(ctx, commit, item, counted.tally);
  const { after, accountAgeMs, streak, bestStreak, right } = counted;
  const credits = player.credits + creditsEarned;
  const record = toPlayerRecord(after, accountAgeMs, { streak, bestStreak, credits });
  return { right, answer: item.known, settled, creditsEarned, record };
}

/** What one vote changes in the player's record. */
type CountedRecord = ReturnType<typeof countInRecord>;
type CountedVote = ReturnType<typeof countVote>;

export function countInRecord(
  item: Pick<OpenItem, "known" | "ts_drawn">,
  player: PlayerRow,
  answer: string,
  now: number,
) {
  const stored = recordOf(player);
  const before = parseRecord(stored);
  const accountAgeMs = now - player.ts_joined;
  const elapsedMs = now - Math.max(item.ts_drawn, stored?.ts_last ?? 0);
  const after = recordVote(before, { answer, known: item.known, elapsedMs });
  // Null if the item has no known answer.
  const right = item.known === null ? null : item.known === answer;
  const streakBefore = stored?.streak ?? 0;
  const streak = right === null ? streakBefore : right ? streakBefore + 1 : 0;
  const bestStreak = Math.max(streak, stored?.best_streak ?? 0);
  return { weight: weightOf(before, accountAgeMs), before, after, accountAgeMs, right, streak, bestStreak };
}

function countVote(item: OpenItem, player: PlayerRow, answer: string, now: number) {
  const counted = countInRecord(item, player, answer, now);
  const { weight, accountAgeMs } = counted;
  const group = groupOf(player.network, player.ts_joined);
  return { ...counted, tally: addVote(parseTally(item), { answer, weight, accountAgeMs, group, ts: now }) };
}

/** Stores a vote; returns the credits it earned. Throws NOT_FOUND if the member has voted on the item in the meantime. */
async function storeVote(ctx: MemberContext, vote: Vote, item: OpenItem, counted: CountedVote): Promise<number> {
  const { db, now, viewer } = ctx;
  const { game, itemId, answer } = vote;
  const { weight, tally, before, right } = counted;
  const me = viewer.profileId;
  const queries: Query[] = [
    // Record and tally are overwritten, so they must be unchanged since they were read; each vote increments both.
    guardQuery(
      db,
      sql<boolean>`${recordUnchanged(ctx, game, before)}
        and exists (select 1 from game_item where id = ${item.id} and votes = ${item.votes} and tally = ${item.tally})`,
    ),
    db.insertInto("game_vote").values({ item_id: item.id, voter_id: me, answer, weight, ts_created: now }),
    consumeItemQuery(ctx, game, itemId),
    db
      .updateTable("game_item")
      .set({ votes: sql<number>`votes + 1`, tally: JSON.stringify(tally) })
      .where("id", "=", item.id),
    upsertRecordQuery(ctx, game, counted),
  ];
  // Only test items are paid: for others nobody can say whether the vote is honest.
  if (right) queries.push(awardCreditsQuery(ctx, me, game, String(item.id), 1));
  try {
    const rows = await batch(ctx.d1, queries);
    return right ? ((rows.at(-1) as { amount: number }[])[0]?.amount ?? 0) : 0;
  } catch (error) {
    if (/UNIQUE constraint failed: game_vote/.test(String(error))) throw new AppError("NOT_FOUND");
    throw error;
  }
}

/** No other vote of the player changed the record since it was read. */
export function recordUnchanged({ viewer }: MemberContext, game: PackGame, { votes }: PlayRecord): RawBuilder<boolean> {
  return sql<boolean>`ifnull((select votes from game_record where profile_id = ${viewer.profileId} and game = ${game}), 0) = ${votes}`;
}

export function upsertRecordQuery({ db, now, viewer }: MemberContext, game: PackGame, counted: CountedRecord): Query {
  const { after, accountAgeMs, streak, bestStreak } = counted;
  const proven = isProven(after, accountAgeMs) ? 1 : 0;
  const { votes, known, answers, tooFast, collusion } = after;
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
    .values({ profile_id: viewer.profileId, game, collusion, ...record })
    .onConflict((conflict) => conflict.columns(["profile_id", "game"]).doUpdateSet(record));
}

const parseTally = ({ tally }: OpenItem): Tally => ({ ...NO_VOTES, ...(JSON.parse(tally) as Partial<Tally>) });

/** Applies the verdict of the votes; returns whether they settled the item. Leaves items that wait for staff to staff. */
async function applyVotes(ctx: MemberContext, commit: CommitAnswer, item: OpenItem, tally: Tally): Promise<boolean> {
  const voters = item.voters ?? 0;
  if (item.staff_reason !== null) return false;
  if (item.known !== null && item.by_staff === 1) {
    if (isDoubted(tally, item.known, voters)) await escalateToStaff(ctx, item.id, "doubted");
    return false;
  }
  // Votes never change a text of known origin.
  if (item.picture_id === null && item.subject_id === null) return false;
  const verdict = verdictOf(tally, voters);
  if (verdict?.by === "staff") {
    await escalateToStaff(ctx, item.id, verdict.why);
    return false;
  }
  if (verdict?.by !== "votes") return false;
  const isReviewRequested = item.ts_review_asked !== null && item.ts_review_asked > (item.ts_decided ?? 0);
  if (verdict.answer !== item.answer || isReviewRequested) {
    // The verdict may change who sees the picture or profile.
    ctx.changes.aboutOthers += 1;
    await settleItem(ctx, commit, item, { ...verdict, votes: tally.votes });
    return true;
  }
  if (item.known === null && canBecomeTestItem(tally, verdict.answer, item.ts_decided ?? ctx.now, ctx.now)) {
    await ctx.db
      .updateTable("game_item")
      .set({ known: verdict.answer })
      .where("id", "=", item.id)
      .where("known", "is", null)
      .execute();
  }
  return false;
}
