import { MINUTE_MS } from "@lambda/contract/limits";
import {
  ARCHIVE_HEADER_BYTES,
  type MapArchives,
  type MapRegion,
  readArchiveHeader,
  WORLD_ARCHIVE,
} from "@lambda/contract/map-archives";
import { Hono } from "hono";
import type { Env } from "../../platform/env.ts";
import { matchesEtag } from "../../platform/http/etag.ts";
import { parseRange } from "../../platform/http/range.ts";

/**
 * Serves the map's archives from R2 by byte ranges, without a session, since they hold no member data. A name outside
 * the pattern never reaches the bucket.
 */

const ARCHIVE = /^([a-z0-9-]{1,64})\.pmtiles$/;
const PREFIX = "tiles/";
/** Clients notice a replaced archive by its ETag: the reader starts over if it changes between two ranges. */
const CACHE_CONTROL = "public, max-age=86400";
/** The list decides where the map has streets; an operator who adds some should not wait a day. */
const LIST_CACHE_CONTROL = "public, max-age=300";

export const tiles = new Hono<{ Bindings: Pick<Env, "TILES"> }>();

/** Lists the archives, so that the map requests none that would return 404, and where each region is. */
tiles.get("/tiles/archives.json", async (c) => {
  c.header("Cache-Control", LIST_CACHE_CONTROL);
  return c.json(await findArchives(c.env.TILES, Date.now()));
});

const LIST_KEPT_MS = 5 * MINUTE_MS;
let kept: { readonly until: number; readonly list: MapArchives } | undefined;

/**
 * Kept in the isolate as long as in browsers, since a listing costs more than any other request that needs no account. One that is under way
 * is not shared: it ends with the request that began it, and whoever waited for it would never get an answer.
 */
export async function findArchives(bucket: R2Bucket, now: number): Promise<MapArchives> {
  if (kept && now < kept.until) return kept.list;
  const list = await listArchives(bucket);
  // A developer who adds streets sees them at once.
  if (!__DEVELOPMENT__) kept = { until: now + LIST_KEPT_MS, list };
  return list;
}

export async function listArchives(bucket: R2Bucket): Promise<MapArchives> {
  const { objects } = await bucket.list({ prefix: PREFIX });
  const archives = objects.flatMap((object) => {
    const name = ARCHIVE.exec(object.key.slice(PREFIX.length))?.[1];
    return name === undefined ? [] : [{ name, object }];
  });
  const regions = await Promise.all(
    archives.filter(({ name }) => name !== WORLD_ARCHIVE).map((archive) => findRegion(bucket, archive)),
  );
  return { archives: archives.map(({ name }) => name), regions: regions.filter((region) => region !== undefined) };
}

/** The key of an archive that is known to be listed. */
export const archiveKey = (name: string) => `${PREFIX}${name}.pmtiles`;

/** Undefined if the object is not an archive of vector tiles, so that the map does not ask it for streets. */
async function findRegion(
  bucket: R2Bucket,
  { name, object }: { name: string; object: R2Object },
): Promise<MapRegion | undefined> {
  if (object.size < ARCHIVE_HEADER_BYTES) return undefined;
  const start = await bucket.get(object.key, { range: { offset: 0, length: ARCHIVE_HEADER_BYTES } });
  const header = start && readArchiveHeader(new Uint8Array(await start.arrayBuffer()));
  return header ? { name, ...header, bytes: object.size, tsInstalled: object.uploaded.getTime() } : undefined;
}

tiles.get("/tiles/:file", async (c) => {
  const name = ARCHIVE.exec(c.req.param("file"))?.[1];
  if (!name) return c.notFound();
  const key = archiveKey(name);
  const bucket = c.env.TILES;

  const head = await bucket.head(key);
  if (!head) return c.notFound();
  const headers = new Headers({
    "Accept-Ranges": "bytes",
    "Cache-Control": CACHE_CONTROL,
    "Content-Type": "application/vnd.pmtiles",
    ETag: head.httpEtag,
    "Last-Modified": head.uploaded.toUTCString(),
    "X-Content-Type-Options": "nosniff",
  });
  if (matchesEtag(c.req.header("If-None-Match"), head.httpEtag)) return new Response(null, { status: 304, headers });
  if (c.req.method === "HEAD") {
    headers.set("Content-Length", String(head.size));
    return new Response(null, { headers });
  }

  const ifRange = c.req.header("If-Range");
  // A range of another version than the client's is useless to it, so it gets everything.
  const range = ifRange && ifRange !== head.httpEtag ? undefined : parseRange(c.req.header("Range"), head.size);
  // The body must match the headers even if the archive is replaced in between.
  const onlyIf = { etagMatches: head.etag };
  if (!range) return toResponse(await bucket.get(key, { onlyIf }), 200, headers, head.size);

  if (range === "unsatisfiable") {
    headers.set("Content-Range", `bytes */${head.size}`);
    return new Response(null, { status: 416, headers });
  }
  const { offset, length } = range;
  headers.set("Content-Range", `bytes ${offset}-${offset + length - 1}/${head.size}`);
  return toResponse(await bucket.get(key, { onlyIf, range }), 206, headers, length);
});

function toResponse(
  object: R2ObjectBody | R2Object | null,
  status: 200 | 206,
  headers: Headers,
  length: number,
): Response {
  if (!object || !("body" in object)) {
    return new Response(null, { status: 503, headers: { "Retry-After": "1", "Cache-Control": "no-store" } });
  }
  headers.set("Content-Length", String(length));
  return new Response(object.body, { status, headers });
}
