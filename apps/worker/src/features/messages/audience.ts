/**
 * Which open sockets may hear of a member: one query over their sessions, which is the visibility rule seen from the other end
 * (many onlookers, one subject). Raw SQL on D1, since Durable Objects have no request context.
 */
import { BRANDS } from "@lambda/brands";
import type { Compiled } from "../../db/batch.ts";
import type { SocketOwner } from "./sockets.ts";

/** A session that stands: not ended, not expired, member active. */
export interface OpenSession {
  readonly id: number;
  /** 1: the subject is listed on this session's brand, the onlooker too, and no block stands between; or there is no subject. */
  readonly maySee: 0 | 1;
  /** Where the onlooker is published now; null without a living position. */
  readonly key: number | null;
}

const BITS = JSON.stringify(Object.fromEntries(BRANDS.map((brand) => [brand.id, brand.bit])));

/** What an onlooker's session tells; ?1 names the sessions, ?2 is the subject, ?3 the time, ?4 the brands' bits. */
const sessionsOf = (from: string) => `
  select s.id,
    ?2 is null or s.account_id = ?2 or (
      me.listed_on & (?4 ->> s.brand) <> 0 and coalesce(p.listed_on, 0) & (?4 ->> s.brand) <> 0
      and not exists (select 1 from block b where b.profile_id = s.account_id and b.other_id = ?2)) as maySee,
    at.key as key
  from ${from}
  join profile me on me.id = s.account_id
  left join profile p on p.id = ?2
  left join position at on at.profile_id = s.account_id and at.ts_effective_until > ?3
  where s.ts_expires > ?3 and (me.status = 'active' or (me.status = 'suspended' and me.ts_status_until <= ?3))`;

/**
 * The sessions among `owners` that still stand, with whether each may see `aboutId`. Hidden members see nobody arrive: they
 * neither receive nor appear. One row whatever their number, as an area may have thousands.
 */
export async function listOpenSessions(
  d1: D1Database,
  owners: readonly SocketOwner[],
  aboutId: number | null,
  now: number,
): Promise<Map<number, OpenSession>> {
  const ids = JSON.stringify(owners.map((owner) => owner.sessionId));
  const row = await d1
    .prepare(
      `select json_group_array(json_array(id, maySee, key)) as sessions
       from (${sessionsOf("json_each(?1) o cross join session s on s.id = o.value")})`,
    )
    .bind(ids, aboutId, now, BITS)
    .first<{ sessions: string }>();
  const sessions = JSON.parse(row?.sessions ?? "[]") as [number, 0 | 1, number | null][];
  return new Map(sessions.map(([id, maySee, key]) => [id, { id, maySee, key }]));
}

/**
 * The same for all sessions of some members, to be put into the batch that stores what they are told: then telling them needs no
 * further question. Answers `OpenSession` rows.
 */
export function openSessionsOf(profileIds: readonly number[], aboutId: number, now: number): Compiled {
  return {
    sql: sessionsOf("json_each(?1) o cross join session s on s.account_id = o.value"),
    parameters: [JSON.stringify(profileIds), aboutId, now, BITS],
  };
}
