/**
 * Which open sockets may hear of a member: one query over their sessions, which is the visibility rule seen from the other end
 * (many onlookers, one subject).
 */
import { BRANDS } from "@lambda/brands";
import { type CompiledQuery, type RawBuilder, sql } from "kysely";
import { listedOn, notBlocked } from "../../members/visibility/visibility.ts";
import { type Database, openDatabase } from "../../platform/db/database.ts";
import type { OpenSession } from "../../platform/objects.ts";
import type { SocketOwner } from "./sockets.ts";

/** A session that stands: not ended, not expired, member active. */
const BITS = JSON.stringify(Object.fromEntries(BRANDS.map((brand) => [brand.id, brand.bit])));

/** What an onlooker's session tells of the subject. */
function sessionsOf(from: RawBuilder<unknown>, aboutId: number | null, now: number): RawBuilder<OpenSession> {
  const brand = { bit: sql<number>`(${BITS} ->> s.brand)` };
  return sql<OpenSession>`
    select s.id,
      (${aboutId} is null or s.account_id = ${aboutId} or (
        ${listedOn(brand, "me")} and ${listedOn(brand)} and ${notBlocked(sql.ref("s.account_id"), aboutId)})) is true as maySee,
      at.key as key
    from ${from}
    join profile me on me.id = s.account_id
    left join profile p on p.id = ${aboutId}
    left join position at on at.profile_id = s.account_id and at.ts_effective_until > ${now}
    where s.ts_expires > ${now} and (me.status = 'active' or (me.status = 'suspended' and me.ts_status_until <= ${now}))`;
}

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
  const named = sql`json_each(${ids}) o cross join session s on s.id = o.value`;
  const { rows } = await sql<{ sessions: string }>`
    select json_group_array(json_array(id, maySee, key)) as sessions from (${sessionsOf(named, aboutId, now)})`.execute(
    openDatabase(d1),
  );
  const sessions = JSON.parse(rows[0]?.sessions ?? "[]") as [number, 0 | 1, number | null][];
  return new Map(sessions.map(([id, maySee, key]) => [id, { id, maySee, key }]));
}

/**
 * The same for all sessions of some members, to be put into the batch that stores what they are told: then telling them needs no
 * further question. Answers `OpenSession` rows.
 */
export function openSessionsQuery(
  db: Database,
  profileIds: readonly number[],
  aboutId: number,
  now: number,
): CompiledQuery<OpenSession> {
  const theirs = sql`json_each(${JSON.stringify(profileIds)}) o cross join session s on s.account_id = o.value`;
  return sessionsOf(theirs, aboutId, now).compile(db);
}
