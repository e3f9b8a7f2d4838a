/** What the regions' watermarks are asked before a request reads, and told after one wrote. */
import { WATERMARK_LEASE_MS } from "@lambda/contract/limits";
import type { Env } from "../env.ts";
import { sha256 } from "../hash.ts";
import { readCookie, SESSION_COOKIE, setHiddenCookie, WROTE_COOKIE } from "../http/cookies.ts";
import { logFault } from "../log.ts";
import type { FeedMark, News, WatermarkApi, Written } from "../objects.ts";
import type { Bookmark } from "./bookmarks.ts";
import { allRegions, type Region, regionOf } from "./regions.ts";
import { countMissedTelling, currentBookmark } from "./statements.ts";

const ASK_MAX_MS = 1000;
const TELL_MAX_MS = 2000;
const TELL_AGAIN_MS = 250;
/** By then no watermark that was not reached is in force any more. */
const EXPIRED_MS = WATERMARK_LEASE_MS + 1000;
/** What a cookie says instead of a region that could not be told. */
const NOWHERE = "none";

/** Where a request reads: from a copy that is as new as `bookmark` at least, or from the primary. */
export type Start = { readonly at: "primary" } | { readonly at: "replica"; readonly bookmark: Bookmark | null };

export const AT_THE_PRIMARY: Start = { at: "primary" };

/**
 * Visitors read from the primary: what they wrote is kept under no name yet. So does a member who wrote in another region a moment ago,
 * and everybody while their watermark does not answer.
 */
export async function findStart(env: Pick<Env, "WATERMARK">, request: Request): Promise<Start> {
  const key = await keyOf(request);
  if (key === undefined) return AT_THE_PRIMARY;
  const region = regionOf(request);
  const wroteIn = readCookie(request, WROTE_COOKIE);
  if (wroteIn !== undefined && wroteIn !== region) return AT_THE_PRIMARY;
  try {
    return { at: "replica", bookmark: await within(ASK_MAX_MS, () => watermarkOf(env, region).ask(key)) };
  } catch (error) {
    logFault({ event: "watermark-asked", code: region }, error);
    return AT_THE_PRIMARY;
  }
}

/**
 * Ends when the writer's own region knows what this request wrote and, where it `hides` anything, every region does or has forgotten
 * what it knew. The answer carries where it was written.
 *
 * @param about whom it concerns, where that is known
 */
export async function tellWritten(
  env: Pick<Env, "DB" | "WATERMARK">,
  request: Request,
  answer: Headers,
  bookmark: Bookmark,
  { hides, about }: { readonly hides: boolean; readonly about?: readonly number[] | undefined },
): Promise<void> {
  const own = regionOf(request);
  const key = await keyOf(request);
  const tellings = allRegions()
    .filter((region) => hides || region === own)
    .map(async (region) => {
      const written = { bookmark, hides, ...(about && { about }), ...(region === own && key !== undefined && { key }) };
      return (await tellRegion(env, region, written)) || region !== own;
    });
  const reached = (await Promise.all(tellings)).every(Boolean);
  // Whoever logs out keeps no cookie.
  if (key !== undefined && !answer.has("clear-site-data"))
    setHiddenCookie(answer, WROTE_COOKIE, reached ? own : NOWHERE, EXPIRED_MS / 1000);
}

/** A session that reads in a region, as the region's watermark knows it. */
export interface Reader {
  readonly region: Region;
  readonly key: string;
}

export async function readerOf(request: Request): Promise<Reader | undefined> {
  const key = await keyOf(request);
  return key === undefined ? undefined : { region: regionOf(request), key };
}

/** Before a device hears of something that another member wrote: what it reads then is no older. */
export async function tellReader(
  env: Pick<Env, "DB" | "WATERMARK">,
  { region, key }: Reader,
  bookmark: Bookmark,
): Promise<void> {
  await tellRegion(env, region, { bookmark, key, hides: false });
}

/** After work that no request asked for, such as the schedule's. */
export async function tellAllNow(env: Env, about?: readonly number[]): Promise<void> {
  const bookmark = await currentBookmark(env);
  if (bookmark === null) return;
  await Promise.all(
    allRegions().map((region) => tellRegion(env, region, { bookmark, hides: true, ...(about && { about }) })),
  );
}

/**
 * False where a region could not be reached until what it knew had expired, or was not worth waiting for. That it missed something is
 * written down, as what it keeps about members does not expire by itself: it learns of it when it looks at the primary next.
 */
async function tellRegion(env: Pick<Env, "DB" | "WATERMARK">, region: Region, written: Written): Promise<boolean> {
  let ends = Date.now() + (written.hides ? EXPIRED_MS : TELL_AGAIN_MS);
  let isCounted = !written.hides;
  for (;;) {
    try {
      await within(TELL_MAX_MS, () => watermarkOf(env, region).tell(written));
      return true;
    } catch (error) {
      if (!isCounted) {
        await countMissedTelling(env.DB);
        isCounted = true;
        ends = Date.now() + EXPIRED_MS;
      }
      if (Date.now() >= ends) {
        logFault({ event: "watermark-told", code: region }, error);
        return false;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, TELL_AGAIN_MS));
  }
}

/** What the reader's region knows now, and whom it was told of since the mark. Throws where it does not answer. */
export function askNews(
  env: Pick<Env, "WATERMARK">,
  { region, key }: { readonly region: DurableObjectLocationHint; readonly key: string },
  since: FeedMark | null,
): Promise<News> {
  return within(ASK_MAX_MS, () => watermarkOf(env, region).news(key, since));
}

/** Development only: somebody changed the database past the worker. */
export async function forgetRights(env: Pick<Env, "WATERMARK">): Promise<void> {
  await Promise.all(allRegions().map((region) => watermarkOf(env, region).tell({ bookmark: "", hides: true })));
}

function watermarkOf(
  { WATERMARK }: Pick<Env, "WATERMARK">,
  region: DurableObjectLocationHint,
): DurableObjectStub<WatermarkApi> {
  return WATERMARK.get(WATERMARK.idFromName(region), { locationHint: region });
}

/** Under which a watermark keeps what a session wrote; the token itself goes nowhere. */
async function keyOf(request: Request): Promise<string | undefined> {
  const token = readCookie(request, SESSION_COOKIE);
  return token === undefined || token === "" ? undefined : (await sha256(token)).slice(0, 32);
}

async function within<Result>(ms: number, act: () => Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer in time")), ms);
  });
  try {
    return await Promise.race([act(), late]);
  } finally {
    clearTimeout(timer);
  }
}
