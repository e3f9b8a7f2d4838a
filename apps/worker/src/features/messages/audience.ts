/**
 * Which open sockets may hear of a member: one query over their sessions, which is the visibility rule seen from the other end
 * (many onlookers, one subject). Raw SQL on D1, since Durable Objects have no request context.
 */
import { BRANDS } from "@lambda/brands";
import type { SocketOwner } from "./sockets.ts";

export interface OpenSession {
  /** The subject is listed on this session's brand, the onlooker too, and no block stands between; true without a subject. */
  readonly maySee: boolean;
}

/**
 * The sessions among `owners` that still stand (not ended, not expired, member active), with whether each may see `aboutId`.
 * Hidden members see nobody arrive: they neither receive nor appear.
 */
export async function listOpenSessions(
  d1: D1Database,
  owners: readonly SocketOwner[],
  aboutId: number | null,
  now: number,
): Promise<Map<number, OpenSession>> {
  const bits = Object.fromEntries(BRANDS.map((brand) => [brand.id, brand.bit]));
  const asked = JSON.stringify(owners.map((owner) => [owner.sessionId, bits[owner.brand] ?? 0]));
  const { results } = await d1
    .prepare(
      `select s.id,
         ?2 is null or s.account_id = ?2 or (
           me.listed_on & (o.value ->> 1) <> 0 and coalesce(p.listed_on, 0) & (o.value ->> 1) <> 0
           and not exists (select 1 from block b where b.profile_id = s.account_id and b.other_id = ?2)) as may_see
       from json_each(?1) o
       join session s on s.id = o.value ->> 0
       join profile me on me.id = s.account_id
       left join profile p on p.id = ?2
       where s.ts_expires > ?3 and (me.status = 'active' or (me.status = 'suspended' and me.ts_status_until <= ?3))`,
    )
    .bind(asked, aboutId, now)
    .all<{ id: number; may_see: number }>();
  return new Map(results.map((row) => [row.id, { maySee: row.may_see === 1 }]));
}
