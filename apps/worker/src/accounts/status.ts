import { type RawBuilder, sql } from "kysely";
import type { Database, Query } from "../platform/db/database.ts";

type Status = "active" | "suspended" | "banned";

/**
 * SQL expression on a `profile` row: the status that results from the actions in force. Never set a status any other
 * way.
 */
export function statusFromActions(now: number): RawBuilder<Status> {
  return sql<Status>`case
    when exists (select 1 from moderation_action a where a.profile_id = profile.id and a.ts_lifted is null and a.kind = 'ban') then 'banned'
    when exists (select 1 from moderation_action a where a.profile_id = profile.id and a.ts_lifted is null and a.kind = 'suspend' and a.ts_until > ${now}) then 'suspended'
    else 'active' end`;
}

function statusUntilFromActions(): RawBuilder<number | null> {
  return sql<
    number | null
  >`(select max(a.ts_until) from moderation_action a where a.profile_id = profile.id and a.ts_lifted is null and a.kind = 'suspend')`;
}

/**
 * Updates profile.status to match the actions in force; a deleted account stays deleted. Part of every batch that
 * changes an action.
 */
export function refreshStatusQuery(db: Database, profileId: number, now: number): Query {
  return db
    .updateTable("profile")
    .set({ status: statusFromActions(now), ts_status_until: statusUntilFromActions() })
    .where("id", "=", profileId)
    .where("status", "<>", "deleted");
}
