/**
 * You got Cooties!: a game of tag among players who opted in, in which a carrier passes the cooties on to a nearby player. Distances use
 * only published positions, and the order of the list does not reveal them.
 */
import type { CootiesPlayer, CootiesState } from "@lambda/contract/games";
import { COOTIES_IMMUNE_MS, LEADERBOARD_SIZE } from "@lambda/contract/limits";
import type { CurveKey } from "@lambda/geo/curve";
import { type RawBuilder, sql } from "kysely";
import { notify } from "../notifications/notify.ts";
import { inEachLocale } from "../platform/copy.ts";
import { batch, guardQuery, indexedBy, insertFrom, passesGuards, type Query } from "../platform/db/database.ts";
import { AppError } from "../platform/errors.ts";
import { toIso } from "../platform/iso-time.ts";
import { shuffle } from "../platform/shuffle.ts";
import type { MemberContext } from "../platform/trpc.ts";
import { requireSeenBy } from "../visibility/statements/discreet.ts";
import { firstPictureOf, listedOn, visibleTo } from "../visibility/visibility.ts";
import { gamesCopy } from "./copy.ts";
import { awardCreditsQuery } from "./credits/ledger.ts";
import { currentSquare, isWithinReach, squareOfKey, squaresAround } from "./nearby-players.ts";
import {
  firstPlayersQuery,
  furtherPlayers,
  parseFirstPlayers,
  randomSquareStart,
  type SquareProbe,
} from "./statements/squares.ts";

/** Players read around a carrier, at most four rows each. */
const PLAYERS_READ = 10;
/** Newcomers start with cooties when there are fewer carriers than one per this many players. */
const PLAYERS_PER_CARRIER = 6;

interface PlayerRow {
  readonly id: number;
  readonly profile_name: string;
  readonly picture_id: number | null;
  readonly carrier: number;
  readonly tags: number;
  readonly caught: number;
}

export async function readCooties(ctx: MemberContext): Promise<CootiesState> {
  const { db, brand, viewer, now } = ctx;
  const me = viewer.profileId;
  const { position } = viewer;
  const key = position && position.ts_effective_until > now ? position.key : null;
  const start = randomSquareStart();
  const isCarrier = sql<boolean>`exists (select 1 from cooties_player where brand = ${brand.bit} and profile_id = ${me} and carrier = 1)`;
  const [[own], leaders, probe] = await batch(ctx.d1, [
    ownPlayerQuery(ctx),
    ctx.db
      .selectFrom(indexedBy("cooties_player", "c", "cooties_player_leader"))
      .innerJoin("profile as p", "p.id", "c.profile_id")
      .select(["p.id", "p.profile_name", firstPictureOf("p").as("picture_id"), "c.carrier", "c.tags", "c.caught"])
      .where("c.brand", "=", ctx.brand.bit)
      .where((eb) => eb.or([eb("p.id", "=", ctx.viewer.profileId), visibleTo(ctx)]))
      .orderBy("c.tags", "desc")
      .orderBy("c.caught")
      .orderBy("c.profile_id")
      .limit(LEADERBOARD_SIZE),
    ...(key === null ? [] : [firstPlayersQuery(db, brand.bit, squaresAround(key), start, isCarrier)]),
  ]);
  // Carriers are not searched for; their square is updated when they pass the cooties on.
  if (own?.carrier === 0) await updateOwnSquare(ctx, own.square, own.listed && key !== null ? squareOfKey(key) : null);
  const near = probe?.[0] && key !== null ? await listNearby(ctx, key, probe[0], start) : [];
  return {
    playing: own !== undefined,
    carrier: own?.carrier === 1,
    positioned: key !== null,
    tsCaught: own?.ts_caught ? toIso(own.ts_caught) : null,
    tags: own?.tags ?? 0,
    caught: own?.caught ?? 0,
    near: shuffle(near).map(toPlayer),
    leaders: leaders.map(toPlayer),
  };
}

function ownPlayerQuery({ db, brand, viewer }: MemberContext) {
  return db
    .selectFrom("cooties_player as c")
    .crossJoin("profile as p")
    .select(["c.carrier", "c.tags", "c.caught", "c.ts_caught", "c.square", sql<0 | 1>`${listedOn(brand)}`.as("listed")])
    .whereRef("p.id", "=", "c.profile_id")
    .where("c.brand", "=", brand.bit)
    .where("c.profile_id", "=", viewer.profileId);
}

/**
 * Players whom a carrier at this place may tag. Takes the first player of each square and then others, so that a crowd just out of reach does
 * not hide those nearby.
 */
async function listNearby(ctx: MemberContext, key: CurveKey, probe: SquareProbe, start: number): Promise<PlayerRow[]> {
  const { db, brand, now } = ctx;
  const first = shuffle(parseFirstPlayers(probe)).slice(0, PLAYERS_READ);
  const others = furtherPlayers(brand.bit, probe, start, PLAYERS_READ - first.length).as("w");
  const canBeTagged = (tsCaught: RawBuilder<unknown>) =>
    sql<boolean>`(${tsCaught} is null or ${tsCaught} <= ${now - COOTIES_IMMUNE_MS}) and ${visibleTo(ctx)}`;
  const results = await batch(ctx.d1, [
    ...first.map(([, id, tsCaught, tags, caught]) =>
      db
        .selectFrom("position as s")
        .crossJoin("profile as p")
        .select(["p.id", "p.profile_name", firstPictureOf("p").as("picture_id"), "s.key", sql.lit(0).as("carrier")])
        .select([sql.val(tags).as("tags"), sql.val(caught).as("caught")])
        .whereRef("p.id", "=", "s.profile_id")
        .where("s.profile_id", "=", id)
        .where("s.ts_effective_until", ">", now)
        .where(canBeTagged(sql`${tsCaught}`)),
    ),
    db
      .selectFrom(others)
      .crossJoin("position as s")
      .crossJoin("profile as p")
      .select(["p.id", "p.profile_name", firstPictureOf("p").as("picture_id"), "s.key", sql.lit(0).as("carrier")])
      .select([sql<number>`w.found ->> 3`.as("tags"), sql<number>`w.found ->> 4`.as("caught")])
      .where("s.profile_id", "=", sql<number>`w.found ->> 1`)
      .where("s.ts_effective_until", ">", now)
      .whereRef("p.id", "=", "s.profile_id")
      .where(canBeTagged(sql`w.found ->> 2`)),
  ]);
  return results.flat().filter((row) => isWithinReach(key, row.key));
}

/** Updates a player's square when they open the game, so that others find them there. */
async function updateOwnSquare(ctx: MemberContext, stored: number | null, square: number | null): Promise<void> {
  if (stored === square) return;
  await ctx.db
    .updateTable("cooties_player")
    .set({ square })
    .where("brand", "=", ctx.brand.bit)
    .where("profile_id", "=", ctx.viewer.profileId)
    .execute();
}

/** Joins the game; if there are few carriers, the newcomer starts with cooties. */
export async function joinCooties(ctx: MemberContext): Promise<void> {
  const { db, brand, viewer, now } = ctx;
  const carriers = sql`(select count(*) from cooties_player where brand = ${brand.bit} and carrier = 1)`;
  const players = sql`(select count(*) from (select 1 from cooties_player where brand = ${brand.bit} limit 5000))`;
  const startsAsCarrier = sql<0 | 1>`${carriers} * ${sql.lit(PLAYERS_PER_CARRIER)} <= ${players}`;
  const joining = db
    .selectNoFrom([
      sql.val(viewer.profileId).as("profile_id"),
      sql.lit(brand.bit).as("brand"),
      startsAsCarrier.as("fresh"),
    ])
    .as("j");
  const player = db
    .selectFrom(joining)
    .select(["j.profile_id", "j.brand", "j.fresh as carrier", currentSquare(now, "j").as("square")])
    .select(sql<number | null>`case when j.fresh then ${now} end`.as("ts_caught"))
    // Without a WHERE, SQLite parses ON CONFLICT as a join constraint.
    .where(sql.lit(true));
  await insertFrom(db, "cooties_player", player, { ts_joined: now })
    .onConflict((conflict) => conflict.columns(["brand", "profile_id"]).doNothing())
    .execute();
}

/** Leaves the game and deletes the player's points; a carrier's cooties are gone too. */
export async function leaveCooties(ctx: MemberContext): Promise<void> {
  await ctx.db
    .deleteFrom("cooties_player")
    .where("brand", "=", ctx.brand.bit)
    .where("profile_id", "=", ctx.viewer.profileId)
    .execute();
}

/**
 * Passes the cooties on. Throws NOT_FOUND if the other cannot be tagged: not playing, not nearby, just caught, or not visible; HIDING or
 * DISCREET if the other does not see the player, of whom being caught would tell.
 */
export async function tag(ctx: MemberContext, otherId: number): Promise<void> {
  const { db, brand, viewer, now } = ctx;
  const me = viewer.profileId;
  if (viewer.hidden) throw new AppError("HIDING");
  const square = currentSquare(now, "cooties_player");
  const target = await db
    .selectFrom("profile as p")
    .innerJoin("position as s", "s.profile_id", "p.id")
    .select((eb) => [
      "s.key",
      eb
        .selectFrom("position as m")
        .select("m.key")
        .where("m.profile_id", "=", me)
        .where("m.ts_effective_until", ">", now)
        .as("mine"),
    ])
    .where("s.ts_effective_until", ">", now)
    .where("p.id", "=", otherId)
    .where(visibleTo(ctx))
    .executeTakeFirst();
  if (!target || target.mine === null || !isWithinReach(target.mine, target.key)) throw new AppError("NOT_FOUND");
  await requireSeenBy(ctx, otherId);
  const canTag = sql<boolean>`exists (select 1 from cooties_player where brand = ${brand.bit} and profile_id = ${me} and carrier = 1)
    and exists (select 1 from cooties_player where brand = ${brand.bit} and profile_id = ${otherId} and carrier = 0
      and (ts_caught is null or ts_caught <= ${now - COOTIES_IMMUNE_MS}))`;
  const queries = [
    guardQuery(db, canTag),
    db
      .updateTable("cooties_player")
      .set({ carrier: 0, tags: sql<number>`tags + 1`, ts_caught: now, square })
      .where("brand", "=", brand.bit)
      .where("profile_id", "=", me),
    db
      .updateTable("cooties_player")
      .set({ carrier: 1, from_id: me, caught: sql<number>`caught + 1`, ts_caught: now, square })
      .where("brand", "=", brand.bit)
      .where("profile_id", "=", otherId),
    awardFirstTagQuery(ctx, otherId),
  ];
  if (!(await passesGuards(batch(ctx.d1, queries)))) throw new AppError("NOT_FOUND");
  await notify(ctx, {
    profileId: otherId,
    kind: "game",
    aboutId: me,
    bodyText: inEachLocale(gamesCopy, (text) => text.caught),
    url: "/games/cooties",
  });
}

/** Pays only once per pair of players, however often they pass the cooties back and forth. */
function awardFirstTagQuery(ctx: MemberContext, otherId: number): Query {
  const me = ctx.viewer.profileId;
  const pair = `${Math.min(me, otherId)}:${Math.max(me, otherId)}`;
  const isPaid = sql<boolean>`exists (select 1 from credit_entry where profile_id = ${otherId} and reason = 'cooties' and ref = ${pair})`;
  return awardCreditsQuery(ctx, me, "cooties", pair, 1, isPaid);
}

function toPlayer(row: PlayerRow): CootiesPlayer {
  return {
    profileId: row.id,
    name: row.profile_name,
    pictureId: row.picture_id,
    carrier: row.carrier === 1,
    tags: row.tags,
    caught: row.caught,
  };
}
