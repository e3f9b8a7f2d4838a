/** Discreet members: seen only by those whom they like, wrote to or opened the album to (visibility.ts decides). */
import { SEEN_ROUNDING_MS, SHOWN_TO_LISTED_MAX } from "@lambda/contract/limits";
import { type RawBuilder, sql } from "kysely";
import { batch, type Database, type Query, rawQuery } from "../../platform/db/database.ts";
import { AppError } from "../../platform/errors.ts";
import { notifySquares } from "../../platform/map/squares.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { notBlocked, showsThemselves, viewerSeenBy } from "../visibility.ts";
import { discloseShownQuery, type FirstAct } from "./disclosures.ts";

/** Queries that turn it on or off. Whoever shows themselves to everybody was last seen now, as after hiding. */
export function setDiscreetQueries(db: Database, id: number, discreet: boolean, now: number): Query[] {
  const seen = now - (now % SEEN_ROUNDING_MS);
  const profile = db.updateTable("profile").where("id", "=", id);
  const forget = db.deleteFrom("shown_to").where("profile_id", "=", id);
  if (!discreet) {
    const open = { shared_on: sql<number>`discreet_on`, discreet_on: 0, ts_seen: seen, ts_updated: seen };
    return [profile.set(open).where("discreet_on", "<>", 0), forget];
  }
  return [
    profile.set({ discreet_on: sql<number>`shared_on`, shared_on: 0 }).where("discreet_on", "=", 0),
    forget,
    ...listShownQueries(db, sql`(${id})`),
  ];
}

/** @param members in parentheses, who became discreet: to whom they showed themselves until now */
export function listShownQueries(db: Database, members: RawBuilder<unknown>): Query[] {
  const list = (shown: RawBuilder<unknown>) =>
    rawQuery(
      db,
      sql`insert into shown_to (viewer_id, profile_id) select viewer, member from (${shown} limit ${sql.lit(SHOWN_TO_LISTED_MAX)})
        where true on conflict do nothing`,
    );
  return [
    list(
      sql`select low_id as viewer, high_id as member from message_pair where high_id in ${members} and high_count > 0`,
    ),
    list(
      sql`select high_id as viewer, low_id as member from message_pair where low_id in ${members} and low_count > 0`,
    ),
    list(
      sql`select member_id as viewer, owner_id as member from album_grant where owner_id in ${members} and state = 'granted'`,
    ),
    list(
      sql`select liked_id as viewer, liker_id as member from profile_like where liker_id in ${members} and like_type = 'LIKE'
        order by ts_created desc`,
    ),
  ];
}

/** Whether another member sees the viewer, unless the viewer hides or a block exists; reads nothing unless the viewer is discreet. */
export async function isSeenBy(ctx: MemberContext, otherId: number): Promise<boolean> {
  if (!ctx.viewer.discreet) return true;
  const { seen } = await ctx.db
    .selectNoFrom(sql<0 | 1>`${viewerSeenBy(ctx, otherId)}`.as("seen"))
    .executeTakeFirstOrThrow();
  return seen === 1;
}

/** For acts that would show a discreet viewer to a member who does not see them: throws DISCREET. */
export async function requireSeenBy(ctx: MemberContext, otherId: number): Promise<void> {
  if (!(await isSeenBy(ctx, otherId))) throw new AppError("DISCREET");
}

/**
 * After an act that may have shown a discreet viewer to another member, or ended that: what the other's searches and open map find.
 *
 * @param first what the viewer may have done for the first time towards the other
 */
export function updateShownTo(ctx: MemberContext, otherId: number, first?: FirstAct): void {
  if (ctx.viewer.discreet) ctx.waitUntil(updateShown(ctx, otherId, first));
}

/** After an act of theirs that may have ended it; returns the row. */
export function endShownQuery(db: Database, id: number, otherId: number, now: number) {
  return rawQuery(
    db,
    sql`delete from shown_to where profile_id = ${id} and viewer_id = ${otherId} and not ${showsThemselves(id, otherId, now)} returning id`,
  );
}

async function updateShown(ctx: MemberContext, otherId: number, first?: FirstAct): Promise<void> {
  const { d1, db, env, viewer, now } = ctx;
  const { profileId: id, position, fewOn } = viewer;
  const [, hidden, shown, [pair]] = await batch(d1, [
    discloseShownQuery(ctx, otherId, first),
    endShownQuery(db, id, otherId, now),
    rawQuery(
      db,
      sql`insert into shown_to (viewer_id, profile_id) select ${otherId}, p.id from profile p
        where p.id = ${id} and p.discreet_on <> 0 and ${showsThemselves(id, otherId, now)} on conflict do nothing returning id`,
    ),
    db.selectNoFrom(sql<0 | 1>`${notBlocked(id, otherId)}`.as("seen")),
  ]);
  if (!position || (hidden.length === 0 && shown.length === 0)) return;
  // Behind a block nobody learns of the act.
  const was = hidden.length > 0 && pair?.seen ? fewOn : 0;
  await notifySquares(env, [[[position.key], { id, was, only: otherId }]], id);
}
