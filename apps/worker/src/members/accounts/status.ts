import { type RawBuilder, sql } from "kysely";
import type { Compiled } from "../../platform/db/batch.ts";
import type { Database } from "../../platform/db/database.ts";

type Status = "active" | "suspended" | "banned";

/** The status that follows from the actions in force against a member, as an expression on a `profile` row: never set it by hand. */
export function statusByActions(now: number): RawBuilder<Status> {
  return sql<Status>`case
    when exists (select 1 from moderation_action a where a.profile_id = profile.id and a.ts_lifted is null and a.kind = 'ban') then 'banned'
    when exists (select 1 from moderation_action a where a.profile_id = profile.id and a.ts_lifted is null and a.kind = 'suspend' and a.ts_until > ${now}) then 'suspended'
    else 'active' end`;
}

function statusUntilByActions(): RawBuilder<number | null> {
  return sql<
    number | null
  >`(select max(a.ts_until) from moderation_action a where a.profile_id = profile.id and a.ts_lifted is null and a.kind = 'suspend')`;
}

/** Brings profile.status in line with the actions; a deleted account stays deleted. Part of every batch that changes an action. */
export function refreshStatusQuery(db: Database, profileId: number, now: number): Compiled {
  return db
    .updateTable("profile")
    .set({ status: statusByActions(now), ts_status_until: statusUntilByActions() })
    .where("id", "=", profileId)
    .where("status", "<>", "deleted")
    .compile();
}
