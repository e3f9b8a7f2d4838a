import type { VoteResult } from "@lambda/contract/games";
import { sql } from "kysely";
import { batch, type Compiled } from "../../db/batch.ts";
import { AppError } from "../../errors.ts";
import type { MemberContext } from "../../trpc.ts";
import { bookCredits } from "../credits/ledger.ts";
import { failedGuard, guard } from "../moderation/guard.ts";
import { settleItem } from "./effects.ts";
import { openItem, takeOut } from "./pack.ts";
import { ANSWERS, parseRecord, toPlayerRecord, type VoteGame } from "./record.ts";
import { consensusOf, recordVote, weightOf } from "./rules.ts";

/** Votes of one player at once make us count again; more than this many in a row is a fault. */
const TRIES = 8;

/**
 * Takes a vote on an item that was drawn for this member, and settles the item when votes agree. Throws NOT_FOUND for an item
 * that was not drawn for him, that he voted on before, or whose subject he may not see any more.
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
  const itemId = item.id;
  const row = player?.votes === null ? undefined : player;
  const before = parseRecord(row);
  const weight = weightOf(before, ANSWERS[game].length);
  const elapsedMs = now - Math.max(item.ts_drawn, row?.ts_last ?? 0);
  const after = recordVote(before, { answer, known: item.known, elapsedMs });
  const right = item.known === null ? null : item.known === answer;
  const streak = right === null ? (row?.streak ?? 0) : right ? (row?.streak ?? 0) + 1 : 0;
  const bestStreak = Math.max(streak, row?.best_streak ?? 0);
  const queries: Compiled[] = [
    // The record is written as a whole, so it must be the one that was read: each vote adds one.
    guard(
      db,
      sql<boolean>`ifnull((select votes from game_record where profile_id = ${me} and game = ${game}), 0) = ${before.votes}`,
    ),
    sql`insert into game_vote (item_id, voter_id, answer, weight, ts_created) values (${itemId}, ${me}, ${answer}, ${weight}, ${now})`.compile(
      db,
    ),
    takeOut(ctx, game, itemNumber),
    sql`update game_item set votes = votes + 1 where id = ${itemId}`.compile(db),
    sql`insert into game_record (profile_id, game, votes, known, answers, too_fast, ring, streak, best_streak, ts_last)
      values (${me}, ${game}, ${after.votes}, ${JSON.stringify(after.known)}, ${JSON.stringify(after.answers)}, ${after.tooFast}, ${after.ring}, ${streak}, ${bestStreak}, ${now})
      on conflict (profile_id, game) do update set votes = excluded.votes, known = excluded.known, answers = excluded.answers,
        too_fast = excluded.too_fast, streak = excluded.streak, best_streak = excluded.best_streak, ts_last = excluded.ts_last`.compile(
      db,
    ),
  ];
  const open = item.known === null && item.answer === null;
  const allVotes = sql`select answer, weight from game_vote where item_id = ${itemId}`;
  if (open) queries.push(allVotes.compile(db));
  // Known items alone are paid: what the others say is no measure of an honest vote.
  if (right) queries.push(bookCredits(ctx, me, game, String(itemId), 1));
  let rows: unknown[][];
  try {
    rows = await batch<unknown[][]>(ctx.d1, queries);
  } catch (error) {
    if (/UNIQUE constraint failed: game_vote/.test(String(error))) throw new AppError("NOT_FOUND");
    throw error;
  }
  const last = rows[rows.length - 1] ?? [];
  const votes = open ? (last as { answer: string; weight: number }[]) : [];
  const earned = right ? ((last as { amount: number }[])[0]?.amount ?? 0) : 0;
  const consensus = open ? consensusOf(votes) : undefined;
  if (consensus) await settleItem(ctx, itemId, consensus, votes.length);
  return {
    right,
    answer: item.known,
    settled: consensus !== undefined,
    creditsEarned: earned,
    record: toPlayerRecord(after, ANSWERS[game].length, streak, bestStreak, (player?.credits ?? 0) + earned),
  };
}
