import { can } from "@lambda/contract/capabilities";
import type { Context } from "./context.ts";
import { AppError } from "./errors.ts";
import type { Viewer } from "./viewer.ts";

/**
 * Who may call. open: anybody. visitor: meant for callers without a session. session: anybody with a session, including suspended
 * members. member: an active member. admin: an admin of the requested brand.
 */
export type Access = "open" | "visitor" | "session" | "member" | "admin";

export type MemberContext = Context & { readonly viewer: Viewer };

/** The only access check, for procedures and plain routes alike. Throws LOCKED, NOT_LOGGED_IN, NOT_OPEN, SUSPENDED or NOT_ALLOWED. */
export function grantAccess(ctx: Context, access: Exclude<Access, "open" | "visitor">): MemberContext {
  const { viewer } = ctx;
  if (ctx.refusal) throw ctx.refusal.error;
  requireUnlocked(ctx);
  if (!viewer) throw new AppError("NOT_LOGGED_IN");
  if (ctx.notOpen) throw new AppError("NOT_OPEN");
  if (access !== "session" && viewer.status !== "active") throw new AppError("SUSPENDED");
  const granted = ctx as MemberContext;
  if (access === "admin" && !isBrandAdmin(granted)) throw new AppError("NOT_ALLOWED");
  return granted;
}

/** Whether the viewer administers the brand of the request, alone or with all others. */
export function isBrandAdmin({ viewer, brand }: Pick<MemberContext, "viewer" | "brand">): boolean {
  return can({ loggedIn: true, adminBrand: viewer.adminBrand, brand: brand.id }, "administer-brand");
}

/** Throws LOCKED for a session whose device is locked. */
export function requireUnlocked({ lockedViewer }: Pick<Context, "lockedViewer">): void {
  if (lockedViewer) throw new AppError("LOCKED");
}
