/** Opens an item of a player's pack for voting; the first vote on an item creates its game_item row. */
import { dayOf } from "@lambda/geo/time";
import { type RawBuilder, sql } from "kysely";
import { isOpen } from "../pictures/hidden.ts";
import { batch, indexedBy, insertFrom, type Query } from "../platform/db/database.ts";
import type { GameItemRow } from "../platform/db/tables.ts";
import { AppError } from "../platform/errors.ts";
import type { MemberContext } from "../platform/trpc.ts";
import { visibleTo } from "../visibility/visibility.ts";
import { consumeItemQuery, itemPath, PACK_DAYS_KEPT, type PackItem } from "./pack.ts";
import { type PlayerRow, playerQuery, type VoteGame } from "./record.ts";

export interface OpenItem extends GameItemRow {
  readonly ts_drawn: number;
  /** The pool: proven players of the game who voted recently, as counted last night. */
  readonly voters: number | null;
}

/**
 * The item issued to this player under a number, as a game_item row that is created if needed, and the player's record. Throws NOT_FOUND for
 * any other number, and for items that are deleted or no longer visible to the player.
 */
export async function openItem(
  ctx: MemberContext,
  game: VoteGame,
  number: number,
): Promise<{ readonly item: OpenItem; readonly player: PlayerRow }> {
  const [, [item], [player]] = await batch(ctx.d1, [
    insertItemQuery(ctx, game, number),
    game === "rating" ? pictureItemQuery(ctx, number) : textItemQuery(ctx, number),
    playerQuery(ctx, game),
  ]);
  if (!item || !player) {
    // Removes it from the pack, or the player would get it again and again.
    await batch(ctx.d1, [consumeItemQuery(ctx, game, number)]);
    throw new AppError("NOT_FOUND");
  }
  return { item, player };
}

/** The item issued under a number, as a table `h` of one row, whose column `e` is a PackItem. */
function issuedItem({ viewer, now }: MemberContext, game: VoteGame, number: number) {
  return sql<{ e: string }>`(select items -> ${itemPath(number)} as e from game_pack
    where profile_id = ${viewer.profileId} and game = ${game} and day >= ${dayOf(now) - PACK_DAYS_KEPT} and e is not null)`.as(
    "h",
  );
}

const field = <Value>(name: keyof PackItem | "ts_drawn") => sql<Value>`h.e ->> ${sql.lit(name)}`;

/** Packs live up to two days: pictures hidden, blocked or withdrawn since the draw can no longer be judged. */
function stillOpen(ctx: MemberContext): RawBuilder<boolean> {
  return sql<boolean>`pic.audience = 'public' and ${isOpen("pic")} and ${visibleTo(ctx)}`;
}

function insertItemQuery(ctx: MemberContext, game: VoteGame, number: number): Query {
  const { db, now } = ctx;
  const version = field<number>("version").as("version");
  const picture = db
    .selectFrom(issuedItem(ctx, game, number))
    .crossJoin("picture as pic")
    .crossJoin("profile as p")
    .select(["pic.id as picture_id", "pic.profile_id as subject_id", sql.lit("").as("body")])
    .select([sql<string | null>`null`.as("known"), version])
    .where("pic.id", "=", field<number>("picture"))
    .whereRef("p.id", "=", "pic.profile_id")
    .where(stillOpen(ctx));
  const text = db
    .selectFrom(issuedItem(ctx, game, number))
    .leftJoin("profile as p", (join) => join.on("p.id", "=", field<number>("subject")))
    .select([sql<number | null>`null`.as("picture_id"), "p.id as subject_id"])
    .select(sql<string>`ifnull(${field("body")}, '')`.as("body"))
    .select([field<string | null>("known").as("known"), version])
    .where((eb) => eb.or([eb(field<number>("subject"), "is", null), visibleTo(ctx)]));
  const values = { game, ts_created: now };
  const insert =
    game === "rating" ? insertFrom(db, "game_item", picture, values) : insertFrom(db, "game_item", text, values);
  return insert.onConflict((conflict) => conflict.doNothing());
}

const TS_DRAWN = field<number>("ts_drawn").as("ts_drawn");
const VOTERS = sql<number | null>`(select voters from game_pool g where g.game = i.game)`.as("voters");

function pictureItemQuery(ctx: MemberContext, number: number): Query<OpenItem> {
  return ctx.db
    .selectFrom(issuedItem(ctx, "rating", number))
    .crossJoin("game_item as i")
    .crossJoin("picture as pic")
    .crossJoin("profile as p")
    .selectAll("i")
    .select([TS_DRAWN, VOTERS])
    .where("i.game", "=", "rating")
    .where("i.picture_id", "=", field<number>("picture"))
    .where("i.version", "=", field<number>("version"))
    .whereRef("pic.id", "=", "i.picture_id")
    .whereRef("p.id", "=", "pic.profile_id")
    .where(stillOpen(ctx));
}

/** A member's text or one of known origin. The game is a literal because the indexes are partial. */
function textItemQuery(ctx: MemberContext, number: number): Query<OpenItem> {
  const issued = issuedItem(ctx, "buster", number);
  const known = ctx.db
    .selectFrom(issued)
    .crossJoin(indexedBy("game_item", "i", "game_item_known_text"))
    .selectAll("i")
    .select([TS_DRAWN, VOTERS])
    .where("i.game", "=", sql.lit("buster"))
    .where("i.subject_id", "is", null)
    .where("i.body", "=", field<string>("body"));
  return ctx.db
    .selectFrom(issued)
    .crossJoin(indexedBy("game_item", "i", "game_item_text"))
    .crossJoin("profile as p")
    .selectAll("i")
    .select([TS_DRAWN, VOTERS])
    .where("i.game", "=", sql.lit("buster"))
    .where("i.subject_id", "=", field<number>("subject"))
    .where("i.version", "=", field<number>("version"))
    .whereRef("p.id", "=", "i.subject_id")
    .where(visibleTo(ctx))
    .unionAll(known);
}
