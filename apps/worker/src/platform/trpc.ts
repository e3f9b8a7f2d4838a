import { initTRPC } from "@trpc/server";
import { type Access, grantAccess } from "./access.ts";
import type { Context } from "./context.ts";
import { toErrorResponse } from "./errors.ts";
import { ABOUT_AUTHOR, CHANGES_BRIEF } from "./near/about-author.ts";

export type { MemberContext } from "./access.ts";

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
  /**
   * For changes that are made all the time: nobody sees less after such a call than before. Any other change is told to the whole world
   * before it is acknowledged (platform/near).
   */
  readonly hidesNothing?: true | ((input: unknown) => boolean);
  /**
   * What it reads before it writes may come from a copy near the member, whose watermark knows of blocks, hides and own writes. Only for
   * changes whose statements hold by themselves what must not happen twice.
   */
  readonly readsNear?: true;
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

const requireRoom = t.middleware(({ ctx, next }) => {
  if (ctx.refusal) throw ctx.refusal;
  return next({ ctx });
});

const countChange = t.middleware(async ({ ctx, type, path, meta, getRawInput, next }) => {
  if (type !== "mutation") return next();
  const { hidesNothing = false } = meta ?? {};
  ctx.changes.calls += 1;
  const isQuiet = typeof hidesNothing === "function" ? hidesNothing(await getRawInput()) : hidesNothing;
  if (!isQuiet && CHANGES_BRIEF.has(path)) ctx.changes.briefs += 1;
  if (isQuiet) ctx.changes.hidingNothing += 1;
  else if (!ABOUT_AUTHOR.has(path)) ctx.changes.aboutOthers += 1;
  return next();
});

const readNear = t.middleware(({ ctx, type, meta, next }) => {
  const isNear = type === "mutation" && meta?.readsNear === true;
  if (!isNear) return next({ ctx });
  return next({ ctx: { ...ctx, ...ctx.nearShards.open(0), shards: ctx.nearShards } });
});

const procedure = t.procedure.use(requireRoom).use(countChange).use(readNear);

/** Declares an access level and checks it; a walk over the router fails for a procedure without one. */
const withAccess = <Level extends "session" | "member" | "admin">(access: Level) =>
  procedure.meta({ access }).use(({ ctx, next }) => next({ ctx: grantAccess(ctx, access) }));

export const openProcedure = procedure.meta({ access: "open" });
export const visitorProcedure = procedure.meta({ access: "visitor" });
/** A suspended or banned member too. */
export const sessionProcedure = withAccess("session");
export const memberProcedure = withAccess("member");
export const adminProcedure = withAccess("admin");
