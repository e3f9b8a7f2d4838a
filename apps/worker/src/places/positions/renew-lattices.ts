/**
 * Scheduled: stores the lattices of accounts from before they were stored, and encrypts anew what an older key
 * encrypted. No marker moves: the lattices and the remembered cells stay the same.
 */
import { sql } from "kysely";
import { encryptLattices } from "../../accounts/lattices.ts";
import { mailboxOf } from "../../accounts/mailbox.ts";
import { batch, openDatabase } from "../../platform/db/database.ts";
import type { Env } from "../../platform/env.ts";
import { hasOldVersions, newestKeyId } from "../../platform/keys.ts";
import { decryptRestingCells } from "./place-memory.ts";
import { updatePlacesQuery } from "./places.ts";

/** Keeps a run's JSON and statements within D1's limits. */
const CHUNK_ACCOUNTS_MAX = 200;

export async function renewLattices(env: Env, rows: number): Promise<boolean> {
  const db = openDatabase(env.DB);
  const limit = Math.min(rows, CHUNK_ACCOUNTS_MAX);
  const due = await db
    .selectFrom("account as a")
    .leftJoin("place_memory as m", "m.profile_id", "a.id")
    .select(["a.id", "a.email", "a.lattice_seed", "a.lattices", "m.sealed"])
    .where(
      // Without an older key, an index finds the few accounts; with one, all are read until it is removed.
      hasOldVersions(env)
        ? sql<boolean>`(a.lattices is null or substr(a.lattices, 1, 4) <> ${newestKeyId(env)})`
        : sql<boolean>`a.lattices is null`,
    )
    .limit(limit)
    .execute();
  if (due.length === 0) return false;
  const renewed = due.map((owner) => ({
    id: owner.id,
    email: owner.email,
    mailbox: mailboxOf(owner.email),
    lattices: encryptLattices(env, owner).toString("hex"),
  }));
  const memories = hasOldVersions(env) ? due.filter(({ sealed }) => sealed !== null) : [];
  const remembering = memories.map(({ id, sealed }) =>
    updatePlacesQuery(db, env, id, decryptRestingCells(env, id, sealed)),
  );
  // An account whose address changed meanwhile has stored its lattices itself.
  const storing = db
    .updateTable("account")
    .from(sql<{ value: string }>`json_each(${JSON.stringify(renewed)})`.as("j"))
    .set({
      mailbox: sql<string>`j.value ->> 'mailbox'`,
      lattices: sql<Uint8Array>`unhex(j.value ->> 'lattices')`,
      lattice_seed: null,
    })
    .where("account.id", "=", sql<number>`j.value ->> 'id'`)
    .where("account.email", "=", sql<string>`j.value ->> 'email'`);
  await batch(env.DB, [storing, ...remembering]);
  return due.length === limit;
}
