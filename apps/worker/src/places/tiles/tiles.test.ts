import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { MINUTE_MS } from "@lambda/contract/limits";
import type { MapArchives } from "@lambda/contract/map-archives";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Env } from "../../platform/env.ts";
import { findArchives, tiles } from "./tiles.ts";

const STREETS = fileURLToPath(
  new URL("../../../../../packages/tooling/data/san-francisco.pmtiles", import.meta.url).href,
);
const BODY = Uint8Array.from({ length: 1000 }, (_, i) => i % 251);
let mf: Miniflare | undefined;
let env: Pick<Env, "TILES">;
let etag: string;

beforeAll(async () => {
  vi.stubGlobal("__DEVELOPMENT__", true);
  const started = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: "export default { fetch: () => new Response() }",
      compatibilityDate: "2026-01-01",
      r2Buckets: ["TILES"],
    }),
  );
  mf = started;
  env = { TILES: (await started.getR2Bucket("TILES")) as unknown as R2Bucket };
  const stored = await env.TILES.put("tiles/world.pmtiles", BODY);
  etag = stored?.httpEtag ?? "";
  await env.TILES.put("tiles/Secret.pmtiles", BODY);
  await env.TILES.put("secret.pmtiles", BODY);
});

afterAll(() => mf?.dispose());

const get = async (path: string, headers: Record<string, string> = {}, method = "GET") =>
  await tiles.request(path, { method, headers }, env);
const bytes = async (response: Response) => new Uint8Array(await response.arrayBuffer());

describe("GET /tiles/:name.pmtiles", () => {
  test("returns the whole archive with the headers that a cache needs", async () => {
    const response = await get("/tiles/world.pmtiles");
    expect(response.status).toBe(200);
    expect(await bytes(response)).toEqual(BODY);
    expect(response.headers.get("ETag")).toBe(etag);
    expect(response.headers.get("Accept-Ranges")).toBe("bytes");
    expect(response.headers.get("Cache-Control")).toBe("public, max-age=86400");
    expect(response.headers.get("Content-Length")).toBe("1000");
    expect(response.headers.get("Set-Cookie")).toBeNull();
  });

  test.each([
    ["bytes=0-126", 0, 126],
    ["bytes=100-100", 100, 100],
    ["bytes=990-", 990, 999],
    ["bytes=990-5000", 990, 999],
    ["bytes=-10", 990, 999],
    ["bytes=-5000", 0, 999],
    ["BYTES=1-2", 1, 2],
  ])("returns the range %s", async (range, first, last) => {
    const response = await get("/tiles/world.pmtiles", { Range: range });
    expect(response.status).toBe(206);
    expect(response.headers.get("Content-Range")).toBe(`bytes ${first}-${last}/1000`);
    expect(response.headers.get("Content-Length")).toBe(String(last - first + 1));
    expect(await bytes(response)).toEqual(BODY.slice(first, last + 1));
  });

  test.each(["bytes=1000-", "bytes=1000-2000", "bytes=-0"])("returns 416 for %s", async (range) => {
    const response = await get("/tiles/world.pmtiles", { Range: range });
    expect(response.status).toBe(416);
    expect(response.headers.get("Content-Range")).toBe("bytes */1000");
    expect(await response.text()).toBe("");
  });

  test.each(["bytes=0-1,5-6", "bytes=9-2", "bytes=-", "items=0-1", "bytes=a-b"])(
    "ignores the range %s",
    async (range) => {
      const response = await get("/tiles/world.pmtiles", { Range: range });
      expect(response.status).toBe(200);
      expect((await bytes(response)).length).toBe(1000);
    },
  );

  test("returns 304 without a body for a matching If-None-Match", async () => {
    for (const value of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const response = await get("/tiles/world.pmtiles", { "If-None-Match": value, Range: "bytes=0-9" });
      expect(response.status).toBe(304);
      expect(response.headers.get("ETag")).toBe(etag);
      expect(await response.text()).toBe("");
    }
    expect((await get("/tiles/world.pmtiles", { "If-None-Match": '"other"' })).status).toBe(200);
  });

  test("returns the whole archive if If-Range names another version", async () => {
    const same = await get("/tiles/world.pmtiles", { Range: "bytes=0-9", "If-Range": etag });
    expect(same.status).toBe(206);
    const other = await get("/tiles/world.pmtiles", { Range: "bytes=0-9", "If-Range": '"other"' });
    expect(other.status).toBe(200);
    expect((await bytes(other)).length).toBe(1000);
  });

  test("returns the size for HEAD", async () => {
    const response = await get("/tiles/world.pmtiles", {}, "HEAD");
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Length")).toBe("1000");
    expect(await response.text()).toBe("");
  });

  test.each([
    "/tiles/absent.pmtiles",
    "/tiles/Secret.pmtiles",
    "/tiles/..%2fsecret.pmtiles",
    "/tiles/%2e%2e%2fsecret.pmtiles",
    "/tiles/world.pmtiles.bak",
    "/tiles/world",
    "/tiles/.pmtiles",
  ])("returns 404 for %s", async (path) => {
    expect((await get(path)).status).toBe(404);
  });

  test("rejects everything but reading", async () => {
    expect((await get("/tiles/world.pmtiles", {}, "PUT")).status).toBe(404);
    expect((await get("/tiles/world.pmtiles", {}, "DELETE")).status).toBe(404);
    expect((await env.TILES.head("tiles/world.pmtiles"))?.size).toBe(1000);
  });
});

describe("GET /tiles/archives.json", () => {
  test("lists the archives, and where the regions among them are", async () => {
    const file = await readFile(STREETS);
    await env.TILES.put("tiles/san-francisco.pmtiles", file);
    const response = await get("/tiles/archives.json");
    expect(response.headers.get("Cache-Control")).toBe("public, max-age=300");
    const { archives, regions } = (await response.json()) as MapArchives;
    expect(archives).toEqual(["san-francisco", "world"]);
    expect(regions).toEqual([
      {
        name: "san-francisco",
        bounds: { west: -122.52, south: 37.7, east: -122.35, north: 37.83 },
        maxZoom: 14,
        bytes: file.length,
        tsInstalled: expect.any(Number),
      },
    ]);
    await env.TILES.delete("tiles/san-francisco.pmtiles");
  });

  test("lists no region for an object that is not an archive of vector tiles", async () => {
    await env.TILES.put("tiles/broken.pmtiles", BODY);
    await env.TILES.put("tiles/empty.pmtiles", new Uint8Array());
    const { archives, regions } = (await (await get("/tiles/archives.json")).json()) as MapArchives;
    expect(archives).toEqual(["broken", "empty", "world"]);
    expect(regions).toEqual([]);
  });

  test("is kept for five minutes where it was answered", async () => {
    vi.stubGlobal("__DEVELOPMENT__", false);
    const list = vi.fn<() => Promise<{ objects: [] }>>(async () => ({ objects: [] }));
    const bucket = { list } as unknown as R2Bucket;
    list.mockRejectedValueOnce(new Error("down"));
    await expect(findArchives(bucket, 0)).rejects.toThrow("down");
    // The request that began this one broke off, and with it all that it waited for.
    list.mockReturnValueOnce(new Promise(() => {}));
    void findArchives(bucket, 0);
    for (const minute of [0, 1, 4.9]) expect((await findArchives(bucket, minute * MINUTE_MS)).archives).toEqual([]);
    expect(list).toHaveBeenCalledTimes(3);
    await findArchives(bucket, 5 * MINUTE_MS);
    expect(list).toHaveBeenCalledTimes(4);
    vi.stubGlobal("__DEVELOPMENT__", true);
  });
});
