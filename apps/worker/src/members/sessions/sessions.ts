import { SESSION_REMEMBERED_MS, SESSION_SHORT_MS } from "@lambda/contract/limits";
import type { Context } from "../../platform/context.ts";
import type { Database } from "../../platform/db/database.ts";
import { clearSessionCookies, setSessionCookies } from "../../platform/http/cookies.ts";
import { spend } from "../../platform/rate-limits/limit.ts";
import { deviceLabel } from "./device-label.ts";
import { hashToken, newToken } from "./tokens.ts";

/** Starts a session for an account and puts its cookies on the answer. A session of before on this device ends. Throws TOO_MANY_REQUESTS. */
export async function startSession(
  ctx: Context,
  accountId: number,
  options: { remember: boolean; viaLink: boolean },
): Promise<void> {
  await spend(ctx, "sessions", accountId, { sessions: 1 });
  const token = newToken();
  const { remember, viaLink } = options;
  if (ctx.viewer) await deleteSession(ctx.db, ctx.viewer.sessionId);
  await ctx.db
    .insertInto("session")
    .values({
      token_hash: await hashToken(token),
      account_id: accountId,
      brand: ctx.brand.id,
      device_label: deviceLabel(ctx.request.headers.get("user-agent") ?? ""),
      remember: remember ? 1 : 0,
      via_link: viaLink ? 1 : 0,
      ts_created: ctx.now,
      ts_last_used: ctx.now,
      ts_expires: ctx.now + (remember ? SESSION_REMEMBERED_MS : SESSION_SHORT_MS),
    })
    .execute();
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
export function deleteExpiredSessions(db: Database, now: number) {
  return db.deleteFrom("session").where("ts_expires", "<=", now).execute();
}
