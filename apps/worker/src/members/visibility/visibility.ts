/**
 * Who may see whom, as fragments that every query composes: no other file spells the conditions on `block` or `listed_on`.
 */
import { type RawBuilder, sql } from "kysely";
import type { MemberContext } from "../../platform/trpc.ts";

/** Who looks, on which brand. */
export type Onlooker = Pick<MemberContext, "brand"> & { readonly viewer: Pick<MemberContext["viewer"], "profileId"> };

/** A member's id: a value, or a column of the query. */
type MemberId = number | null | RawBuilder<unknown>;

/** The member is active, named, not hidden, and shows on this brand. */
export function listedOn(brand: { readonly bit: number | RawBuilder<number> }, profile = "p"): RawBuilder<boolean> {
  const bit = typeof brand.bit === "number" ? sql.lit(brand.bit) : brand.bit;
  return sql<boolean>`${sql.ref(`${profile}.listed_on`)} & ${bit} <> 0`;
}

/** No block stands between the two, whoever made it. */
export function notBlocked(member: MemberId, other: MemberId): RawBuilder<boolean> {
  return sql<boolean>`not exists (select 1 from block b where b.profile_id = ${member} and b.other_id = ${other})`;
}

/** No block stood between them at a time, as far as those say that still stand. */
export function notBlockedAt(member: MemberId, other: MemberId, ts: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`not exists (select 1 from block b where b.profile_id = ${member} and b.other_id = ${other}
    and b.ts_created <= ${ts})`;
}

/** The same as the first in the text of a statement that is built without parameters, of two expressions. */
export function notBlockedText(member: string, other: string): string {
  return `not exists (select 1 from block b where b.profile_id = ${member} and b.other_id = ${other})`;
}

/** A table of those between whom and the member a block stands, in the column `id`; text like the above. */
export function blockedWithText(member: string): string {
  return `(select other_id as id from block where profile_id = ${member})`;
}

/** The member blocked the other. */
export function blockedBy(member: MemberId, other: MemberId): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from block b where b.profile_id = ${member} and b.other_id = ${other} and b.by_me = 1)`;
}

/**
 * The member did not block the other. For what a member keeps of somebody who is out of sight: to the blocked a block must look like
 * hiding, so it may take nothing from them that hiding leaves.
 */
export function notBlockedBy(member: MemberId, other: MemberId): RawBuilder<boolean> {
  return sql<boolean>`not ${blockedBy(member, other)}`;
}

/**
 * The one visibility rule, as a condition on a joined `profile` row: the subject is listed on this brand (active, named, not
 * hidden, shared) and no block stands between, whoever made it. Every query that can reveal a member uses it. A member
 * does not match it for themselves; own data is asked for by id.
 *
 * @param profile alias of the subject's profile row in the query
 */
export function visibleTo({ brand, viewer }: Onlooker, profile = "p"): RawBuilder<boolean> {
  const subject = sql.ref(`${profile}.id`);
  return sql<boolean>`(${listedOn(brand, profile)} and ${subject} <> ${viewer.profileId} and ${notBlocked(viewer.profileId, subject)})`;
}

/**
 * The other sees the viewer. What a viewer out of sight does must not show on the other's side, as it would tell that they are here, and
 * by which of the ways they are out of sight.
 */
export function viewerVisibleTo({ brand, viewer }: Onlooker, other: MemberId): RawBuilder<boolean> {
  return sql<boolean>`(exists (select 1 from profile me where me.id = ${viewer.profileId} and ${listedOn(brand, "me")})
    and ${notBlocked(viewer.profileId, other)})`;
}

/** The owner opened their private album to the viewer, and that has not expired. Says nothing of whether they may see each other. */
export function albumOpenTo(
  { viewer, now }: Pick<Onlooker, "viewer"> & Pick<MemberContext, "now">,
  owner: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from album_grant g where g.owner_id = ${owner}
    and g.member_id = ${viewer.profileId} and g.state = 'granted' and (g.ts_expires is null or g.ts_expires > ${now}))`;
}

/** Until when that is so, if nothing else ends it; a time that no clock reaches where it is open for good. */
export function albumOpenUntil(viewer: Onlooker["viewer"], owner: RawBuilder<unknown>): RawBuilder<number | null> {
  return sql<
    number | null
  >`(select ifnull(g.ts_expires, 9007199254740991) from album_grant g where g.owner_id = ${owner}
    and g.member_id = ${viewer.profileId} and g.state = 'granted')`;
}

/** About nobody, or about a member whom the reader may see now: a condition on `notification n`. */
export function isNotificationVisible(onlooker: Onlooker): RawBuilder<boolean> {
  return sql<boolean>`(n.about_id is null or exists (select 1 from profile p where p.id = n.about_id and ${visibleTo(onlooker)}))`;
}
