import { type AnyTRPCRouter, callTRPCProcedure, type TRPCProcedureType } from "@trpc/server";
import { Hono, type Context as HonoContext } from "hono";
import type { Context } from "../context.ts";
import { AppError, UNREADABLE_JSON } from "../errors.ts";
import { errorResponse } from "../http/error-response.ts";
import { collectByName } from "../http/form.ts";
import type { Meta, RestMeta } from "../trpc.ts";
import { honoPath } from "./byte-routes.ts";

export interface RestRoute {
  /** Dotted tRPC path, e.g. "profiles.get". */
  readonly name: string;
  readonly type: TRPCProcedureType;
  readonly rest: RestMeta;
  readonly access: NonNullable<Meta["access"]>;
  readonly inputs: readonly unknown[];
  readonly output: unknown;
}

/** Every procedure that opted into REST; used by the adapter, the OpenAPI document and the access tests. */
export function listRestRoutes(router: AnyTRPCRouter): RestRoute[] {
  const routes: RestRoute[] = [];
  for (const [name, procedure] of Object.entries(router._def.procedures)) {
    const { type, meta, inputs, output } = (procedure as unknown as { _def: ProcedureDef })._def;
    if (meta?.rest && meta.access) routes.push({ name, type, rest: meta.rest, access: meta.access, inputs, output });
  }
  return routes;
}

interface ProcedureDef {
  readonly type: TRPCProcedureType;
  readonly meta?: Meta;
  readonly inputs: readonly unknown[];
  readonly output: unknown;
}

type RestHono = Hono<{ Variables: { ctx: Context } }>;

/**
 * Mounts the tRPC procedures at their REST paths under /api. Path parameters, query and body are merged into the input, and errors are mapped
 * by errors.ts.
 */
export function mountRest(router: AnyTRPCRouter): RestHono {
  const hono: RestHono = new Hono();
  for (const route of listRestRoutes(router)) {
    hono.on(route.rest.method, honoPath(route.rest.path), (c) => handleCall(c, router, route));
  }
  return hono;
}

async function handleCall(c: HonoContext<{ Variables: { ctx: Context } }>, router: AnyTRPCRouter, route: RestRoute) {
  const ctx = c.get("ctx");
  try {
    const input = await readInput(c);
    const { name: path, type } = route;
    const call = { router, path, type, ctx, getRawInput: async () => input, signal: undefined, batchIndex: 0 };
    const output = await callTRPCProcedure(call);
    return toResponse(ctx, route.rest, output);
  } catch (error) {
    return errorResponse(ctx, error, { procedure: route.name });
  }
}

async function readInput(c: HonoContext): Promise<Record<string, unknown>> {
  const input: Record<string, unknown> = { ...(await readBody(c)), ...collectByName(new URL(c.req.url).searchParams) };
  for (const [name, value] of Object.entries(c.req.param() as Record<string, string>)) {
    const names = name.split("__");
    const values = names.length === 1 ? [value] : value.split(":");
    if (values.length > names.length) {
      throw new AppError("BAD_INPUT", { message: `The path takes ${names.join(":")} here.` });
    }
    names.forEach((part, index) => {
      input[part] = values[index];
    });
  }
  return input;
}

async function readBody(c: HonoContext): Promise<Record<string, unknown>> {
  if (c.req.method === "GET" || c.req.method === "HEAD") return {};
  const type = c.req.header("content-type")?.toLowerCase() ?? "";
  const isForm = type.startsWith("multipart/form-data") || type.startsWith("application/x-www-form-urlencoded");
  try {
    if (isForm) return collectByName(await c.req.formData());
    // Fatal, because a body in another encoding would be stored with its letters lost.
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(await c.req.arrayBuffer());
    if (text === "") return {};
    const body: unknown = JSON.parse(text);
    if (typeof body === "object" && body !== null && !Array.isArray(body)) return body as Record<string, unknown>;
  } catch {
    throw new AppError("BAD_INPUT", { message: isForm ? "The form could not be read." : UNREADABLE_JSON });
  }
  throw new AppError("BAD_INPUT", { message: "The body must be a JSON object." });
}

function toResponse({ responseHeaders: headers }: Context, rest: RestMeta, output: unknown): Response {
  const status = successStatusOf(rest);
  if (status === 204) return new Response(null, { status, headers });
  let body = output;
  if (rest.list) {
    const { items, nextCursor } = output as { items: unknown[]; nextCursor?: string | number | null };
    body = items;
    if (nextCursor !== undefined && nextCursor !== null) headers.set("x-next-cursor", String(nextCursor));
  }
  headers.set("content-type", "application/json");
  return new Response(JSON.stringify(body), { status, headers });
}

export function successStatusOf({ method, status }: RestMeta): number {
  return status ?? { GET: 200, PUT: 200, POST: 201, DELETE: 204 }[method];
}
