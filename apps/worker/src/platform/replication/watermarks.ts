/** Reads the regions' watermarks before a request reads, and announces its writes to them afterwards. */
import type { Env } from "../env.ts";
import { sha256 } from "../hash.ts";
import { readCookie, SESSION_COOKIE } from "../http/cookies.ts";
import type { Keys } from "../keys.ts";
import { logFault } from "../log.ts";
import type { FeedPosition, RecordedWrite, RegionNews, RegionUpdates } from "../objects.ts";
import { type Bookmark, newest, restrictTo } from "./bookmarks.ts";
import { allRegions, type Region, regionOf } from "./regions.ts";
import { findCachedSession, SessionCache } from "./session-cache.ts";
import { currentBookmark, recordMissedAnnouncement } from "./statements.ts";
import { EXPIRED_MS, readWriteBookmark, setWriteCookie, writeRegionOf } from "./write-cookie.ts";

const READ_TIMEOUT_MS = 1000;
const ANNOUNCE_TIMEOUT_MS = 2000;
const RETRY_DELAY_MS = 250;

/** Where a request reads: from a replica at least as new as `bookmark`, or from the primary. */
export type ReadSource =
  | { readonly at: "primary" }
  | { readonly at: "nearby"; readonly bookmark: Bookmark | null; readonly session?: SessionCache };

export const PRIMARY: ReadSource = { at: "primary" };

/**
 * Visitors read from the primary, because their writes cannot be attributed to a session. So do members who just wrote in another region,
 * and everybody while their region's watermark does not respond.
 */
export async function chooseReadSource(env: Pick<Env, "WATERMARK"> & Keys, request: Request): Promise<ReadSource> {
  const key = await keyOf(request);
  if (key === undefined) return PRIMARY;
  const region = regionOf(request);
  const writeRegion = writeRegionOf(request);
  if (writeRegion !== undefined && writeRegion !== region) return PRIMARY;
  let written: Bookmark | undefined;
  try {
    written = readWriteBookmark(env, request, key);
  } catch {
    return PRIMARY;
  }
  const known = findCachedSession(key);
  const askedAt = Date.now();
  try {
    const { bookmark, mark, isCurrent } = await withTimeout(READ_TIMEOUT_MS, () =>
      watermarkOf(env, region).getSession(key, known ? { profileId: known.profileId, mark: known.mark } : null),
    );
    const session = new SessionCache(key, mark, askedAt, isCurrent ? known?.row : undefined);
    // Message databases that the watermark leaves out are read from their primaries.
    return { at: "nearby", bookmark: written ? restrictTo(newest(bookmark, written), bookmark) : bookmark, session };
  } catch (error) {
    logFault({ event: "watermark-asked", code: region }, error);
    return PRIMARY;
  }
}

/**
 * Resolves when the writer's own region knows of the write and, if it `hides` anything, when every other region does too or has let its state
 * expire. Sets a cookie with the region of the write.
 *
 * @param about the members concerned, if known
 */
export async function announceWrite(
  env: Pick<Env, "DB" | "WATERMARK"> & Keys,
  request: Request,
  responseHeaders: Headers,
  bookmark: Bookmark,
  { hides, about }: { readonly hides: boolean; readonly about?: readonly number[] | undefined },
): Promise<void> {
  const own = regionOf(request);
  const key = await keyOf(request);
  const announcements = allRegions()
    .filter((region) => hides || region === own)
    .map(async (region) => {
      const written = { bookmark, hides, ...(about && { about }), ...(region === own && key !== undefined && { key }) };
      return (await announceToRegion(env, region, written)) || region !== own;
    });
  const reached = (await Promise.all(announcements)).every(Boolean);
  // A logout must not leave a cookie.
  if (key !== undefined && !responseHeaders.has("clear-site-data"))
    setWriteCookie(env, responseHeaders, key, { region: reached ? own : "none" });
}

/**
 * The same for a write that hides nothing and leaves its author's session as it was. The answer does not wait for the region: its cookie
 * carries the state that the author must read.
 */
export async function announceWriteLater(
  env: Pick<Env, "DB" | "WATERMARK"> & Keys,
  request: Request,
  responseHeaders: Headers,
  bookmark: Bookmark,
  waitUntil: (work: Promise<unknown>) => void,
): Promise<void> {
  const region = regionOf(request);
  const key = await keyOf(request);
  if (key === undefined) return;
  setWriteCookie(env, responseHeaders, key, { region, bookmark });
  waitUntil(announceToRegion(env, region, { bookmark, key, hides: false }));
}

/** A session and the region in which it reads. */
export interface Reader {
  readonly region: Region;
  readonly key: string;
}

export async function findReader(request: Request): Promise<Reader | undefined> {
  const key = await keyOf(request);
  return key === undefined ? undefined : { region: regionOf(request), key };
}

/** Announces another member's write to one reader, so that reads after being notified of it are not older. */
export async function announceWriteToReader(
  env: Pick<Env, "DB" | "WATERMARK">,
  { region, key }: Reader,
  bookmark: Bookmark,
): Promise<void> {
  await announceToRegion(env, region, { bookmark, key, hides: false });
}

/** Announces the current state after writes outside requests, such as the schedule's. */
export async function announceToAllRegions(env: Env, about?: readonly number[]): Promise<void> {
  const bookmark = await currentBookmark(env);
  if (bookmark === null) return;
  await Promise.all(
    allRegions().map((region) => announceToRegion(env, region, { bookmark, hides: true, ...(about && { about }) })),
  );
}

/**
 * Returns false if the region could not be reached before its state expired, or, for a write that hides nothing, after one retry. A missed
 * write that hides something, or that sessions' rows contain, is recorded in the primary, so that the region drops what it cached.
 */
async function announceToRegion(env: Pick<Env, "DB" | "WATERMARK">, region: Region, written: RecordedWrite) {
  let deadline = Date.now() + (written.hides ? EXPIRED_MS : RETRY_DELAY_MS);
  let isRecorded = !written.hides;
  for (;;) {
    try {
      await withTimeout(ANNOUNCE_TIMEOUT_MS, () => watermarkOf(env, region).recordWrite(written));
      return true;
    } catch (error) {
      if (!isRecorded) {
        await recordMissedAnnouncement(env.DB);
        isRecorded = true;
        deadline = Date.now() + EXPIRED_MS;
      }
      if (Date.now() >= deadline) {
        if (!written.hides && written.about) await recordMissedAnnouncement(env.DB);
        logFault({ event: "watermark-told", code: region }, error);
        return false;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
  }
}

/** The region's watermark for the reader, and the members concerned by changes since `since`. Throws if the region does not respond. */
export function fetchRegionUpdates(
  env: Pick<Env, "WATERMARK">,
  { region, key }: { readonly region: DurableObjectLocationHint; readonly key: string },
  since: FeedPosition | null,
): Promise<RegionUpdates> {
  return withTimeout(READ_TIMEOUT_MS, () => watermarkOf(env, region).getUpdates(key, since));
}

/** Whether the reader's region learned, between a mark and a time, of a change that may hide somebody. Throws if it does not respond. */
export function fetchRegionNews(
  env: Pick<Env, "WATERMARK">,
  request: Request,
  since: FeedPosition | null,
  until: number,
): Promise<RegionNews> {
  return withTimeout(READ_TIMEOUT_MS, () => watermarkOf(env, regionOf(request)).getNews(since, until));
}

/** Development only: invalidates all regions after the database was changed directly. */
export async function invalidateAllRegions(env: Pick<Env, "WATERMARK">): Promise<void> {
  await Promise.all(allRegions().map((region) => watermarkOf(env, region).recordWrite({ bookmark: "", hides: true })));
}

function watermarkOf({ WATERMARK }: Pick<Env, "WATERMARK">, region: DurableObjectLocationHint) {
  return WATERMARK.get(WATERMARK.idFromName(region), { locationHint: region });
}

/** Of tokens that this isolate hashed, as each call needs the hash. */
const keys = new Map<string, string>();
const KEYS_MAX = 10_000;

/** The hash under which watermarks know a session; the token itself is not passed on. Undefined for what cannot be a token. */
async function keyOf(request: Request): Promise<string | undefined> {
  const token = readCookie(request, SESSION_COOKIE);
  if (!token || token.length > 100) return undefined;
  const key = keys.get(token) ?? (await sha256(token)).slice(0, 32);
  if (keys.size >= KEYS_MAX) keys.clear();
  keys.set(token, key);
  return key;
}

async function withTimeout<Result>(ms: number, act: () => Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no response in time")), ms);
  });
  try {
    return await Promise.race([act(), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
