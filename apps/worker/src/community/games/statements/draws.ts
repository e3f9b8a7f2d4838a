/**
 * Draws that cost the same in a community of any size. Whole statements, since a union of parts that each stop at a limit of their
 * own needs them nested as subqueries, which the builder does not write for SQLite.
 */
import { type AliasedRawBuilder, type CompiledQuery, type RawBuilder, sql } from "kysely";
import { visibleTo } from "../../../members/visibility/visibility.ts";
import type { MemberContext } from "../../../platform/trpc.ts";
import type { DrawnPicture, Sample } from "../sample.ts";

/** Bits of profile.drawn_as, as schema.sql computes them: public pictures, several of them, a text of GUESSED_TEXT_MIN_CHARS. */
const DRAWN_AS = { pictured: 1, recognisable: 2, described: 4 } as const;

/**
 * Random visible members who have pictures or a text, as a table `m` of the given columns of their profile `p`, or of
 * `d.pics_public` for members with pictures.
 *
 * @param sample how many are read, before blocked ones drop out, and from where
 */
export function randomMembers<Columns>(
  ctx: MemberContext,
  kind: keyof typeof DRAWN_AS,
  columns: RawBuilder<unknown>,
  { size, start }: Pick<Sample, "size" | "start">,
): AliasedRawBuilder<Columns & { id: number }, "m"> {
  const from = kind === "pictured" ? sql`` : sql`cross join profile p on p.id = d.profile_id`;
  // A row is there where its brand lists the member; the rule is asked all the same.
  const part = (keys: RawBuilder<unknown>) =>
    sql`select * from (select d.profile_id as id, d.brand as listed_on, d.random_order, ${columns} from drawable_member d ${from}
      where d.brand = ${ctx.brand.bit} and d.drawn_as = ${DRAWN_AS[kind]} and ${keys} order by d.random_order limit ${size})`;
  return sql<Columns & { id: number }>`(select * from (${part(sql`d.random_order >= ${start}`)} union all
    ${part(sql`d.random_order < ${start}`)} limit ${size}) p where ${visibleTo(ctx)})`.as("m");
}

/** Known pictures looked at for each answer, of which the player may have judged some. */
const KNOWN_PICTURES_READ = 1;

/**
 * Pictures whose answer is certain, one for each of these answers, that the player did not judge: from a random place among them.
 *
 * @param judged whether the player judged the row `i` of game_item
 */
export function randomKnownPicturesQuery(
  ctx: MemberContext,
  answers: readonly string[],
  pictureSeed: number,
  { judged, shown }: { readonly judged: RawBuilder<boolean>; readonly shown: RawBuilder<boolean> },
): CompiledQuery<DrawnPicture> {
  const start = sql`${pictureSeed / 2 ** 32} * (select max(id) from game_item)`;
  const ofAnswer = (answer: string) => {
    const part = (side: RawBuilder<unknown>) =>
      sql`select * from (select i.id, i.picture_id, i.version from game_item i indexed by game_item_known
        where i.game = 'rating' and i.known = ${answer} and i.id ${side} limit ${sql.lit(KNOWN_PICTURES_READ)})`;
    return sql`select * from (
      select pic.id as picture_id, pic.profile_id as owner_id, pic.version, pic.nsfw_owner | pic.nsfw_community as nsfw
      from (select * from (${part(sql`>= ${start} order by i.id`)} union all ${part(sql`< ${start} order by i.id desc`)}
        limit ${sql.lit(2 * KNOWN_PICTURES_READ)}) i where not ${judged}) i
      cross join picture pic on pic.id = i.picture_id and pic.version = i.version
      cross join profile p on p.id = pic.profile_id
      where ${shown} and ${visibleTo(ctx)} limit 1)`;
  };
  return sql<DrawnPicture>`${sql.join(answers.map(ofAnswer), sql` union all `)}`.compile(ctx.db);
}
