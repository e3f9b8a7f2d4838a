/** Which sessions with open sockets may receive an event about a member. */

import type { CurveKey } from "@lambda/geo/curve";
import { sql } from "kysely";
import { type Query, rawQuery } from "../../platform/db/batch.ts";
import { type Database, openDatabase } from "../../platform/db/database.ts";
import type { RecipientSession } from "../../platform/objects.ts";
import type { SocketOwner } from "./sockets.ts";
import { getOpenSessions, selectSessions } from "./statements.ts";

/**
 * The sessions of `owners` that are still open, and whether each may see the member `aboutId`. A hidden member may see nobody and be
 * seen by nobody.
 */
export async function listOpenSessions(
  d1: D1Database,
  owners: readonly SocketOwner[],
  aboutId: number | null,
  now: number,
): Promise<Map<number, RecipientSession>> {
  const ids = owners.map((owner) => owner.sessionId);
  const sessions = JSON.parse(await getOpenSessions(openDatabase(d1), ids, aboutId, now)) as [
    number,
    0 | 1,
    CurveKey | null,
    string | null,
  ][];
  return new Map(sessions.map(([id, maySee, key, lock]) => [id, { id, maySee, key, lock }]));
}

/** The same for all sessions of some members. Part of the batch that stores a message, so that its delivery needs no further query. */
export function openSessionsQuery(
  db: Database,
  profileIds: readonly number[],
  aboutId: number,
  now: number,
): Query<RecipientSession> {
  const sessions = sql`json_each(${JSON.stringify(profileIds)}) o cross join session s on s.account_id = o.value`;
  return rawQuery(db, selectSessions(sessions, aboutId, now));
}
