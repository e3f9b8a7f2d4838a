import { BUSTER_ANSWERS, RATING_ANSWERS } from "@lambda/contract/game-answers";
import type { PlayerRecord, VoteResult } from "@lambda/contract/games";
import { sql } from "kysely";
import { batch, type Compiled } from "../../db/batch.ts";
import type { GameItemTable } from "../../db/community-tables.ts";
import { AppError } from "../../errors.ts";
import type { MemberContext } from "../../trpc.ts";
import { bookCredits } from "../credits/ledger.ts";
import { settleItem } from "./effects.ts";
import { accuracyOf, consensusOf, NEW_PLAYER, type PlayRecord, recordVote, weightOf } from "./rules.ts";

export type VoteGame = GameItemTable["game"];
export const ANSWERS: Record<VoteGame, readonly string[]> = { rating: RATING_ANSWERS, buster: BUSTER_ANSWERS };

export interface StoredRecord {
  readonly votes: number;
  readonly known: string;
  readonly answers: string;
  readonly too_fast: number;
  readonly ring: number;
  readonly streak: number;
  readonly best_streak: number;
  readonly ts_last: number;
}

export function parseRecord(row: StoredRecord | undefined): PlayRecord {
  if (!row) return NEW_PLAYER;
  return {
    votes: row.votes,
    known: JSON.parse(row.known) as PlayRecord["known"],
    answers: JSON.parse(row.answers) as PlayRecord["answers"],
    tooFast: row.too_fast,
    ring: row.ring,
  };
}

/**
 * Takes a vote on an item that was drawn for this member, and settles the item when votes agree. Throws NOT_FOUND for an item
 * that was not drawn for him, or that he voted on before.
 */
export async function castGameVote(
  ctx: MemberContext,
  game: VoteGame,
  itemId: number,
  answer: string,
): Promise<VoteResult> {
  const { db, now, viewer } = ctx;
  const me = viewer.profileId;
  const [drawn, records] = await batch<
    [{ known: string | null; answer: string | null; ts_drawn: number }[], (StoredRecord & { credits: number })[]]
  >(ctx.d1, [
    sql`select i.known, i.answer, d.ts_drawn from game_draw d join game_item i on i.id = d.item_id
      where d.profile_id = ${me} and d.item_id = ${itemId} and i.game = ${game}`.compile(db),
    sql`select r.*, p.credits from profile p left join game_record r on r.profile_id = p.id and r.game = ${game} where p.id = ${me}`.compile(
      db,
    ),
  ]);
  const item = drawn[0];
  if (!item) throw new AppError("NOT_FOUND");
  const row = records[0]?.votes === null ? undefined : records[0];
  const before = parseRecord(row);
  const weight = weightOf(before, ANSWERS[game].length);
  const elapsedMs = now - Math.max(item.ts_drawn, row?.ts_last ?? 0);
  const after = recordVote(before, { answer, known: item.known, elapsedMs });
  const right = item.known === null ? null : item.known === answer;
  const streak = right === null ? (row?.streak ?? 0) : right ? (row?.streak ?? 0) + 1 : 0;
  const bestStreak = Math.max(streak, row?.best_streak ?? 0);
  const queries: Compiled[] = [
    sql`insert into game_vote (item_id, voter_id, answer, weight, ts_created) values (${itemId}, ${me}, ${answer}, ${weight}, ${now})`.compile(
      db,
    ),
    sql`delete from game_draw where profile_id = ${me} and item_id = ${itemId}`.compile(db),
    sql`update game_item set votes = votes + 1 where id = ${itemId}`.compile(db),
    sql`insert into game_record (profile_id, game, votes, known, answers, too_fast, ring, streak, best_streak, ts_last)
      values (${me}, ${game}, ${after.votes}, ${JSON.stringify(after.known)}, ${JSON.stringify(after.answers)}, ${after.tooFast}, ${after.ring}, ${streak}, ${bestStreak}, ${now})
      on conflict (profile_id, game) do update set votes = excluded.votes, known = excluded.known, answers = excluded.answers,
        too_fast = excluded.too_fast, streak = excluded.streak, best_streak = excluded.best_streak, ts_last = excluded.ts_last`.compile(
      db,
    ),
    sql`select answer, weight from game_vote where item_id = ${itemId}`.compile(db),
  ];
  // Known items alone are paid: what the others say is no measure of an honest vote.
  if (right) queries.push(bookCredits(ctx, me, game, String(itemId), 1));
  let rows: unknown[][];
  try {
    rows = await batch<unknown[][]>(ctx.d1, queries);
  } catch (error) {
    if (/UNIQUE constraint failed: game_vote/.test(String(error))) throw new AppError("NOT_FOUND");
    throw error;
  }
  const votes = rows[4] as { answer: string; weight: number }[];
  const earned = right ? ((rows[5] as { amount: number }[])[0]?.amount ?? 0) : 0;
  const consensus = item.known === null && item.answer === null ? consensusOf(votes) : undefined;
  if (consensus) await settleItem(ctx, itemId, consensus, votes.length);
  return {
    right,
    answer: item.known,
    settled: consensus !== undefined,
    creditsEarned: earned,
    record: toPlayerRecord(after, ANSWERS[game].length, streak, bestStreak, (records[0]?.credits ?? 0) + earned),
  };
}

export async function readRecord(ctx: MemberContext, game: VoteGame | "identify"): Promise<PlayerRecord> {
  const { rows } = await sql<StoredRecord & { credits: number }>`
    select r.*, p.credits from profile p left join game_record r on r.profile_id = p.id and r.game = ${game}
    where p.id = ${ctx.viewer.profileId}`.execute(ctx.db);
  const row = rows[0];
  const stored = row && row.votes !== null ? row : undefined;
  const answers = game === "identify" ? 3 : ANSWERS[game].length;
  return toPlayerRecord(parseRecord(stored), answers, stored?.streak ?? 0, stored?.best_streak ?? 0, row?.credits ?? 0);
}

export function toPlayerRecord(
  record: PlayRecord,
  answers: number,
  streak: number,
  bestStreak: number,
  credits: number,
): PlayerRecord {
  const tested = Object.values(record.known).some(([seen]) => seen > 0);
  return {
    votes: record.votes,
    accuracy: tested ? accuracyOf(record.known) : null,
    weight: Math.round(weightOf(record, answers) * 100) / 100,
    streak,
    bestStreak,
    credits,
  };
}
