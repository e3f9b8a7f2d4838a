import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Hono } from "hono";
import { afterEach, expect, it, vi } from "vitest";
import type { Env } from "./platform/env.ts";
import { REQUEST_STEPS } from "./request-steps.ts";

const names = REQUEST_STEPS.map(({ name }) => name);
const ORDER =
  "answer site flood maintenance opening navigation encoding size keys origin session quota cache announcement usage".split(
    " ",
  );

afterEach(() => vi.unstubAllGlobals());

it("handles a request in the order that README draws", () => {
  expect(names).toEqual(ORDER);
  const readme = readFileSync(fileURLToPath(import.meta.resolve("../../../README.md")), "utf8");
  const drawn = [...readme.matchAll(/^ {4}([ │▲▼]*)(\w+) +\((everything|calls)\)/gm)].map(([, , name, on]) => [
    name,
    on,
  ]);
  expect(drawn).toEqual(REQUEST_STEPS.map(({ name, on }) => [name, on]));
});

it.each([
  "/",
  "/login",
  "/status",
  "/notepad",
  "/tiles/archives.json",
  "/tiles/world.pmtiles",
  "/visitor-map/ember.json",
  "/meet/AAAAAAAAAAAAAAAAAAAAAA",
  "/api/session",
  "/api/openapi.json",
  "/trpc/accounts.session",
  "/ws",
])("refuses a flood of %s before it touches a bucket, a database or an object", async (path) => {
  vi.stubGlobal("__DEVELOPMENT__", false);
  const touched: string[] = [];
  const harmless: Partial<Env> = {
    IP_RATE_LIMIT: { limit: async () => ({ success: false }) },
    LOG_SHARE: "0",
    METRICS: { getByName: () => ({ add: async () => undefined }) } as never,
  };
  const env = new Proxy(harmless, {
    get: (target, key) => {
      if (
        !(key in target) &&
        /^(DB|MESSAGES|PICTURES|TILES|BACKUPS|IMAGES|MEMBER|AREA|SQUARE|WATERMARK|RATE)/.test(String(key))
      )
        touched.push(String(key));
      return Reflect.get(target, key);
    },
  });
  const app = new Hono();
  for (const { run } of REQUEST_STEPS) app.use("*", run as never);
  app.onError((error) => new Response(String((error as { code?: string }).code), { status: 429 }));
  const execution = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} };
  const response = await app.fetch(new Request(`https://ember.example${path}`), env, execution as never);
  expect([response.status, await response.text(), touched]).toEqual([429, "TOO_MANY_REQUESTS", []]);
});
