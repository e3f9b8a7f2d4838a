import type { ErrorCode } from "@lambda/contract/errors";
import { SESSION_REMEMBERED_MS, SESSION_SHORT_MS } from "@lambda/contract/limits";
import { sql } from "kysely";
import type { Context } from "../../platform/context.ts";
import type { Database } from "../../platform/db/database.ts";
import { deletePortion } from "../../platform/db/rounds.ts";
import { AppError } from "../../platform/errors.ts";
import { clearSessionCookies, setSessionCookies } from "../../platform/http/cookies.ts";
import { spend } from "../../platform/rate-limits/limit.ts";
import { notLockedDown, refuseLockedDown } from "../lockdown/refuse.ts";
import { deviceLabel } from "./device-label.ts";
import { hashToken, newToken } from "./tokens.ts";

/**
 * Starts a session for an account and puts its cookies on the answer. A session of before on this device ends. The one place where
 * sessions begin: throws `refusedAs` while the account is locked down, and TOO_MANY_REQUESTS.
 */
export async function startSession(
  ctx: Context,
  accountId: number,
  { remember, refusedAs }: { remember: boolean; refusedAs: ErrorCode },
): Promise<void> {
  // Before anything is counted or changed: a count that runs out would tell that nothing but the lock-down was wrong.
  await refuseLockedDown(ctx, accountId, refusedAs);
  await spend(ctx, "sessions", accountId, { sessions: 1 });
  const token = newToken();
  const row = {
    token_hash: await hashToken(token),
    account_id: accountId,
    brand: ctx.brand.id,
    device_label: deviceLabel(ctx.request.headers.get("user-agent") ?? ""),
    remember: remember ? (1 as const) : (0 as const),
    ts_proved: ctx.now,
    ts_created: ctx.now,
    ts_last_used: ctx.now,
    ts_expires: ctx.now + (remember ? SESSION_REMEMBERED_MS : SESSION_SHORT_MS),
  };
  const columns = Object.keys(row) as (keyof typeof row)[];
  const begun = await ctx.db
    .insertInto("session")
    .columns(columns)
    .expression(
      ctx.db
        .selectNoFrom(columns.map((column) => sql.val(row[column]).as(column)))
        .where(notLockedDown(accountId, ctx.now)),
    )
    .returning("id")
    .executeTakeFirst();
  // The lock-down came between the look and the write.
  if (!begun) throw new AppError(refusedAs);
  if (ctx.viewer) await deleteSession(ctx.db, ctx.viewer.sessionId);
  setSessionCookies(ctx.responseHeaders, token, remember ? SESSION_REMEMBERED_MS / 1000 : undefined);
}

export async function endSession(ctx: Context): Promise<void> {
  if (ctx.viewer) await deleteSession(ctx.db, ctx.viewer.sessionId);
  clearSessionCookies(ctx.responseHeaders);
}

function deleteSession(db: Database, id: number) {
  return db.deleteFrom("session").where("id", "=", id).execute();
}

/** Run by schedule. */
export function deleteExpiredSessions(db: Database, now: number, atOnce: number): Promise<boolean> {
  const due = db.selectFrom("session").select("id").where("ts_expires", "<=", now).limit(atOnce);
  return deletePortion(db.deleteFrom("session").where("id", "in", due), atOnce);
}
