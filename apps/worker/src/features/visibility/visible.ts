import { type RawBuilder, sql } from "kysely";
import type { MemberContext } from "../../trpc.ts";

/** Who looks, on which brand. */
export type Onlooker = Pick<MemberContext, "brand"> & { readonly viewer: Pick<MemberContext["viewer"], "profileId"> };

/**
 * The one visibility rule, as a condition on a joined `profile` row: the subject is listed on this brand (active, named, not
 * hidden, shared) and no block stands between, whoever made it. Every query that can reveal a member uses it. A member
 * does not see himself through it; own data is asked for by id.
 *
 * @param profile alias of the subject's profile row in the query
 */
export function visibleTo(onlooker: Onlooker, profile = "p"): RawBuilder<boolean> {
  const { brand, viewer } = onlooker;
  const subject = sql.ref(`${profile}.id`);
  return sql<boolean>`(${sql.ref(`${profile}.listed_on`)} & ${sql.lit(brand.bit)} <> 0 and ${subject} <> ${viewer.profileId}
    and not exists (select 1 from block b where b.profile_id = ${viewer.profileId} and b.other_id = ${subject}))`;
}
