import { ERRORS } from "@lambda/contract/errors";
import { describe, expect, it } from "vitest";
import { listRestRoutes } from "./platform/rest/adapter.ts";
import type { Meta } from "./platform/trpc.ts";
import { appRouter } from "./router.ts";

type Definition = { meta?: Meta; output?: unknown; type: "query" | "mutation" | "subscription" };

const procedures = Object.entries(appRouter._def.procedures).map(
  ([name, procedure]) => [name, (procedure as unknown as { _def: Definition })._def] as const,
);

describe("every procedure", () => {
  it.each(procedures)("%s declares who may call it", (_, { meta }) => {
    expect(["open", "visitor", "session", "member", "admin"]).toContain(meta?.access);
  });

  it.each(procedures)("%s declares its output, so that nothing else is returned", (_, { output }) => {
    expect(output).toBeDefined();
  });

  it.each(procedures)("%s changes state only through a method that requires an Origin", (_, { type, meta }) => {
    if (meta?.rest) expect(meta.rest.method === "GET").toBe(type === "query");
  });
});

describe("REST paths", () => {
  it("are mounted once each", () => {
    const keys = listRestRoutes(appRouter).map(({ rest }) => `${rest.method} ${rest.path.replace(/\{\w+\}/g, "{}")}`);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });
});

describe("the error catalogue", () => {
  it("gives every code an error status and a text", () => {
    for (const [code, error] of Object.entries(ERRORS)) {
      expect(error.status, code).toBeGreaterThanOrEqual(400);
      expect(error.text.length, code).toBeGreaterThan(0);
    }
  });
});
