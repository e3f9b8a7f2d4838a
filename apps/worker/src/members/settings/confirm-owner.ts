import { FRESH_LINK_MS, LOGIN_FAILURES_MAX, LOGIN_FAILURES_WINDOW_MS } from "@lambda/contract/limits";
import { AppError } from "../../platform/errors.ts";
import { clearLimit, limit } from "../../platform/rate-limits/limit.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { verifyPassword } from "../accounts/passwords.ts";

/** Whether this session began with a login link a moment ago: its member holds the mailbox. */
export function cameByFreshLink(ctx: MemberContext): boolean {
  const { viaLinkAt } = ctx.viewer;
  return viaLinkAt !== null && ctx.now - viaLinkAt < FRESH_LINK_MS;
}

/**
 * Throws CONFIRMATION_NEEDED unless it is the owner who asks: a found phone must not suffice to take an account over. Wrong
 * passwords count towards a cap of their own: TOO_MANY_REQUESTS.
 */
export async function confirmOwner(
  ctx: MemberContext,
  currentPassword: string | undefined,
  passwordHash: string | null,
): Promise<void> {
  if (cameByFreshLink(ctx)) return;
  if (!currentPassword || !passwordHash) throw new AppError("CONFIRMATION_NEEDED", { field: "currentPassword" });
  const guard = `confirm:${ctx.viewer.profileId}`;
  await limit(ctx.env, guard, LOGIN_FAILURES_MAX, LOGIN_FAILURES_WINDOW_MS);
  if (!(await verifyPassword(currentPassword, passwordHash))) {
    throw new AppError("CONFIRMATION_NEEDED", { field: "currentPassword" });
  }
  await clearLimit(ctx.env, guard);
}
