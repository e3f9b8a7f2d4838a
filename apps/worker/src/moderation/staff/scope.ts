/**
 * What one admin may see and do. A network admin: everything. A brand's admin: members who are on that brand (its own, and
 * those who share their profile with it), and what was reported or written there.
 */
import { BRANDS } from "@lambda/brands";
import { can } from "@lambda/contract/capabilities";
import { type RawBuilder, sql } from "kysely";
import { listedOn } from "../../members/visibility/visibility.ts";
import { AppError } from "../../platform/errors.ts";
import type { MemberContext } from "../../platform/trpc.ts";

const EVERY_BRAND = BRANDS.reduce((bits, { bit }) => bits | bit, 0);

export function isNetworkAdmin(ctx: MemberContext): boolean {
  return can({ loggedIn: true, adminBrand: ctx.viewer.adminBrand, brand: ctx.brand.id }, "administer-network");
}

/** Members in scope, on joined `account as a` and `profile as p` rows. */
export function memberInScope(ctx: MemberContext): RawBuilder<boolean> {
  if (isNetworkAdmin(ctx)) return sql<boolean>`1 = 1`;
  return sql<boolean>`(a.home_brand = ${ctx.brand.id} or p.shared_on & ${sql.lit(ctx.brand.bit)} <> 0)`;
}

/** Members see the member on a brand of the scope now, on a joined `profile as p` row. */
export function listedInScope(ctx: MemberContext): RawBuilder<boolean> {
  return listedOn(isNetworkAdmin(ctx) ? { bit: EVERY_BRAND } : ctx.brand);
}

/** Rows with a brand column of their own. */
export function brandInScope(ctx: MemberContext, column: string): RawBuilder<boolean> {
  if (isNetworkAdmin(ctx)) return sql<boolean>`1 = 1`;
  return sql<boolean>`${sql.ref(column)} = ${ctx.brand.id}`;
}

export interface ScopedMember {
  readonly id: number;
  readonly home_brand: string;
  readonly admin_brand: string | null;
}

/** Throws NOT_FOUND for a member outside of the scope. */
export async function getMemberInScope(ctx: MemberContext, id: number): Promise<ScopedMember> {
  const row = await ctx.db
    .selectFrom("profile as p")
    .innerJoin("account as a", "a.id", "p.id")
    .select(["p.id", "a.home_brand", "a.admin_brand"])
    .where("p.id", "=", id)
    .where(memberInScope(ctx))
    .executeTakeFirst();
  if (!row) throw new AppError("NOT_FOUND");
  return row;
}

/** Suspending and banning hold on all brands: for the home brand's admins and network admins. Nobody judges their own account. */
export function mayActOn(ctx: MemberContext, member: ScopedMember, everywhere: boolean): boolean {
  if (member.id === ctx.viewer.profileId) return false;
  if (isNetworkAdmin(ctx)) return true;
  if (member.admin_brand !== null) return false;
  return !everywhere || member.home_brand === ctx.brand.id;
}
