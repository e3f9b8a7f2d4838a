import { EmptyObject } from "@lambda/contract/primitives";
import { initTRPC, type TRPCMiddlewareFunction } from "@trpc/server";
import { z } from "zod";
import { type Access, grantAccess, requireUnlocked } from "./access.ts";
import type { Changes, Context } from "./context.ts";
import { AppError, toErrorResponse } from "./errors.ts";
import { undoCounts } from "./rate-limits/limit.ts";
import { AFFECTS_AUTHOR_ONLY, CHANGES_BRIEF, KEEPS_SESSION } from "./replication/mutation-effects.ts";

export type { MemberContext } from "./access.ts";

/** How a procedure is exposed under /api; without it, it is tRPC only. */
export interface RestMeta {
  readonly method: "GET" | "PUT" | "POST" | "DELETE";
  /** `{name}` segments become input fields, e.g. "/profile/{id}". */
  readonly path: string;
  /** The output is `{ items, nextCursor }`; REST returns just the items, and the cursor in X-Next-Cursor. */
  readonly list?: true;
  readonly status?: 200 | 201 | 202 | 204;
  readonly summary?: string;
}

export interface Meta {
  readonly access?: Access;
  readonly rest?: RestMeta;
  /** Keeps a member safe, and so works when the day's work is used up. */
  readonly keepsSafe?: true;
  /** Works on a brand that has not opened: shows nothing of members, and is needed to log in or to watch the site. */
  readonly worksUnopened?: true;
  /** Also works while the app lock of the session's device is on. */
  readonly worksLocked?: true;
  /**
   * For frequent mutations after which nobody sees less than before. Any other mutation is announced to all regions before it is
   * acknowledged (platform/replication). Where that depends on the input, `mayReachRegionsLateIf`.
   */
  readonly mayReachRegionsLate?: true;
  /**
   * Reads before the write may come from the replica, which is current for blocks, hides and the member's own writes. Only for mutations
   * whose own statements prevent duplicates.
   */
  readonly readsNearby?: true;
}

/** A procedure's REST path and what else is declared of it, such as `"GET /profile/{id}", "A member's profile", { list: true }`. */
type Declaration = [
  call: `${RestMeta["method"]} /${string}`,
  summary: string,
  rest?: Omit<Meta, "rest" | "access"> & Pick<RestMeta, "list" | "status">,
];

function toMeta(declaration: Declaration | []): Meta {
  if (declaration.length === 0) return {};
  const [call, summary, { list, status, ...meta } = {}] = declaration;
  const [method, path] = call.split(" ") as [RestMeta["method"], string];
  return { ...meta, rest: { method, path, summary, ...(list && { list }), ...(status && { status }) } };
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

// A context in `next` is copied twice, property by property, which took a sixth of a call's processor time. It is passed only if it differs.
const procedure = t.procedure.use(async ({ ctx, type, path, meta = {}, next }) => {
  checkRefusal(ctx, meta);
  const { refusal } = ctx;
  const change = { ...(refusal && { refusal: undefined }) };
  if (type === "mutation") {
    ctx.changes.calls += 1;
    countChange(ctx.changes, path, meta.mayReachRegionsLate ?? false, 1);
    if (meta.readsNearby)
      Object.assign(change, ctx.nearbyMessageDatabases.open(0), { messageDatabases: ctx.nearbyMessageDatabases });
  }
  const result = await (Object.keys(change).length > 0 ? next({ ctx: change }) : next());
  if (!result.ok && ctx.undo.length > 0) await undoCounts(ctx);
  return result;
});

function checkRefusal(ctx: Context, meta: Meta): void {
  const { refusal } = ctx;
  if (refusal && !(refusal.sparesSafety && meta.keepsSafe)) throw refusal.error;
  if (!meta.worksLocked) requireUnlocked(ctx);
  const isForVisitors = meta.access === "open" || meta.access === "visitor";
  if (ctx.notOpen && isForVisitors && !meta.worksUnopened) throw new AppError("NOT_OPEN");
}

function countChange(changes: Changes, path: string, mayBeLate: boolean, count: 1 | -1): void {
  if (!mayBeLate && CHANGES_BRIEF.has(path)) changes.briefs += count;
  if (mayBeLate && KEEPS_SESSION.has(path)) changes.keepingSession += count;
  if (mayBeLate) changes.reachingLate += count;
  else if (!AFFECTS_AUTHOR_ONLY.has(path)) changes.aboutOthers += count;
}

/**
 * After `.input`, for a mutation that hides something only with some inputs. It judges what was parsed, and what is refused before counts as
 * hiding.
 */
export function mayReachRegionsLateIf<Input>(
  hidesNothing: (input: Input) => boolean,
): TRPCMiddlewareFunction<Context, Meta, object, object, Input> {
  return function judgeParsedInput({ ctx: { changes }, path, input, next }) {
    if (hidesNothing(input)) {
      countChange(changes, path, false, -1);
      countChange(changes, path, true, 1);
    }
    return next();
  };
}

/** Declares an access level and enforces it; router.test.ts fails for a procedure without one. */
const withAccess = <Level extends "session" | "member" | "admin">(access: Level) =>
  procedure.meta({ access }).use(({ ctx, next }) => {
    const { viewer } = grantAccess(ctx, access);
    return next<{ viewer: typeof viewer }>({});
  });

const [session, member, admin] = [withAccess("session"), withAccess("member"), withAccess("admin")];

export const openProcedure = (...call: Declaration) => procedure.meta({ access: "open", ...toMeta(call) });
export const visitorProcedure = (...call: Declaration) => procedure.meta({ access: "visitor", ...toMeta(call) });
/** Includes suspended and banned members. */
export const sessionProcedure = (...call: Declaration) => session.meta(toMeta(call));
export const memberProcedure = (...call: Declaration | []) => member.meta(toMeta(call));
export const adminProcedure = (...call: Declaration) => admin.meta(toMeta(call));

/** Calls that answer nothing. */
export const openCommand = (...call: Declaration) => openProcedure(...call).output(EmptyObject);
export const visitorCommand = (...call: Declaration) => visitorProcedure(...call).output(EmptyObject);
export const sessionCommand = (...call: Declaration) => sessionProcedure(...call).output(EmptyObject);
export const memberCommand = (...call: Declaration) => memberProcedure(...call).output(EmptyObject);
export const adminCommand = (call: Declaration[0], summary: string) =>
  adminProcedure(call, summary, { status: 200 }).output(EmptyObject);

/** Calls that answer a whole list. */
type ListDeclaration<Item> = [call: Declaration[0], summary: string, item: Item, rest?: Declaration[2]];
const listOf = <Item extends z.ZodType>(item: Item) => z.object({ items: z.array(item) });

export const openList = <Item extends z.ZodType>(...[call, summary, item, rest]: ListDeclaration<Item>) =>
  openProcedure(call, summary, { list: true, ...rest }).output(listOf(item));
export const sessionList = <Item extends z.ZodType>(...[call, summary, item, rest]: ListDeclaration<Item>) =>
  sessionProcedure(call, summary, { list: true, ...rest }).output(listOf(item));
export const memberList = <Item extends z.ZodType>(...[call, summary, item, rest]: ListDeclaration<Item>) =>
  memberProcedure(call, summary, { list: true, ...rest }).output(listOf(item));
export const adminList = <Item extends z.ZodType>(...[call, summary, item, rest]: ListDeclaration<Item>) =>
  adminProcedure(call, summary, { list: true, ...rest }).output(listOf(item));
