/**
 * Who may see whom, as SQL fragments that every query composes: no other file spells out the conditions on `block`,
 * `listed_on` or `few_on`.
 */
import type { Brand } from "@lambda/brands";
import { BRAND_NOTIFICATION_KINDS } from "@lambda/contract/notification-kinds";
import { type RawBuilder, sql } from "kysely";
import type { MemberContext } from "../platform/trpc.ts";

/** The viewer, the brand that they are on, and the time if it is known. */
export type ViewerContext = Pick<MemberContext, "brand"> & {
  readonly viewer: Pick<MemberContext["viewer"], "profileId">;
  readonly now?: number;
};

type BrandBit = { readonly bit: number | RawBuilder<number> };

/** A member's id: a value, or a column of the query. */
type MemberId = number | null | RawBuilder<unknown>;

/** Everybody sees the member on this brand: active, named, neither hidden nor discreet, and shared on it. */
export function listedOn({ bit }: BrandBit, profile = "p"): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(`${profile}.listed_on`)} & ${bitOf(bit)} <> 0`;
}

/** The member takes part on this brand: listed, or discreet. Reveals nothing of them; `seenBy` decides who sees them. */
export function presentOn({ bit }: BrandBit, profile = "p"): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(`${profile}.listed_on`)} | ${sql.ref(`${profile}.few_on`)}) & ${bitOf(bit)} <> 0`;
}

const bitOf = (bit: BrandBit["bit"]) => (typeof bit === "number" ? sql.lit(bit) : bit);

/** What shows a discreet member to a viewer: they like them, wrote something that they did not unsend, or opened their album. */
export function showsThemselves(member: MemberId, viewer: MemberId, now: number = Date.now()): RawBuilder<boolean> {
  return sql<boolean>`(exists (select 1 from profile_like shown_like
      where shown_like.liker_id = ${member} and shown_like.liked_id = ${viewer} and shown_like.like_type = 'LIKE')
    or exists (select 1 from message_pair wrote
      where wrote.low_id = min(${member}, ${viewer}) and wrote.high_id = max(${member}, ${viewer})
      and iif(wrote.low_id = ${member}, wrote.low_count > 0 and wrote.unsent_by & 1 = 0,
        wrote.high_count > 0 and wrote.unsent_by & 2 = 0))
    or exists (select 1 from album_grant opened
      where opened.owner_id = ${member} and opened.member_id = ${viewer} and opened.state = 'granted'
      and (opened.ts_expires is null or opened.ts_expires > ${now})))`;
}

/** The viewer sees the member on this brand unless a block exists: everybody does, or the member is discreet and showed themselves. */
export function seenBy(brand: BrandBit, viewer: MemberId, profile = "p", now?: number): RawBuilder<boolean> {
  const shows = showsThemselves(sql.ref(`${profile}.id`), viewer, now);
  return sql<boolean>`(${listedOn(brand, profile)}
    or (${sql.ref(`${profile}.few_on`)} & ${bitOf(brand.bit)} <> 0 and ${shows}))`;
}

/** Any member of this brand sees the member unless there is a block between them: how far those reach who look without being a member. */
export function visibleToAll(brand: { readonly bit: number | RawBuilder<number> }, profile = "p"): RawBuilder<boolean> {
  return listedOn(brand, profile);
}

/** Whether a brand is a member's home or shares their profile, on joined `account as a` and `profile as p` rows. */
export function isMemberOf({ id, bit }: Pick<Brand, "id" | "bit">): RawBuilder<boolean> {
  return sql<boolean>`(a.home_brand = ${id} or (p.shared_on | p.discreet_on) & ${sql.lit(bit)} <> 0)`;
}

/** No block exists between the two, whoever made it. */
export function notBlocked(member: MemberId, other: MemberId): RawBuilder<boolean> {
  return sql<boolean>`not exists (select 1 from block b where b.profile_id = ${member} and b.other_id = ${other})`;
}

/** No block existed between them at a given time, judging by the blocks that still exist. */
export function notBlockedAt(member: MemberId, other: MemberId, ts: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`not exists (select 1 from block b where b.profile_id = ${member} and b.other_id = ${other}
    and b.ts_created <= ${ts})`;
}

/** A subquery of the members with a block between them and the member, in the column `id`; as text. */
export function blockedIdsSql(member: string): string {
  return `(select other_id as id from block where profile_id = ${member})`;
}

/** The member blocked the other. */
export function blockedBy(member: MemberId, other: MemberId): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from block b where b.profile_id = ${member} and b.other_id = ${other} and b.blocked_by_profile = 1)`;
}

/**
 * The member did not block the other. For what a member keeps of somebody who is out of sight: a block must look like
 * hiding to the blocked member, so it may remove nothing that hiding leaves.
 */
export function notBlockedBy(member: MemberId, other: MemberId): RawBuilder<boolean> {
  return sql<boolean>`not ${blockedBy(member, other)}`;
}

/**
 * The visibility rule, as a condition on a joined `profile` row, for every query that can reveal a member: the viewer sees the subject on
 * this brand, and no block exists between the two. Members do not match it for themselves, so their own data is read by id.
 *
 * @param profile alias of the subject's profile row in the query
 */
export function visibleTo({ brand, viewer, now }: ViewerContext, profile = "p"): RawBuilder<boolean> {
  const subject = sql.ref(`${profile}.id`);
  const me = viewer.profileId;
  return sql<boolean>`(${seenBy(brand, me, profile, now)} and ${subject} <> ${me} and ${notBlocked(me, subject)})`;
}

/**
 * The member is active, does not hide, and no block exists between the two, on whatever brand and however discreet. For nothing but judges of
 * "Is it him?", which the member asked for, and "Met", whose authors showed themselves to each other.
 */
export function inSightAnywhere(other: MemberId, profile = "p"): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${profile}.${name}`);
  return sql<boolean>`(${column("status")} = 'active' and ${column("hidden")} = 0 and ${notBlocked(other, column("id"))})`;
}

/** The member with this id is visible to the viewer. */
export function memberVisible(ctx: ViewerContext, id: MemberId): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from profile p where p.id = ${id} and ${visibleTo(ctx)})`;
}

/** The other member sees the viewer unless a block exists. */
export function viewerSeenBy({ brand, viewer, now }: ViewerContext, other: MemberId): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from profile me
    where me.id = ${viewer.profileId} and ${seenBy(brand, other, "me", now)})`;
}

/** The member's own choice to hide, on a row of `profile` that staff may have hidden too. */
export const HIDES = sql<boolean>`ifnull(own_hidden, hidden) = 1`;
export const DOES_NOT_HIDE = sql<boolean>`ifnull(own_hidden, hidden) = 0`;
/** Hides a member, whom the end of a restriction does not show again. */
export const SET_HIDDEN = { hidden: 1, own_hidden: sql<1 | null>`iif(own_hidden is null, null, 1)` } as const;

/** The viewer and the other member see each other. */
export function mutuallyVisible(ctx: ViewerContext, other: MemberId): RawBuilder<boolean> {
  return sql<boolean>`(${viewerSeenBy(ctx, other)} and ${memberVisible(ctx, other)})`;
}

/** Who searches, on which brand and when. */
export interface Searcher {
  readonly brandBit: number;
  readonly profileId: number;
  readonly now: number;
}

/**
 * The visibility rule for searches, as a condition on a row `p` of `presence`, which lists members by brand, without discreet ones: not
 * expired, not the searcher, and no block between the two, whoever made it.
 */
export function visibleInPresence({ brandBit, profileId, now }: Searcher): RawBuilder<boolean> {
  return sql<boolean>`(p.brand = ${brandBit} and p.ts_effective_until > ${now} and p.profile_id <> ${profileId}
    and ${notBlocked(profileId, sql.ref("p.profile_id"))})`;
}

/** The same as text, from SQL expressions, for a statement without parameters or with numbered ones. */
export function visibleInPresenceSql(brandBit: string, now: string, searcher: string): string {
  return `p.brand = ${brandBit} AND p.ts_effective_until > ${now} AND p.profile_id <> ${searcher}
    AND not exists (select 1 from block b where b.profile_id = ${searcher} and b.other_id = p.profile_id)`;
}

/**
 * The other member can see the viewer. What a viewer out of sight does must have no visible effect: it would reveal
 * that they are here, and in which way they went out of sight.
 */
export function viewerVisibleTo(ctx: ViewerContext, other: MemberId): RawBuilder<boolean> {
  return sql<boolean>`(${viewerSeenBy(ctx, other)} and ${notBlocked(ctx.viewer.profileId, other)})`;
}

/**
 * The owner's private album is open to the viewer and the grant has not expired. Does not check whether they may see
 * each other.
 */
export function albumOpenTo(
  { viewer, now }: Pick<ViewerContext, "viewer"> & Pick<MemberContext, "now">,
  owner: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from album_grant g where g.owner_id = ${owner}
    and g.member_id = ${viewer.profileId} and g.state = 'granted' and g.withheld = 0
    and (g.ts_expires is null or g.ts_expires > ${now}))`;
}

/** When that grant expires; the largest safe integer if never. */
export function albumOpenUntil(viewer: ViewerContext["viewer"], owner: RawBuilder<unknown>): RawBuilder<number | null> {
  return sql<
    number | null
  >`(select ifnull(g.ts_expires, 9007199254740991) from album_grant g where g.owner_id = ${owner}
    and g.member_id = ${viewer.profileId} and g.state = 'granted' and g.withheld = 0)`;
}

/** Condition on `notification n`: it is about nobody, or about a member whom the reader may see now. */
export function isNotificationVisible(ctx: ViewerContext): RawBuilder<boolean> {
  return sql<boolean>`(n.about_id is null or ${memberVisible(ctx, sql.ref("n.about_id"))})`;
}

/** Condition on `notification n`: the brand lists it, which no sister brand does with what only one of them shows. */
export function isNotificationListed(ctx: ViewerContext): RawBuilder<boolean> {
  const onBrand = sql<boolean>`(n.brand = ${ctx.brand.id} or n.kind not in (${sql.join(BRAND_NOTIFICATION_KINDS)}))`;
  return sql<boolean>`(${onBrand} and ${isNotificationVisible(ctx)})`;
}

/** The first public picture of a row `p` or `me` of profile, which stands for the member in lists; null without pictures. */
export function firstPictureOf(profile: "p" | "me"): RawBuilder<number | null> {
  return sql<number | null>`${sql.ref(`${profile}.pics_public`)} ->> 0`;
}
