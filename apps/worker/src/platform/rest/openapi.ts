import { BRANDS } from "@lambda/brands";
import { ERRORS } from "@lambda/contract/errors";
import { QUOTAS } from "@lambda/contract/quotas";
import type { AnyTRPCRouter } from "@trpc/server";
import { z } from "zod";
import { listRestRoutes, type RestRoute, successStatusOf } from "./adapter.ts";
import { type ByteRoute, byteRoutePaths } from "./byte-routes.ts";

const ERROR_SCHEMA = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["code", "message"],
      properties: {
        code: { enum: Object.keys(ERRORS) },
        message: { type: "string" },
        field: { type: "string" },
        reason: { type: "string" },
        limit: { type: "number" },
        quota: { enum: Object.keys(QUOTAS) },
        retryAfterSeconds: { type: "integer" },
      },
    },
  },
};

/** The OpenAPI 3.1 document of all REST routes, generated from the procedures' schemas so that it cannot drift. */
export function openApiDocument(origin: string, router: AnyTRPCRouter, byteRoutes: readonly ByteRoute[]) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of listRestRoutes(router)) {
    const path = `/api${route.rest.path}`;
    paths[path] = { ...paths[path], [route.rest.method.toLowerCase()]: describeOperation(route) };
  }
  for (const [path, operations] of Object.entries(byteRoutePaths(byteRoutes)))
    paths[path] = { ...paths[path], ...operations };
  return {
    openapi: "3.1.0",
    info: {
      title: "Community API",
      version: "1",
      description: `Served by ${BRANDS.map((brand) => brand.name).join(", ")}. State-changing calls need a same-origin Origin header.`,
    },
    servers: [{ url: origin }],
    components: { securitySchemes: { session: { type: "apiKey", in: "cookie", name: "__Host-session" } } },
    paths,
  };
}

interface JsonSchema {
  readonly properties?: Record<string, unknown>;
  readonly required?: readonly string[];
}

function describeOperation({ name, rest, access, inputs, output }: RestRoute) {
  const input = mergeSchemas(inputs.map((schema) => toJsonSchema(schema, "input")));
  const pathFields = new Set([...rest.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]));
  const fields = Object.entries(input.properties ?? {});
  const usesQuery = rest.method === "GET" || rest.method === "DELETE";
  const parameters = fields
    .filter(([field]) => pathFields.has(field) || usesQuery)
    .map(([field, schema]) => ({
      name: field,
      in: pathFields.has(field) ? "path" : "query",
      required: pathFields.has(field) || (input.required ?? []).includes(field),
      schema,
    }));
  const body = usesQuery ? [] : fields.filter(([field]) => !pathFields.has(field));
  const status = successStatusOf(rest);
  return {
    operationId: name,
    summary: rest.summary,
    security: access === "open" || access === "visitor" ? [] : [{ session: [] }],
    parameters,
    ...(body.length > 0 && {
      requestBody: {
        content: {
          "application/json": {
            schema: {
              type: "object",
              properties: Object.fromEntries(body),
              required: (input.required ?? []).filter((field) => !pathFields.has(field)),
            },
          },
        },
      },
    }),
    responses: {
      [status]: {
        description: "Done",
        ...(rest.list && hasCursor(output) && { headers: CURSOR_HEADERS }),
        ...(status !== 204 && { content: { "application/json": { schema: outputSchema(output, rest.list) } } }),
      },
      default: { description: "An error", content: { "application/json": { schema: ERROR_SCHEMA } } },
    },
  };
}

/** Of lists that answer page by page. */
const CURSOR_HEADERS = {
  "X-Next-Cursor": {
    description:
      "Send it as the parameter for the next page. Only a page without it is the last, however few it holds.",
    schema: { type: "string" },
  },
};

const hasCursor = (output: unknown) => "nextCursor" in (toJsonSchema(output, "output").properties ?? {});

function outputSchema(output: unknown, list: true | undefined): unknown {
  const schema = toJsonSchema(output, "output");
  return list ? (schema.properties?.items ?? {}) : schema;
}

function toJsonSchema(schema: unknown, io: "input" | "output"): JsonSchema {
  if (!(schema instanceof z.ZodType)) return {};
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return json as JsonSchema;
}

function mergeSchemas(schemas: readonly JsonSchema[]): JsonSchema {
  return {
    properties: Object.assign({}, ...schemas.map((schema) => schema.properties ?? {})) as Record<string, unknown>,
    required: schemas.flatMap((schema) => schema.required ?? []),
  };
}
