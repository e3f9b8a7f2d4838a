import { can } from "@lambda/contract/capabilities";
import { initTRPC } from "@trpc/server";
import type { Context } from "./context.ts";
import { AppError, toErrorResponse } from "./errors.ts";
import type { Viewer } from "./viewer.ts";

/**
 * Who may call a procedure. open: anyone. visitor: meant for those without a session. session: anyone with a session, a
 * suspended member too. member: an active member. admin: an admin of the requested brand. The procedures below
 * declare it; a walk over the router fails if one is missing.
 */
export type Access = "open" | "visitor" | "session" | "member" | "admin";

/** How a procedure appears under /api; absent: tRPC only. */
export interface RestMeta {
  readonly method: "GET" | "PUT" | "POST" | "DELETE";
  /** `{name}` segments become input fields, e.g. "/profile/{id}". */
  readonly path: string;
  /** The output is `{ items, nextCursor }`; REST answers the items alone and the cursor in X-Next-Cursor. */
  readonly list?: true;
  readonly status?: 200 | 201 | 202 | 204;
  readonly summary?: string;
}

export interface Meta {
  readonly access?: Access;
  readonly rest?: RestMeta;
}

const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    errorFormatter({ shape, error }) {
      const { status, body } = toErrorResponse(error);
      return {
        ...shape,
        message: body.error.message,
        data: { code: shape.data.code, httpStatus: status, error: body.error },
      };
    },
  });

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;

export type MemberContext = Context & { readonly viewer: Viewer };

const requireRoom = t.middleware(({ ctx, next }) => {
  if (ctx.refusal) throw ctx.refusal;
  return next({ ctx });
});

const requireSession = t.middleware(({ ctx, next }) => {
  if (!ctx.viewer) throw new AppError("NOT_LOGGED_IN");
  return next({ ctx: { ...ctx, viewer: ctx.viewer } });
});

const requireActive = requireSession.unstable_pipe(({ ctx, next }) => {
  if (ctx.viewer.status !== "active") throw new AppError("SUSPENDED");
  return next({ ctx });
});

const requireAdmin = requireActive.unstable_pipe(({ ctx, next }) => {
  if (!can({ loggedIn: true, adminBrand: ctx.viewer.adminBrand, brand: ctx.brand.id }, "administer-brand")) {
    throw new AppError("NOT_ALLOWED");
  }
  return next({ ctx });
});

const procedure = t.procedure.use(requireRoom);
export const openProcedure = procedure.meta({ access: "open" });
export const visitorProcedure = procedure.meta({ access: "visitor" });
export const sessionProcedure = procedure.meta({ access: "session" }).use(requireSession);
export const memberProcedure = procedure.meta({ access: "member" }).use(requireActive);
export const adminProcedure = procedure.meta({ access: "admin" }).use(requireAdmin);
