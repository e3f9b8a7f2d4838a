import { PASSKEYS_MAX } from "@lambda/contract/limits";
import type { Passkey } from "@lambda/contract/passkeys";
import { type Insertable, type Selectable, sql } from "kysely";
import { type Database, guardQuery, hasRow, type Query } from "../../platform/db/database.ts";
import type { PasskeyTable } from "../../platform/db/tables.ts";
import { notFound } from "../../platform/errors.ts";
import { toIso, toIsoOrNull } from "../../platform/iso-time.ts";

const SHOWN = [
  "id",
  "name",
  "brand",
  "rp_id",
  "backed_up",
  "ts_created",
  "ts_last_used",
  "ts_cloned",
] as const satisfies readonly (keyof PasskeyTable)[];

export function listPasskeys(db: Database, accountId: number) {
  return db.selectFrom("passkey").select(SHOWN).where("account_id", "=", accountId).orderBy("id").execute();
}

/** Passkeys that a browser on this site can use. */
export function listPasskeysOfSite(db: Database, accountId: number, rpId: string) {
  return db
    .selectFrom("passkey")
    .select(["credential_id", "transports", "ts_cloned"])
    .where("account_id", "=", accountId)
    .where("rp_id", "=", rpId)
    .execute();
}

/** Finds a passkey of this site, with the columns that decide whether its account may be opened. */
export function findPasskey(db: Database, credentialId: string, rpId: string) {
  return db
    .selectFrom("passkey as k")
    .innerJoin("account as a", "a.id", "k.account_id")
    .innerJoin("profile as p", "p.id", "k.account_id")
    .select(["k.id", "k.account_id", "k.public_key", "k.name", "k.ts_cloned"])
    .select(["a.email", "a.locale", "a.ts_deleted", "a.passkey_handle", "p.status"])
    .where("k.credential_id", "=", credentialId)
    .where("k.rp_id", "=", rpId)
    .executeTakeFirst();
}

/** Queries that add a passkey, for one batch whose guard fails above the limit. */
export function insertPasskeyQueries(db: Database, row: Insertable<PasskeyTable>): [Query, Query<ShownRow>] {
  return [
    guardQuery(
      db,
      sql<boolean>`(select count(*) from passkey where account_id = ${row.account_id}) < ${sql.lit(PASSKEYS_MAX)}`,
    ),
    db.insertInto("passkey").values(row).returning(SHOWN),
  ];
}

/**
 * Records a use of a passkey; returns nothing if its counter did not increase. A device that does not count always
 * sends 0.
 */
export function updatePasskeyUse(
  db: Database,
  { id, counter, backedUp, now }: { id: number; counter: number; backedUp: boolean; now: number },
) {
  return db
    .updateTable("passkey")
    .set({ counter, backed_up: backedUp ? 1 : 0, ts_last_used: now })
    .where("id", "=", id)
    .where("ts_cloned", "is", null)
    .where((eb) => eb.or([eb("counter", "<", counter), eb.and([eb("counter", "=", 0), sql<boolean>`${counter} = 0`])]))
    .returning("id")
    .executeTakeFirst();
}

export function updatePasskeyName(db: Database, accountId: number, id: number, name: string) {
  return db
    .updateTable("passkey")
    .set({ name })
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .returning(SHOWN)
    .executeTakeFirstOrThrow(notFound);
}

export function deletePasskey(db: Database, accountId: number, id: number): Promise<boolean> {
  return hasRow(db.deleteFrom("passkey").where("id", "=", id).where("account_id", "=", accountId).returning("id"));
}

type ShownRow = Pick<Selectable<PasskeyTable>, (typeof SHOWN)[number]>;

export function toPasskey(row: ShownRow, rpId: string): Passkey {
  return {
    id: row.id,
    name: row.name,
    brand: row.brand,
    worksHere: row.rp_id === rpId && row.ts_cloned === null,
    backedUp: row.backed_up === 1,
    tsCreated: toIso(row.ts_created),
    tsLastUsed: toIsoOrNull(row.ts_last_used),
    tsCloned: toIsoOrNull(row.ts_cloned),
  };
}
