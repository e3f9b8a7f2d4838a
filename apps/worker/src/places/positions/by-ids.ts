/** Briefs of members with given ids, for what changed on an open map. */

import { type Database, valuesOf } from "../../platform/db/database.ts";
import { type Searcher, visibleInPresence } from "../../visibility/visibility.ts";
import type { FoundRow } from "./statements.ts";

/** Those of them whom the searcher may find now. */
export function listByIds(db: Database, searcher: Searcher, ids: readonly number[]): Promise<FoundRow[]> {
  // Cross joins keep the order: with a member's key, their row of the brand takes one lookup.
  return db
    .selectFrom(valuesOf(ids, "asked"))
    .crossJoin("position as o")
    .crossJoin("presence as p")
    .select(["p.key", "p.profile_id", "p.random_order", "p.profile_name", "p.characteristics", "p.birth_day"])
    .select(["p.height", "p.weight", "p.pics_public", "p.ts_seen"])
    .whereRef("o.profile_id", "=", "asked.column1")
    .whereRef("p.key", "=", "o.key")
    .whereRef("p.profile_id", "=", "asked.column1")
    .where(visibleInPresence(searcher))
    .execute();
}
