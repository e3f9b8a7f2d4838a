import type { ErrorCode } from "@lambda/contract/errors";
import { SESSION_REMEMBERED_MS, SESSION_SHORT_MS } from "@lambda/contract/limits";
import type { Context } from "../../platform/context.ts";
import { batch, type Database, insertIf, type Query } from "../../platform/db/database.ts";
import { AppError } from "../../platform/errors.ts";
import { clearSessionCookies, setSessionCookies, unlockHashOf } from "../../platform/http/cookies.ts";
import { spendQuota } from "../../platform/rate-limits/limit.ts";
import type { Viewer } from "../../platform/viewer.ts";
import { forgetAccountOnDevice } from "../../visibility/bans/marks.ts";
import { notLockedDown, requireNotLockedDown } from "../lockdown/check.ts";
import { deviceLabel } from "./device-label.ts";
import { closeEndedSockets, endEmailChangeQueries, endSessionQueries } from "./end-access.ts";
import { hashToken, newToken } from "./tokens.ts";

/**
 * Starts a session for an account and sets its cookies; a previous session on this device ends. The only place where
 * sessions start: throws `failureCode` while the account is locked down, and TOO_MANY_REQUESTS.
 */
export async function startSession(
  ctx: Context,
  accountId: number,
  { remember, failureCode }: { remember: boolean; failureCode: ErrorCode },
): Promise<void> {
  // Checked before anything is counted: an exhausted quota would reveal that only the lock-down stood in the way.
  await requireNotLockedDown(ctx, accountId, failureCode);
  await spendQuota(ctx, "sessions", accountId, { sessions: 1 });
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
    // A login on a device whose app lock is open starts a session that is locked with it.
    lock_hash: await unlockHashOf(ctx.request),
  };
  const inserted = await insertIf(ctx.db, "session", row, notLockedDown(accountId, ctx.now))
    .returning("id")
    .executeTakeFirst();
  // A lock-down began after the check above.
  if (!inserted) throw new AppError(failureCode);
  if (ctx.viewer) await batch(ctx.d1, replaceSessionQueries(ctx.db, ctx.viewer, { id: inserted.id, accountId }));
  setSessionCookies(ctx.responseHeaders, token, remember ? SESSION_REMEMBERED_MS / 1000 : undefined);
}

/** Ends the session of a request, also a locked one. */
export async function endSession(ctx: Context): Promise<void> {
  const viewer = ctx.viewer ?? ctx.lockedViewer;
  if (viewer) {
    await batch(ctx.d1, endSessionQueries(ctx.db, viewer.profileId, viewer.sessionId));
    // Its other tabs would go on showing the conversation that is open in them.
    closeEndedSockets({ ...ctx, viewer });
  }
  clearDeviceCookies(ctx);
}

export function clearDeviceCookies(ctx: Context): void {
  clearSessionCookies(ctx.responseHeaders);
  const viewer = ctx.viewer ?? ctx.lockedViewer;
  if (viewer) forgetAccountOnDevice(ctx, viewer);
}

/** Ends the previous session on this device. A second PIN that was set in it stays this device's, and so does its push subscription. */
function replaceSessionQueries(db: Database, previous: Viewer, next: { id: number; accountId: number }): Query[] {
  const keepSignal = db
    .updateTable("lockdown_signal")
    .set({ session_id: next.id })
    .where("account_id", "=", next.accountId)
    .where("session_id", "=", previous.sessionId);
  const keepDevice = db
    .updateTable("push_subscription")
    .set({ session_id: next.id })
    .where("profile_id", "=", next.accountId)
    .where("session_id", "=", previous.sessionId);
  return [
    keepSignal,
    keepDevice,
    ...endSessionQueries(db, previous.profileId, previous.sessionId),
    // As after a proof that does not ask about it. Ending the session ends the mailed link, so the settings must not go on naming the address.
    ...(previous.profileId === next.accountId ? endEmailChangeQueries(db, next.accountId) : []),
  ];
}
