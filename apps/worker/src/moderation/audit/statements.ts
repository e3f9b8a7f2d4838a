/** A statement whose table is chosen by name, which Kysely would build once for each. */
import { sql } from "kysely";
import type { Database } from "../../platform/db/database.ts";
import type { PublicEntryRow } from "../../platform/db/tables.ts";

export const CHAINS = ["audit_entry", "public_entry"] as const;

export interface Entry
  extends Pick<PublicEntryRow, "seq" | "brand" | "action" | "case_ref" | "body" | "previous_hash" | "hash"> {
  /** Of the audit log alone: the exact time, and who did it to whom, unless that was deleted with the member. */
  readonly ts: number | null;
  readonly subject_id: number | null;
  readonly actor_id: number | null;
  readonly salt: string | null;
  readonly details: string | null;
  readonly subject_lives: number | null;
}

/** The entries of a chain from a number on. */
export async function listEntries(
  db: Database,
  chain: (typeof CHAINS)[number],
  from: number,
  limit: number,
): Promise<Entry[]> {
  const [columns, joined] =
    chain === "audit_entry"
      ? [
          sql`e.ts, p.subject_id, p.actor_id, p.salt, p.details,
            exists (select 1 from account a where a.id = p.details ->> '$.subjectId') as subject_lives`,
          sql`left join audit_private p on p.seq = e.seq`,
        ]
      : [sql`null as ts, null as details`, sql``];
  const { rows } = await sql<Entry>`
    select e.seq, e.brand, e.action, e.case_ref, e.body, e.previous_hash, e.hash, ${columns}
    from ${sql.table(chain)} e ${joined} where e.seq >= ${from} order by e.seq limit ${limit}`.execute(db);
  return rows;
}
