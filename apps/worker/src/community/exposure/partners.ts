import {
  EXPOSURE_ALL_MAX,
  EXPOSURE_CONTACT_MS,
  EXPOSURE_PARTNER_AGE_MS,
  EXPOSURE_PARTNERS_MIN,
} from "@lambda/contract/limits";
import { type RawBuilder, sql } from "kysely";
import { notBlocked, visibleTo } from "../../members/visibility/visibility.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { isSince, wroteToEachOther } from "../../social/messages/exchange.ts";

export interface Partner {
  readonly id: number;
  readonly profile_name: string;
  readonly pics_public: string;
}

/** Latest conversations looked at for how many partners somebody had. */
const CONVERSATIONS_READ_MAX = 40;

/** Partners whom the member may see now, the latest first. */
export async function listPartners(
  ctx: MemberContext,
  options: { among?: readonly number[]; limit: number },
): Promise<Partner[]> {
  const me = ctx.viewer.profileId;
  let query = ctx.db
    .selectFrom("conversation as c")
    .innerJoin("profile as p", "p.id", "c.other_id")
    .select(["p.id", "p.profile_name", "p.pics_public"])
    .where("c.profile_id", "=", me)
    .where(visibleTo(ctx))
    .where(wroteToEachOther(sql.ref("c.profile_id"), sql.ref("c.other_id"), ctx.now - EXPOSURE_CONTACT_MS))
    .orderBy("c.last_message_id", "desc")
    .limit(options.limit);
  if (options.among) query = query.where("c.other_id", "in", options.among);
  return query.execute();
}

/** Ids of all partners since a time, for the server's own use: hidden ones are among them, and nobody with whom a block stands. */
export async function listPartnersSince(ctx: MemberContext, since: number): Promise<number[]> {
  const me = ctx.viewer.profileId;
  const rows = await ctx.db
    .selectFrom("conversation as c")
    .select("c.other_id")
    .where("c.profile_id", "=", me)
    .where(isSince(sql.ref("c.last_message_id"), since))
    .where(wroteToEachOther(sql.ref("c.profile_id"), sql.ref("c.other_id"), since))
    .where(notBlocked(me, sql.ref("c.other_id")))
    .orderBy("c.last_message_id", "desc")
    .limit(EXPOSURE_ALL_MAX)
    .execute();
  return rows.map((row) => row.other_id);
}

/** Whether a member had so many partners lately that a notice could have come from any of them. */
export function hasEnoughPartners(member: RawBuilder<unknown>, now: number): RawBuilder<number> {
  return sql<number>`(select count(*) >= ${sql.lit(EXPOSURE_PARTNERS_MIN)} from (
    select profile_id, other_id from conversation where profile_id = ${member}
    order by last_message_id desc limit ${sql.lit(CONVERSATIONS_READ_MAX)}) c
    join account a on a.id = c.other_id and a.ts_created <= ${now - EXPOSURE_PARTNER_AGE_MS}
    where ${wroteToEachOther(sql.ref("c.profile_id"), sql.ref("c.other_id"), now - EXPOSURE_CONTACT_MS)})`;
}
