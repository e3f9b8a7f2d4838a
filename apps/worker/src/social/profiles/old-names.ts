import { BULK_CHUNK_ROWS } from "@lambda/contract/limits";
import { nameProblem, nameSkeleton, visibleName } from "@lambda/contract/names";
import type { Database } from "../../platform/db/database.ts";

/**
 * Run by schedule: names that came in without their look being kept. What nobody sees in them is taken out; one that is nothing else
 * is emptied, and its member is asked for another. A name that claims to be staff stays for staff to judge.
 */
export async function judgeOldNames(db: Database): Promise<void> {
  const rows = await db
    .selectFrom("profile")
    .select(["id", "profile_name"])
    .where("name_skeleton", "is", null)
    .where("profile_name", "<>", "")
    .limit(BULK_CHUNK_ROWS)
    .execute();
  for (const { id, profile_name } of rows) {
    const visible = visibleName(profile_name);
    const problem = nameProblem(visible);
    const name = problem === undefined || problem === "reserved" ? visible : "";
    await db
      .updateTable("profile")
      .set({ profile_name: name, name_skeleton: nameSkeleton(name) })
      .where("id", "=", id)
      .where("profile_name", "=", profile_name)
      .execute();
  }
}
