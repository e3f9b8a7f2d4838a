/** What a lock-down does to a login: every way in is refused as if what was shown were wrong, so that no answer tells of it. */
import type { ErrorCode } from "@lambda/contract/errors";
import { type RawBuilder, sql } from "kysely";
import type { Context } from "../../platform/context.ts";
import type { Database } from "../../platform/db/database.ts";
import { AppError } from "../../platform/errors.ts";

/** Nobody locked this account down: part of the statement that opens a session, so that none slips in meanwhile. */
export function notLockedDown(accountId: number, now: number): RawBuilder<boolean> {
  return sql<boolean>`not exists (select 1 from lockdown l where l.account_id = ${accountId} and l.ts_until > ${now})`;
}

/** Throws `refusedAs` while a lock-down runs: the code of a wrong password, digit, link or key, whichever was shown. */
export async function refuseLockedDown(
  { db, now }: Pick<Context, "db" | "now">,
  accountId: number,
  refusedAs: ErrorCode,
): Promise<void> {
  const row = await db
    .selectFrom("lockdown")
    .select("ts_until")
    .where("account_id", "=", accountId)
    .where("ts_until", ">", now)
    .executeTakeFirst();
  if (row) throw new AppError(refusedAs);
}

/** Whether the account of an address is locked down: its mails stay unsent, as a link would open nothing. */
export async function isLockedDown(db: Database, email: string, now: number): Promise<boolean> {
  const row = await db
    .selectFrom("account as a")
    .innerJoin("lockdown as l", "l.account_id", "a.id")
    .select("l.ts_until")
    .where("a.email", "=", email)
    .where("l.ts_until", ">", now)
    .executeTakeFirst();
  return row !== undefined;
}
