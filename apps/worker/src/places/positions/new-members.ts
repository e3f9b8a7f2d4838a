import { bindNames, type Database, valuesOf } from "../../platform/db/database.ts";
import { listedOn, type ViewerContext, visibleTo } from "../../visibility/visibility.ts";
import { isNewAccount } from "./statements.ts";

/** Those of the members who are new and whom the viewer may see now. Discreet ones are marked to nobody, not even to the few who see them. */
export function listNewMembers(db: Database, ctx: ViewerContext, profileIds: readonly number[], now: number) {
  return db
    .selectFrom(valuesOf(profileIds, "asked"))
    .crossJoin("account as a")
    .crossJoin("profile as p")
    .select("p.id as profile_id")
    .whereRef("a.id", "=", "asked.column1")
    .where(bindNames(isNewAccount("$now"), { now }))
    .whereRef("p.id", "=", "asked.column1")
    .where(listedOn(ctx.brand))
    .where(visibleTo(ctx))
    .execute();
}
