/** A player's record in one game: as stored, and as shown to the player. */
import { BUSTER_ANSWERS, RATING_ANSWERS } from "@lambda/contract/game-answers";
import type { PlayerRecord } from "@lambda/contract/games";
import { CONSENSUS_VOTERS_WITHIN_MS } from "@lambda/contract/limits";
import { sql } from "kysely";
import { type Database, insertFrom, itemsOf } from "../platform/db/database.ts";
import type { GameItemTable, GamePackTable, GameRecordRow } from "../platform/db/tables.ts";
import type { MemberContext } from "../platform/trpc.ts";
import { accuracyOf, isProven, NEW_PLAYER, type PlayRecord } from "./rules.ts";

export type VoteGame = GameItemTable["game"];
/** A game with packs: besides those whose items anybody votes on, the checks. */
export type PackGame = GamePackTable["game"];
export const ANSWERS: Record<VoteGame, readonly string[]> = { rating: RATING_ANSWERS, buster: BUSTER_ANSWERS };

type StoredRecord = Omit<GameRecordRow, "profile_id" | "game" | "proven">;

/** A player; the record's columns are null if they have not played yet. */
export type PlayerRow = (StoredRecord | { readonly [column in keyof StoredRecord]: null }) & {
  readonly credits: number;
  readonly ts_joined: number;
  /** Hash of the network from which the account was registered. */
  readonly network: number | null;
};

export function recordOf(row: PlayerRow | undefined): StoredRecord | undefined {
  return row && row.votes !== null ? row : undefined;
}

export function parseRecord(row: StoredRecord | undefined): PlayRecord {
  if (!row) return NEW_PLAYER;
  return {
    votes: row.votes,
    known: JSON.parse(row.known) as PlayRecord["known"],
    answers: JSON.parse(row.answers) as PlayRecord["answers"],
    tooFast: row.too_fast,
    collusion: row.collusion,
  };
}

export function playerQuery(ctx: MemberContext, game: PackGame | "identify") {
  return ctx.db
    .selectFrom("profile as p")
    .innerJoin("account as a", "a.id", "p.id")
    .leftJoin("game_record as r", (join) => join.onRef("r.profile_id", "=", "p.id").on("r.game", "=", game))
    .selectAll("r")
    .select(["p.credits", "a.ts_created as ts_joined", "a.network"])
    .where("p.id", "=", ctx.viewer.profileId)
    .$castTo<PlayerRow>();
}

export async function readPlayerRecord(ctx: MemberContext, game: PackGame | "identify"): Promise<PlayerRecord> {
  return toRecord(ctx, (await playerQuery(ctx, game).execute())[0]);
}

export function toRecord({ now }: MemberContext, row: PlayerRow | undefined): PlayerRecord {
  const stored = recordOf(row);
  const progress = { streak: stored?.streak ?? 0, bestStreak: stored?.best_streak ?? 0, credits: row?.credits ?? 0 };
  return toPlayerRecord(parseRecord(stored), now - (row?.ts_joined ?? now), progress);
}

export function toPlayerRecord(
  record: PlayRecord,
  accountAgeMs: number,
  progress: Pick<PlayerRecord, "streak" | "bestStreak" | "credits">,
): PlayerRecord {
  const tested = Object.values(record.known).reduce((sum, [seen]) => sum + seen, 0);
  return {
    votes: record.votes,
    tested,
    accuracy: tested > 0 ? accuracyOf(record.known) : null,
    counts: isProven(record, accountAgeMs),
    ...progress,
  };
}

/** Scheduled: counts the proven players who voted recently, so that votes need not count them. */
export async function countVoters(db: Database, now: number): Promise<void> {
  const games: readonly PackGame[] = ["rating", "buster", "check"];
  const voters = sql<number>`(select count(*) from game_record r
    where r.game = g.value and r.proven = 1 and r.ts_last >= ${now - CONSENSUS_VOTERS_WITHIN_MS})`;
  const counted = db
    .selectFrom(itemsOf(games, "g"))
    .select(["g.value as game", voters.as("voters")])
    // Without a WHERE, SQLite parses ON CONFLICT as a join constraint.
    .where(sql.lit(true));
  await insertFrom(db, "game_pool", counted, {})
    .onConflict((conflict) => conflict.column("game").doUpdateSet({ voters: sql<number>`excluded.voters` }))
    .execute();
}
