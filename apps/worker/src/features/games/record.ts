/** How a player stands in one game: his stored record, and what he is told of it. */
import { BUSTER_ANSWERS, RATING_ANSWERS } from "@lambda/contract/game-answers";
import type { PlayerRecord } from "@lambda/contract/games";
import { sql } from "kysely";
import type { GameItemTable } from "../../db/community-tables.ts";
import type { MemberContext } from "../../trpc.ts";
import { accuracyOf, NEW_PLAYER, type PlayRecord, weightOf } from "./rules.ts";

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

export type RecordRow = StoredRecord & { readonly credits: number };

export function findRecord(ctx: MemberContext, game: VoteGame | "identify") {
  return sql<RecordRow>`
    select r.*, p.credits from profile p left join game_record r on r.profile_id = p.id and r.game = ${game}
    where p.id = ${ctx.viewer.profileId}`.compile(ctx.db);
}

export async function readRecord(ctx: MemberContext, game: VoteGame | "identify"): Promise<PlayerRecord> {
  return toRecord((await ctx.db.executeQuery(findRecord(ctx, game))).rows[0], game);
}

export function toRecord(row: RecordRow | undefined, game: VoteGame | "identify"): PlayerRecord {
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
