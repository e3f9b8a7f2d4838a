import { Id } from "@lambda/contract/primitives";
import { Hono, type Context as HonoContext, type MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import { type Access, grantAccess, type MemberContext } from "../access.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { errorResponse } from "../http/error-response.ts";
import { undoCounts } from "../rate-limits/limit.ts";

/** Converts an OpenAPI path to Hono's syntax; in "/by-sector/{lat}:{lon}" the segment becomes one parameter, split by the adapter. */
export function honoPath(path: string): string {
  return path
    .split("/")
    .map((segment) => {
      const names = [...segment.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      if (names.length === 0) return segment;
      return `:${names.join("__")}`;
    })
    .join("/");
}

/** The most specific route pattern that matches a request, even if a middleware responded. Contains no part of the URL itself. */
export function routePattern(c: HonoContext): string {
  const paths = matchedRoutes(c).map(({ path }) => path);
  return paths.find((path) => !path.endsWith("*")) ?? paths.find((path) => path !== "*" && path !== "/*") ?? "*";
}

/** The Hono context of routes behind `requireAccess`. */
export interface MemberVariables {
  readonly ctx: Context;
  readonly member: MemberContext;
}

export interface Parameter {
  readonly name: string;
  readonly [key: string]: unknown;
}

type MemberEnv = { Variables: MemberVariables };

/** A route that transfers bytes outside tRPC, with its hand-written OpenAPI operation, to which the numbers in its path are added. */
export interface ByteRoute {
  readonly method: "get" | "post";
  /** `{name}` segments become parameters, e.g. "/profile-pic/{id}". */
  readonly path: string;
  readonly access: Exclude<Access, "open" | "visitor">;
  readonly operation: Readonly<Record<string, unknown>> & { readonly parameters?: readonly Parameter[] };
  readonly respond: (ctx: MemberContext, c: HonoContext<MemberEnv>) => Response | Promise<Response>;
}

export function byteRoute(
  access: ByteRoute["access"],
  call: `${"GET" | "POST"} /${string}`,
  operation: ByteRoute["operation"],
  respond: ByteRoute["respond"],
): ByteRoute {
  const [method, path = ""] = call.split(" ");
  return { access, method: method === "GET" ? "get" : "post", path, operation, respond };
}

/** Enforces an access level on a plain Hono route. */
export function requireAccess(access: ByteRoute["access"]): MiddlewareHandler<MemberEnv> {
  return async (c, next) => {
    c.set("member", grantAccess(c.get("ctx"), access));
    await next();
  };
}

/** Mounts byte routes; their errors have the same format as those of procedures. */
export function mountByteRoutes(routes: readonly ByteRoute[]): Hono<MemberEnv> {
  const hono = new Hono<MemberEnv>();
  for (const { method, path, access, respond } of routes)
    hono.on(method, honoPath(path), requireAccess(access), (c) => respond(c.get("member"), c));
  hono.onError(async (error, c) => {
    await undoCounts(c.get("ctx"));
    return errorResponse(c.get("ctx"), error, { route: routePattern(c) });
  });
  return hono;
}

/** A number in the path. Throws NOT_FOUND for anything else. */
export function idIn(c: HonoContext<MemberEnv>, name = "id"): number {
  const id = Id.safeParse(c.req.param(name));
  if (!id.success) throw new AppError("NOT_FOUND");
  return id.data;
}

/** The OpenAPI request body of a form with files. */
export function formBody(required: readonly string[], properties: Readonly<Record<string, object>>) {
  const schema = { type: "object", required, properties };
  return { required: true, content: { "multipart/form-data": { schema } } };
}

/** The OpenAPI operation of a route that sends a picture to a few, which no browser keeps. */
export function privatePicture(summary: string, operationId?: string) {
  const image = { description: "The picture", content: { "image/webp": {} } };
  const responses = { 200: image, 404: { description: "Absent, or not for this member" } };
  return { ...(operationId && { operationId }), summary, responses };
}

/** Its response, which is not cached, as all of them are unless they say so. */
export const sendBytes = (body: BodyInit, type = "image/webp") =>
  new Response(body, { headers: { "content-type": type } });

export function byteRoutePaths(routes: readonly ByteRoute[]): Record<string, Record<string, object>> {
  const paths: Record<string, Record<string, object>> = {};
  for (const { method, path, operation } of routes) {
    const fullPath = `/api${path}`;
    const described = operation.parameters ?? [];
    const numbers = [...path.matchAll(/\{(\w+)\}/g)]
      .map(([, name]) => ({ name, in: "path", required: true, schema: { type: "integer" } }))
      .filter(({ name }) => !described.some((parameter) => parameter.name === name));
    const parameters = [...numbers, ...described];
    const whole = { security: [{ session: [] }], ...operation, ...(parameters.length > 0 && { parameters }) };
    paths[fullPath] = { ...paths[fullPath], [method]: whole };
  }
  return paths;
}
