/**
 * Checks for a lock-down at login: every way in fails as if the credentials were wrong, so that no response reveals it.
 */
import type { ErrorCode } from "@lambda/contract/errors";
import { type RawBuilder, sql } from "kysely";
import type { Context } from "../../platform/context.ts";
import { type Database, hasRow } from "../../platform/db/database.ts";
import { AppError } from "../../platform/errors.ts";

/**
 * SQL condition: the account is not locked down. Part of the statement that starts a session, so that none starts after
 * the first check.
 */
export function notLockedDown(accountId: number, now: number): RawBuilder<boolean> {
  return sql<boolean>`not exists (select 1 from lockdown l where l.account_id = ${accountId} and l.ts_until > ${now})`;
}

/**
 * Throws `failureCode` while a lock-down runs: the code for a wrong password, digits, link or passkey, whichever was
 * used.
 */
export async function requireNotLockedDown(
  { db, now }: Pick<Context, "db" | "now">,
  accountId: number,
  failureCode: ErrorCode,
): Promise<void> {
  if (await isLockedDown(db, accountId, now)) throw new AppError(failureCode);
}

/** Whether an account is locked down. It then gets no login mails, because their links would not work. */
export function isLockedDown(db: Database, accountId: number, now: number): Promise<boolean> {
  return hasRow(
    db.selectFrom("lockdown").select("ts_until").where("account_id", "=", accountId).where("ts_until", ">", now),
  );
}
