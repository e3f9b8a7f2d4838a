/**
 * Which open sockets may be told of a member: one query over their sessions.
 */
import type { CurveKey } from "@lambda/geo/curve";
import { type CompiledQuery, sql } from "kysely";
import { type Database, openDatabase } from "../../platform/db/database.ts";
import type { OpenSession } from "../../platform/objects.ts";
import type { SocketOwner } from "./sockets.ts";
import { getOpenSessions, sessionsOf } from "./statements.ts";

/**
 * The sessions of `owners` that are still open, with whether each may see `aboutId`. Hidden members see nobody arrive: they
 * neither receive nor appear.
 */
export async function listOpenSessions(
  d1: D1Database,
  owners: readonly SocketOwner[],
  aboutId: number | null,
  now: number,
): Promise<Map<number, OpenSession>> {
  const ids = owners.map((owner) => owner.sessionId);
  const sessions = JSON.parse(await getOpenSessions(openDatabase(d1), ids, aboutId, now)) as [
    number,
    0 | 1,
    CurveKey | null,
  ][];
  return new Map(sessions.map(([id, maySee, key]) => [id, { id, maySee, key }]));
}

/** The same for all sessions of some members, for the batch that stores what they are told: delivery then needs no further query. */
export function openSessionsQuery(
  db: Database,
  profileIds: readonly number[],
  aboutId: number,
  now: number,
): CompiledQuery<OpenSession> {
  const theirs = sql`json_each(${JSON.stringify(profileIds)}) o cross join session s on s.account_id = o.value`;
  return sessionsOf(theirs, aboutId, now).compile(db);
}
