import { LOGIN_FAILURES_MAX, LOGIN_FAILURES_WINDOW_MS } from "@lambda/contract/limits";
import { AppError } from "../../platform/errors.ts";
import { isFresh } from "../../platform/fresh.ts";
import { clearLimit, enforceLimit } from "../../platform/rate-limits/limit.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { verifyPassword } from "../passwords.ts";

/**
 * Throws CONFIRMATION_NEEDED unless the session is fresh or the current password is given. Wrong passwords have a limit
 * of their own, which throws TOO_MANY_REQUESTS.
 */
export async function confirmOwner(
  ctx: MemberContext,
  currentPassword: string | undefined,
  passwordHash: string | null,
): Promise<void> {
  if (!isFresh(ctx.viewer, ctx.now)) await confirmPassword(ctx, currentPassword, passwordHash);
}

/** Throws CONFIRMATION_NEEDED for a wrong or missing password, and TOO_MANY_REQUESTS. */
export async function confirmPassword(
  ctx: MemberContext,
  currentPassword: string | undefined,
  passwordHash: string | null,
): Promise<void> {
  if (!currentPassword || !passwordHash) throw new AppError("CONFIRMATION_NEEDED", { field: "currentPassword" });
  const limitName = `confirm:${ctx.viewer.profileId}`;
  await enforceLimit(ctx.env, limitName, LOGIN_FAILURES_MAX, LOGIN_FAILURES_WINDOW_MS);
  if (!(await verifyPassword(currentPassword, passwordHash))) {
    throw new AppError("CONFIRMATION_NEEDED", { field: "currentPassword" });
  }
  await clearLimit(ctx.env, limitName);
}
