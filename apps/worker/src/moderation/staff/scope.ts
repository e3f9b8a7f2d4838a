/**
 * What an admin can see and do: network admins everything, a brand's admins the members of that brand (whose home it is
 * or who share their profile with it) and what was reported or written there.
 */
import { BRANDS } from "@lambda/brands";
import { can } from "@lambda/contract/capabilities";
import { type RawBuilder, sql } from "kysely";
import { publicOn } from "../../pictures/access.ts";
import { hasRow } from "../../platform/db/database.ts";
import type { AccountRow } from "../../platform/db/tables.ts";
import { notFound } from "../../platform/errors.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { isMemberOf, visibleToAll } from "../../visibility/visibility.ts";

const EVERY_BRAND = BRANDS.reduce((bits, { bit }) => bits | bit, 0);

export function isNetworkAdmin(ctx: MemberContext): boolean {
  return can({ loggedIn: true, adminBrand: ctx.viewer.adminBrand, brand: ctx.brand.id }, "administer-network");
}

/** Whether a member is in scope, on the same rows. */
export function memberInScope(ctx: MemberContext): RawBuilder<boolean> {
  return isNetworkAdmin(ctx) ? sql<boolean>`1 = 1` : isMemberOf(ctx.brand);
}

/** Whether any member of a brand in scope may see a picture now, on joined `picture as pic` and `profile as p` rows. */
export const publicInScope = (ctx: MemberContext): RawBuilder<boolean> => publicOn(brandsInScope(ctx));

function brandsInScope(ctx: MemberContext): { readonly bit: number } {
  return isNetworkAdmin(ctx) ? { bit: EVERY_BRAND } : ctx.brand;
}

export function brandInScope(ctx: MemberContext, column: string): RawBuilder<boolean> {
  if (isNetworkAdmin(ctx)) return sql<boolean>`1 = 1`;
  return sql<boolean>`${sql.ref(column)} = ${ctx.brand.id}`;
}

/** Whether an admin may know of a case, on a row `r` of `report`: never of one about themselves, which would name who reported them. */
export function caseInScope(ctx: MemberContext): RawBuilder<boolean> {
  return sql<boolean>`(${brandInScope(ctx, "r.brand")} and r.subject_id <> ${ctx.viewer.profileId})`;
}

/** The same for a notice `n`. */
export function noticeInScope(ctx: MemberContext): RawBuilder<boolean> {
  return sql<boolean>`(${brandInScope(ctx, "n.brand")} and not ${isNoticeAbout(sql.lit(ctx.viewer.profileId))})`;
}

/** Whether a notice `n` has a picture of this member, or names one or the profile by an address, as all do before they are matched. */
export function isNoticeAbout(id: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(exists (select 1 from notice_picture own where own.notice_id = n.id and own.profile_id = ${id})
    or exists (select 1 from (select 'profile/' || ${id} as link union all select 'profileid=' || ${id}
      union all select way.column1 || own.id from picture own cross join (values ('pic/'), ('nsfw/'), ('[?&]id=')) way
        where own.profile_id = ${id})
      where lower(n.location || ' ') glob '*' || link || '[^0-9]*'))`;
}

/** Whether somebody can act as an admin of a brand now, on joined `account as a` and `profile as p` rows. */
export function isActiveAdminOf(brand: string | RawBuilder<string>): RawBuilder<boolean> {
  return sql<boolean>`(a.admin_brand in ('*', ${brand}) and a.ts_deleted is null and p.status = 'active')`;
}

export type ScopedMember = Pick<AccountRow, "id" | "home_brand" | "admin_brand">;

/**
 * Throws NOT_FOUND for a member out of scope. `listed` tells whether any member of a brand in scope may see the profile: acting on a
 * member must not open a profile that nobody sees.
 */
export async function getMemberInScope(
  ctx: MemberContext,
  id: number,
): Promise<ScopedMember & { readonly listed: number; readonly here: number }> {
  return ctx.db
    .selectFrom("profile as p")
    .innerJoin("account as a", "a.id", "p.id")
    .select(["p.id", "a.home_brand", "a.admin_brand", sql<number>`${visibleToAll(brandsInScope(ctx))}`.as("listed")])
    .select(sql<number>`${isMemberOf(ctx.brand)}`.as("here"))
    .where("p.id", "=", id)
    .where(memberInScope(ctx))
    .executeTakeFirstOrThrow(notFound);
}

/** The members, whether or not they still are in scope. */
export function listJudged({ db }: MemberContext, ids: readonly number[]): Promise<ScopedMember[]> {
  return db
    .selectFrom("account")
    .select(["id", "home_brand", "admin_brand"])
    .where("id", "in", [...ids])
    .execute();
}

/** Whether another admin could act on a member for this brand now, as `canActOn` says. */
export function hasOtherAdmin(
  { db, viewer }: MemberContext,
  brand: string,
  member: ScopedMember,
  onAllBrands: boolean,
): Promise<boolean> {
  const isBrandEnough = member.admin_brand === null && (!onAllBrands || member.home_brand === brand);
  const others = db
    .selectFrom("account as a")
    .innerJoin("profile as p", "p.id", "a.id")
    .select("a.id")
    .where(isActiveAdminOf(isBrandEnough ? brand : "*"))
    .where("a.id", "not in", [viewer.profileId, member.id]);
  return hasRow(others.limit(1));
}

/** The same as `canActOn` for all brands, on joined `account as a`: their home brand's admins, or network admins. */
export function judgedHere(ctx: MemberContext): RawBuilder<boolean> {
  const isOther = sql<boolean>`a.id <> ${ctx.viewer.profileId}`;
  if (isNetworkAdmin(ctx)) return isOther;
  return sql<boolean>`(${isOther} and a.admin_brand is null and a.home_brand = ${ctx.brand.id})`;
}

/**
 * Actions that apply on all brands (suspend, ban) need the home brand's or a network admin. Nobody can act on their own
 * account.
 */
export function canActOn(ctx: MemberContext, member: ScopedMember, onAllBrands: boolean): boolean {
  if (member.id === ctx.viewer.profileId) return false;
  if (isNetworkAdmin(ctx)) return true;
  if (member.admin_brand !== null) return false;
  return !onAllBrands || member.home_brand === ctx.brand.id;
}
