import { EXPOSURE_ALL_MAX } from "@lambda/contract/limits";
import { type RawBuilder, sql } from "kysely";
import type { MemberContext } from "../../trpc.ts";
import { visibleTo } from "../visibility/visible.ts";

export interface Partner {
  readonly id: number;
  readonly profile_name: string;
  readonly pics_public: string;
}

/** Whether the other one ever wrote too: a notice goes to partners, not to strangers whom somebody wrote to. */
function wroteBack(me: number): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from message m where m.low_id = min(c.profile_id, c.other_id)
    and m.high_id = max(c.profile_id, c.other_id) and m.sender_id <> ${me})`;
}

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
    .where(wroteBack(me))
    .orderBy("c.last_message_id", "desc")
    .limit(options.limit);
  if (options.among) query = query.where("c.other_id", "in", options.among);
  return query.execute();
}

/** Ids of all partners since a time, for the server's own use: hidden and blocked ones are among them. */
export async function listPartnersSince(ctx: MemberContext, since: number): Promise<number[]> {
  const me = ctx.viewer.profileId;
  const rows = await ctx.db
    .selectFrom("conversation as c")
    .innerJoin("message as last", "last.id", "c.last_message_id")
    .select("c.other_id")
    .where("c.profile_id", "=", me)
    .where("last.ts_created", ">=", since)
    .where(wroteBack(me))
    .orderBy("c.last_message_id", "desc")
    .limit(EXPOSURE_ALL_MAX)
    .execute();
  return rows.map((row) => row.other_id);
}
