/**
 * What happens to a request, in this order. A step does its part before the next ones, after them or both, or answers by itself; what comes
 * after them runs from the last step to the first. To add one, find the first step that it must not precede.
 */
import { BRANDS, type Brand } from "@lambda/brands";
import type { MiddlewareHandler } from "hono";
import { WALLET_PATH } from "./accounts/age/routes.ts";
import { requireSameAccount } from "./accounts/sessions/same-account.ts";
import { findViewer } from "./accounts/sessions/viewer.ts";
import { isOfTeam } from "./accounts/team.ts";
import { BYTE_ROUTES } from "./byte-routes.ts";
import { classifyFriendRequest } from "./messaging/meets/friend-page.ts";
import { findCachedPicture } from "./pictures/cached-rights.ts";
import { type Context, createContext } from "./platform/context.ts";
import { KEPT_OUT_HEADER, maintenanceResponse } from "./platform/documents/maintenance-page.ts";
import { notOpenPage, passesUnopened } from "./platform/documents/not-open-page.ts";
import type { Env } from "./platform/env.ts";
import { AppError } from "./platform/errors.ts";
import { randomHex } from "./platform/hash.ts";
import { findSite, restoreFragment } from "./platform/http/address.ts";
import { networkOf } from "./platform/http/network.ts";
import {
  afterBody,
  drainBody,
  type InlineVariables,
  limitBody,
  refuseEncodedBody,
  refuseNavigation,
  requireSameOrigin,
  setSecurityHeaders,
} from "./platform/http/security.ts";
import { isLogged } from "./platform/log.ts";
import { notifySquares } from "./platform/map/squares.ts";
import { count, countResponse, flushCounts } from "./platform/metrics/counts.ts";
import { countRoute } from "./platform/metrics/engines.ts";
import { isOpen } from "./platform/opening.ts";
import { isFlood, recordSessionCheck } from "./platform/rate-limits/flood.ts";
import { countCalls, syncUsage } from "./platform/rate-limits/usage.ts";
import { weighRequest } from "./platform/rate-limits/weigh.ts";
import { announceWrite, announceWriteLater } from "./platform/replication/watermarks.ts";
import { requireKeys } from "./platform/required-keys.ts";
import { honoPath, type MemberVariables, routePattern } from "./platform/rest/byte-routes.ts";

export interface SiteEnv {
  Bindings: Env;
  Variables: { brand: Brand; requestId: string } & InlineVariables & MemberVariables;
}

type Run = MiddlewareHandler<SiteEnv>;

export interface Step {
  readonly name: string;
  /** Why it is here and not later. */
  readonly why: string;
  /** Calls touch members; everything else is pages, files and the map's tiles. */
  readonly on: "everything" | "calls";
  readonly run: Run;
}

const everything = (name: string, why: string, run: Run): Step => ({ name, why, on: "everything", run });
const calls = (name: string, why: string, run: Run): Step => ({ name, why, on: "calls", run });

export const REQUEST_STEPS: readonly Step[] = [
  everything("answer", "Every answer gets security headers and one log line, whichever step gave it.", finishAnswer),
  everything("site", "Nothing is answered for a host that is not ours.", findBrand),
  everything("flood", "The first step that touches nothing costly refuses whoever asks too often.", refuseFlood),
  everything("maintenance", "While the site is restored nothing reads or writes its data.", keepOut),
  everything("opening", "A brand that has not opened shows nothing else.", showOpening),
  calls("navigation", "An answer of the API is never shown as a page or run.", refuseNavigation),
  calls("encoding", "A body is measured as it is.", refuseEncodedBody),
  calls("size", "Nothing reads a body that is too large.", limitBody),
  calls("keys", "A site without its keys must not write under wrong ones.", requireSiteKeys),
  calls("origin", "Another site's page must not act in a member's name, so no session is read for it.", requireOrigin),
  calls("session", "Who asks, from the first query of the request.", openContext),
  calls("quota", "A member over a limit is refused before anything else is read.", refuseOverQuota),
  calls("cache", "After all others that set headers.", setCacheHeaders),
  calls("announcement", "The regions know of a change before it is acknowledged.", announce),
  calls(
    "usage",
    "The member's day pays for what the call cost, before the announcement, which is priced.",
    chargeUsage,
  ),
];

const BYTE_PATTERNS: ReadonlySet<string> = new Set(BYTE_ROUTES.map(({ path }) => `/api${honoPath(path)}`));

async function finishAnswer(...[c, next]: Parameters<Run>): Promise<void> {
  let started = Date.now();
  c.req.raw = afterBody(c.req.raw, () => {
    started = Date.now();
  });
  const requestId = randomHex(8);
  c.set("requestId", requestId);
  await next();
  if (/^\/(api|trpc|ws)(\/|$)/.test(c.req.path)) countRoute(c.req.raw, routePattern(c), c.res.status);
  if (c.res.webSocket) return;
  await drainBody(c.req.raw);
  try {
    c.res.headers.set("x-request-id", requestId);
  } catch {
    // Headers of fetched responses are immutable. Others are not copied, as a body without its length takes 0.1 ms more to send.
    c.res = new Response(c.res.body, c.res);
    c.res.headers.set("x-request-id", requestId);
  }
  await setSecurityHeaders(c, URL.parse(c.req.url)?.protocol === "https:");
  const ms = Date.now() - started;
  if (!c.res.headers.has(KEPT_OUT_HEADER))
    countResponse(c.res.status, ms, BYTE_PATTERNS.has(routePattern(c)) ? "bytesMs" : "ms");
  flushCounts(c.env, (work) => c.executionCtx.waitUntil(work));
  if (__DEVELOPMENT__ || !isLogged(c.env, requestId, c.res.status, ms)) return;
  // No personal data: no address, id or query.
  const brand = c.get("brand")?.id;
  const line = { id: requestId, brand, method: c.req.method, route: routePattern(c), status: c.res.status, ms };
  console.log(JSON.stringify(line));
}

async function findBrand(...[c, next]: Parameters<Run>): Promise<Response | undefined> {
  const friendHost = classifyFriendRequest(c.req.raw, c.env);
  const { url, brand, refusal } = findSite(c.req.raw);
  const restored = restoreFragment(c.req.method, url);
  if (restored) return restored;
  // The friend host has no brand; its responses are the same for every brand.
  if (friendHost !== "none") c.set("brand", BRANDS[0]);
  if (friendHost === "refused") return new Response(null, { status: 404 });
  if (friendHost === "none") {
    if (brand) c.set("brand", brand);
    if (refusal) return refusal;
  }
  await next();
  return undefined;
}

async function refuseFlood(...[c, next]: Parameters<Run>): Promise<void> {
  const network = networkOf(c.req.header("cf-connecting-ip") ?? "local");
  if ((await isFlood(c.env, c.req.raw, network, weighRequest(c.req).calls)) && !__DEVELOPMENT__)
    throw new AppError("TOO_MANY_REQUESTS", { retryAfterSeconds: 60 });
  await next();
}

async function keepOut(...[c, next]: Parameters<Run>): Promise<Response | undefined> {
  const { env, req } = c;
  const asked = { env, request: req.raw, path: req.path, brand: c.get("brand") };
  const answer = await maintenanceResponse(asked, (hashes) => c.set("inlineHashes", hashes));
  if (answer) return answer;
  await next();
  return undefined;
}

async function showOpening(...[c, next]: Parameters<Run>): Promise<Response | undefined> {
  const [request, brand] = [c.req.raw, c.get("brand")];
  // Without a database there is nothing to see either, and the status page must say so.
  const isShown =
    passesUnopened(request, c.req.path) || (await isOpen({ env: c.env, brand, request }).catch(() => true));
  if (!isShown) return notOpenPage(request, brand, (hashes) => c.set("inlineHashes", hashes));
  await next();
  return undefined;
}

async function requireSiteKeys(...[c, next]: Parameters<Run>): Promise<void> {
  requireKeys(c.env);
  await next();
}

async function requireOrigin(...[c, next]: Parameters<Run>): Promise<void> {
  if (!WALLET_PATH.test(c.req.path)) requireSameOrigin(c.req.raw);
  await next();
}

async function openContext(...[c, next]: Parameters<Run>): Promise<void> {
  const now = requestTime(c.req.raw);
  const ctx = await createContext(c.req.raw, c.env, c.executionCtx, c.get("brand"), findViewer, {
    now,
    pictureLookup: await findCachedPicture(c.req.raw, c.env, c.get("brand"), now),
    requestId: c.get("requestId"),
  });
  const notOpen = !(await isOpen(ctx)) && !(await isOfTeam(ctx));
  c.set("ctx", notOpen ? { ...ctx, notOpen } : ctx);
  await next();
}

async function refuseOverQuota(...[c, next]: Parameters<Run>): Promise<void> {
  const ctx = c.get("ctx");
  const refusal = countCalls(ctx, weighRequest(c.req));
  // A member whose day is used up counts toward the network, like anybody without an account.
  recordSessionCheck(c.req.raw, ctx.viewer !== null && refusal?.sparesSafety === undefined);
  requireSameAccount(c.req.raw, ctx.viewer);
  // The calls of a tRPC batch are rejected one by one, in the format that its client reads.
  if (refusal && !refusal.sparesSafety && !c.req.path.startsWith("/trpc/")) throw refusal.error;
  if (refusal) c.set("ctx", { ...ctx, refusal });
  await next();
}

async function setCacheHeaders(...[c, next]: Parameters<Run>): Promise<void> {
  await next();
  if (c.res.webSocket) return;
  const { viewer, now } = c.get("ctx");
  // What a locked device shows must not be on its disk.
  if (viewer?.lockHash || !c.res.headers.has("cache-control")) c.res.headers.set("cache-control", "private, no-store");
  // Pages compare times of the server with the server's clock.
  if (c.res.headers.get("cache-control")?.includes("no-store")) c.res.headers.set("x-now", String(now));
}

async function announce(...[c, next]: Parameters<Run>): Promise<void> {
  await next();
  if (!c.res.webSocket) await announceChanges(c.get("ctx"), c.res.headers);
}

async function chargeUsage(...[c, next]: Parameters<Run>): Promise<void> {
  await next();
  const ctx = c.get("ctx");
  syncUsage(ctx, weighRequest(c.req));
  count("rowsRead", ctx.cost.rowsRead);
  count("rowsWritten", ctx.cost.rowsWritten);
  // Nested, so that the bundler leaves it out of production builds.
  if (__DEVELOPMENT__) {
    if (c.res.webSocket) return;
    setCostHeaders(c.res.headers, ctx);
    if (c.res.status === 404 && routePattern(c) === "/api/*") c.res.headers.set("x-development-no-route", "1");
  }
}

/** Announces a change to the regions before it is acknowledged, even when the client disconnected. */
async function announceChanges(
  { env, request, database, changes, viewer, lockedViewer, waitUntil }: Context,
  responseHeaders: Headers,
): Promise<void> {
  const bookmark = database.writtenBookmark;
  const changed = (bookmark !== null && changes.briefs > 0) || viewer?.updatesLastSeen;
  if (changed && viewer?.position) {
    const { profileId: id, listedOn: was, fewOn: few, position } = viewer;
    waitUntil(notifySquares(env, [[[position.key], { id, was, few }]], id));
  }
  if (bookmark === null || request.method === "GET" || request.method === "HEAD") return;
  const hides = changes.calls === 0 || changes.reachingLate < changes.calls;
  const isOwn = changes.calls > 0 && changes.aboutOthers === 0;
  const author = viewer ?? lockedViewer;
  const keepsSession = changes.calls > 0 && changes.keepingSession === changes.calls;
  if (!hides && keepsSession) return announceWriteLater(env, request, responseHeaders, bookmark, waitUntil);
  const about = isOwn && !keepsSession ? [...(author ? [author.profileId] : []), ...changes.concerned] : undefined;
  const announced = announceWrite(env, request, responseHeaders, bookmark, { hides, about });
  waitUntil(announced);
  await announced;
}

/** Development only: tests check these against the budget of each route. */
function setCostHeaders(headers: Headers, { cost, database }: Context): void {
  headers.set("x-d1-trips", String(cost.trips));
  headers.set("x-d1-crossings", String(database.crossings));
  headers.set("x-d1-rounds", String(database.rounds));
  headers.set("x-d1-rows-read", String(cost.rowsRead));
  headers.set("x-d1-rows-written", String(cost.rowsWritten));
}

/** The time of a request in milliseconds; in development builds a test can set it. */
export function requestTime(request: Request): number {
  const fixed = __DEVELOPMENT__ ? request.headers.get("x-development-now") : null;
  return fixed === null ? Date.now() : Number(fixed);
}
