/**
 * Random draws whose cost does not depend on the size of the community. Raw statements, because SQLite needs parts of a union with their own
 * limits nested as subqueries, which the query builder cannot write.
 */

import { type AliasedRawBuilder, type RawBuilder, sql } from "kysely";
import { type Query, rawQuery } from "../../platform/db/database.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { visibleTo } from "../../visibility/visibility.ts";

export interface Sample {
  readonly size: number;
  readonly start: number;
  /** Selects one of each member's pictures. */
  readonly pictureSeed: number;
}

export interface DrawnPicture {
  readonly picture_id: number;
  readonly owner_id: number;
  readonly version: number;
  readonly nsfw: number;
}

/** Bits of profile.drawn_as, as schema.sql computes them: public pictures, several of them, a text of BUSTER_TEXT_MIN_CHARS. */
const DRAWN_AS = { pictured: 1, recognizable: 2, described: 4 } as const;

/**
 * Random visible members with pictures or a text, as a table `m` with the given columns of their profile `p`, or with `d.pics_public` for
 * members with pictures. `size` members are read before blocked ones are removed.
 */
export function randomMembers<Columns>(
  ctx: MemberContext,
  kind: keyof typeof DRAWN_AS,
  columns: RawBuilder<unknown>,
  { size, start }: Pick<Sample, "size" | "start">,
): AliasedRawBuilder<Columns & { id: number }, "m"> {
  const from = kind === "pictured" ? sql`` : sql`cross join profile p on p.id = d.profile_id`;
  // drawable_member contains only members whom everybody sees, but the visibility rule is applied anyway.
  const part = (keys: RawBuilder<unknown>) =>
    sql`select * from (select d.profile_id as id, d.brand as listed_on, 0 as few_on, d.random_order, ${columns} from drawable_member d ${from}
      where d.brand = ${ctx.brand.bit} and d.drawn_as = ${DRAWN_AS[kind]} and ${keys} order by d.random_order limit ${sql.lit(size)})`;
  return sql<Columns & { id: number }>`(select * from (${part(sql`d.random_order >= ${start}`)} union all
    ${part(sql`d.random_order < ${start}`)} limit ${sql.lit(size)}) p where ${visibleTo(ctx)})`.as("m");
}

/** Test pictures read for each answer and direction; the player may have judged some. */
const TEST_PICTURES_READ = 1;

/**
 * Random test pictures that the player has not judged, at most one for each of these answers.
 *
 * @param judged whether the player has judged the game_item row `i`
 */
export function randomKnownPicturesQuery(
  ctx: MemberContext,
  answers: readonly string[],
  pictureSeed: number,
  { judged, shown }: { readonly judged: RawBuilder<boolean>; readonly shown: RawBuilder<boolean> },
): Query<DrawnPicture> {
  const start = sql`${pictureSeed / 2 ** 32} * (select max(id) from game_item)`;
  const ofAnswer = (answer: string) => {
    const part = (side: RawBuilder<unknown>) =>
      sql`select * from (select i.id, i.picture_id, i.version from game_item i indexed by game_item_known
        where i.game = 'rating' and i.known = ${answer} and i.id ${side} limit ${sql.lit(TEST_PICTURES_READ)})`;
    return sql`select * from (
      select pic.id as picture_id, pic.profile_id as owner_id, pic.version, pic.nsfw_owner | pic.nsfw_community as nsfw
      from (select * from (${part(sql`>= ${start} order by i.id`)} union all ${part(sql`< ${start} order by i.id desc`)}
        limit ${sql.lit(2 * TEST_PICTURES_READ)}) i where not ${judged}) i
      cross join picture pic on pic.id = i.picture_id and pic.version = i.version
      cross join profile p on p.id = pic.profile_id
      where ${shown} and ${visibleTo(ctx)} limit 1)`;
  };
  return rawQuery(ctx.db, sql<DrawnPicture>`${sql.join(answers.map(ofAnswer), sql` union all `)}`);
}
