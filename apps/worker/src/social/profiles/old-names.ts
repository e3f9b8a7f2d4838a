import { BULK_CHUNK_ROWS } from "@lambda/contract/limits";
import { findNameProblem, nameSkeleton, stripInvisibleCharacters } from "@lambda/contract/names";
import type { Database } from "../../platform/db/database.ts";

/**
 * Scheduled: cleans names that were stored without a skeleton; one that is invalid without its invisible characters is emptied, so
 * that its member has to choose another. A name that claims to be staff stays, for staff to decide.
 */
export async function cleanOldNames(db: Database): Promise<void> {
  const rows = await db
    .selectFrom("profile")
    .select(["id", "profile_name"])
    .where("name_skeleton", "is", null)
    .where("profile_name", "<>", "")
    .limit(BULK_CHUNK_ROWS)
    .execute();
  for (const { id, profile_name } of rows) {
    const visible = stripInvisibleCharacters(profile_name);
    const problem = findNameProblem(visible);
    const name = problem === undefined || problem === "reserved" ? visible : "";
    await db
      .updateTable("profile")
      .set({ profile_name: name, name_skeleton: nameSkeleton(name) })
      .where("id", "=", id)
      .where("profile_name", "=", profile_name)
      .execute();
  }
}
