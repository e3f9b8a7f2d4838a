import { Hono } from "hono";
import type { Env } from "../../platform/env.ts";
import { parseRange, placeRange } from "./range.ts";

/**
 * Serves the map's archives from R2 by byte ranges. They hold no member data, so no session is asked for. A name outside
 * the pattern never reaches the bucket.
 */

const ARCHIVE = /^([a-z0-9-]{1,64})\.pmtiles$/;
const PREFIX = "tiles/";
/** A replaced archive is noticed by its ETag: the reader starts over when it changes between two ranges. */
const CACHE_CONTROL = "public, max-age=86400";
/** The list decides whether the style has streets; an operator who adds them should not wait a day. */
const LIST_CACHE_CONTROL = "public, max-age=300";

export const tiles = new Hono<{ Bindings: Pick<Env, "TILES"> }>();

/** The archives there are, so that the map asks for none that would answer 404. */
tiles.get("/tiles/archives.json", async (c) => {
  const { objects } = await c.env.TILES.list({ prefix: PREFIX });
  const names = objects.map((object) => ARCHIVE.exec(object.key.slice(PREFIX.length))?.[1]).filter((name) => name);
  c.header("Cache-Control", LIST_CACHE_CONTROL);
  return c.json({ archives: names });
});

tiles.get("/tiles/:file", async (c) => {
  const name = ARCHIVE.exec(c.req.param("file"))?.[1];
  if (!name) return c.notFound();
  const key = `${PREFIX}${name}.pmtiles`;
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
  if (isListed(c.req.header("If-None-Match"), head.httpEtag)) return new Response(null, { status: 304, headers });
  if (c.req.method === "HEAD") {
    headers.set("Content-Length", String(head.size));
    return new Response(null, { headers });
  }

  const ifRange = c.req.header("If-Range");
  // A range of another version than the one that the client holds is useless to it: it gets the whole.
  const range = ifRange && ifRange !== head.httpEtag ? undefined : parseRange(c.req.header("Range"));
  // The body must be of the version that the headers speak of, should the archive be replaced in between.
  const onlyIf = { etagMatches: head.etag };
  if (!range) return answer(await bucket.get(key, { onlyIf }), 200, headers, head.size);

  const placed = range === "unsatisfiable" ? undefined : placeRange(range, head.size);
  if (!placed) {
    headers.set("Content-Range", `bytes */${head.size}`);
    return new Response(null, { status: 416, headers });
  }
  const length = placed.last - placed.first + 1;
  headers.set("Content-Range", `bytes ${placed.first}-${placed.last}/${head.size}`);
  return answer(await bucket.get(key, { onlyIf, range: { offset: placed.first, length } }), 206, headers, length);
});

function answer(object: R2ObjectBody | R2Object | null, status: 200 | 206, headers: Headers, length: number): Response {
  if (!object || !("body" in object)) {
    return new Response(null, { status: 503, headers: { "Retry-After": "1", "Cache-Control": "no-store" } });
  }
  headers.set("Content-Length", String(length));
  return new Response(object.body, { status, headers });
}

/** If-None-Match compares weakly. */
function isListed(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag);
}
