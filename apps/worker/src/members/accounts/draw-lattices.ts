import type { Database } from "../../platform/db/database.ts";
import type { Keys } from "../../platform/encryption.ts";
import { newLattices } from "./lattices.ts";

/**
 * Draws the lattices of a new account. If another account in use has the same mailbox, both have the same own lattice:
 * however many accounts a member has there, their markers at one place together reveal one cell.
 */
export async function drawLattices(env: Keys, db: Database, mailbox: string): Promise<Buffer> {
  const other = await db
    .selectFrom("account as a")
    .innerJoin("profile as p", "p.id", "a.id")
    .select(["a.id", "a.email", "a.lattice_seed", "a.lattices"])
    .where("a.mailbox", "=", mailbox)
    .where("a.ts_deleted", "is", null)
    .where("p.status", "<>", "banned")
    .orderBy("a.id")
    .limit(1)
    .executeTakeFirst();
  return newLattices(env, other);
}
