import { Hono, type Context as HonoContext, type MiddlewareHandler } from "hono";
import { type Access, grantAccess, type MemberContext } from "../access.ts";
import type { Context } from "../context.ts";
import { errorResponse } from "../http/error-response.ts";
import { routePattern } from "../http/route-pattern.ts";

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

/** The Hono context of routes behind `requireAccess`. */
export interface MemberVariables {
  readonly ctx: Context;
  readonly member: MemberContext;
}

type MemberEnv = { Variables: MemberVariables };

/** A route that transfers bytes outside tRPC, with its hand-written OpenAPI operation. */
export interface ByteRoute {
  readonly method: "get" | "post";
  /** `{name}` segments become parameters, e.g. "/profile-pic/{id}". */
  readonly path: string;
  readonly access: Exclude<Access, "open" | "visitor">;
  readonly operation: Readonly<Record<string, unknown>>;
  readonly handler: (c: HonoContext<MemberEnv>) => Response | Promise<Response>;
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
  for (const { method, path, access, handler } of routes)
    hono.on(method, honoPath(path), requireAccess(access), handler);
  hono.onError((error, c) => errorResponse(c.get("ctx"), error, { route: routePattern(c) }));
  return hono;
}

/** The OpenAPI request body of a form with files. */
export function formBody(required: readonly string[], properties: Readonly<Record<string, object>>) {
  const schema = { type: "object", required, properties };
  return { required: true, content: { "multipart/form-data": { schema } } };
}

/** The OpenAPI operation of a route that sends a picture to a few, which no browser keeps. */
export function privatePicture(summary: string, ids: readonly string[], operationId?: string) {
  const parameters = ids.map((name) => ({ name, in: "path", required: true, schema: { type: "integer" } }));
  const image = { description: "The picture", content: { "image/webp": {} } };
  const responses = { 200: image, 404: { description: "Absent, or not for this member" } };
  return { ...(operationId && { operationId }), summary, parameters, responses };
}

/** Its response, which is not cached, as all of them are unless they say so. */
export const sendBytes = (body: BodyInit, type = "image/webp") =>
  new Response(body, { headers: { "content-type": type } });

/** The OpenAPI paths of byte routes. */
export function byteRoutePaths(routes: readonly ByteRoute[]): Record<string, Record<string, object>> {
  const paths: Record<string, Record<string, object>> = {};
  for (const { method, path, operation } of routes) {
    const fullPath = `/api${path}`;
    paths[fullPath] = { ...paths[fullPath], [method]: { security: [{ session: [] }], ...operation } };
  }
  return paths;
}
