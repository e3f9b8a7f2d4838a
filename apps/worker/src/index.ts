import { env as workerEnv } from "cloudflare:workers";
import { BRANDS, type Brand } from "@lambda/brands";
import { parseAgeProvider } from "@lambda/contract/age-provider";
import { parseClosingDay } from "@lambda/contract/closing";
import { BATCH_CALLS_MAX } from "@lambda/contract/limits";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { Hono } from "hono";
import { closedPage } from "./accounts/age/closed-page.ts";
import { agePolicy } from "./accounts/age/policy.ts";
import { ageRoutes, WALLET_PATH } from "./accounts/age/routes.ts";
import { consumeQueue } from "./accounts/push/consume.ts";
import { requireSameAccount } from "./accounts/sessions/same-account.ts";
import { findViewer } from "./accounts/sessions/viewer.ts";
import { isOfTeam } from "./accounts/team.ts";
import { BYTE_ROUTES } from "./byte-routes.ts";
import { replyAsDemoMembers } from "./demo-member.ts";
import {
  classifyFriendRequest,
  friendOrigin,
  friendPageResponse,
  isFriendPage,
} from "./messaging/meets/friend-page.ts";
import { connectSocket, requireUpgrade } from "./messaging/messages/connect.ts";
import { findCachedPicture } from "./pictures/cached-rights.ts";
import { tiles } from "./places/tiles/tiles.ts";
import { visitorMap } from "./places/visitors/visitor-map.ts";
import { type Context, createContext } from "./platform/context.ts";
import { withPlainCookies } from "./platform/development/plain-cookies.ts";
import { runDevelopmentSql } from "./platform/development/sql.ts";
import {
  disguiseManifestResponse,
  documentResponse,
  fileResponse,
  manifestResponse,
} from "./platform/documents/documents.ts";
import { notOpenPage, passesUnopened } from "./platform/documents/not-open-page.ts";
import { notepadResponse } from "./platform/documents/notepad.ts";
import { changePasswordResponse, securityTextResponse } from "./platform/documents/well-known.ts";
import type { Env } from "./platform/env.ts";
import { AppError, toErrorResponse } from "./platform/errors.ts";
import { randomHex } from "./platform/hash.ts";
import { findSite, restoreFragment } from "./platform/http/address.ts";
import { errorResponse } from "./platform/http/error-response.ts";
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
  withPlainMediaType,
} from "./platform/http/security.ts";
import { isLogged, logFault } from "./platform/log.ts";
import { listDevelopmentMails, renderMailPage } from "./platform/mail/development-mails.ts";
import { notifySquares } from "./platform/map/squares.ts";
import { count, countResponse, flushCounts } from "./platform/metrics/counts.ts";
import { countRoute } from "./platform/metrics/engines.ts";
import { isOpen } from "./platform/opening.ts";
import { isFlood, recordSessionCheck } from "./platform/rate-limits/flood.ts";
import { countCalls, syncUsage } from "./platform/rate-limits/usage.ts";
import { weighRequest } from "./platform/rate-limits/weigh.ts";
import { announceWrite, invalidateAllRegions } from "./platform/replication/watermarks.ts";
import { requireKeys } from "./platform/required-keys.ts";
import { mountRest } from "./platform/rest/adapter.ts";
import {
  honoPath,
  type MemberVariables,
  mountByteRoutes,
  requireAccess,
  routePattern,
} from "./platform/rest/byte-routes.ts";
import { openApiDocument } from "./platform/rest/openapi.ts";
import { statusPage } from "./platform/status/status-page.ts";
import { appRouter } from "./router.ts";
import { runSchedule } from "./schedule.ts";

export { SafeMeet } from "./messaging/meets/meet-object.ts";
export { AreaObject } from "./messaging/messages/area-object.ts";
export { MemberObject } from "./messaging/messages/member-object.ts";
export { PictureRights } from "./pictures/rights-object.ts";
export { MetricsObject } from "./platform/metrics/metrics-object.ts";
export { RateLimiter } from "./platform/rate-limits/rate-limiter.ts";
export { WatermarkObject } from "./platform/replication/watermark-object.ts";
export { SquareObject } from "./profiles/search/square-object.ts";

const BYTE_PATTERNS: ReadonlySet<string> = new Set(BYTE_ROUTES.map(({ path }) => `/api${honoPath(path)}`));

const app = new Hono<{
  Bindings: Env;
  Variables: { brand: Brand; requestId: string } & InlineVariables & MemberVariables;
}>();

// Every response: brand by host, security headers, and one log line without personal data (no address, id or query).
app.use("*", async (c, next) => {
  let started = Date.now();
  c.req.raw = afterBody(c.req.raw, () => {
    started = Date.now();
  });
  const requestId = randomHex(8);
  c.set("requestId", requestId);
  const friendHost = classifyFriendRequest(c.req.raw, c.env);
  const { url, brand, refusal } = findSite(c.req.raw);
  const restored = restoreFragment(c.req.method, url);
  if (restored) c.res = restored;
  else if (friendHost !== "none") {
    // The friend host has no brand; its responses are the same for every brand.
    c.set("brand", BRANDS[0]);
    if (friendHost === "served") await next();
    else c.res = new Response(null, { status: 404 });
  } else if (refusal) {
    c.res = refusal;
  } else if (brand) {
    c.set("brand", brand);
    await next();
  }
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
  await setSecurityHeaders(c, url?.protocol === "https:");
  const ms = Date.now() - started;
  countResponse(c.res.status, ms, BYTE_PATTERNS.has(routePattern(c)) ? "bytesMs" : "ms");
  flushCounts(c.env, (work) => c.executionCtx.waitUntil(work));
  if (!__DEVELOPMENT__ && isLogged(c.env, requestId, c.res.status, ms)) {
    const line = {
      id: requestId,
      brand: brand?.id,
      method: c.req.method,
      route: routePattern(c),
      status: c.res.status,
      ms,
    };
    console.log(JSON.stringify(line));
  }
});

app.onError((error, c) => errorResponse(c.get("ctx"), error, { id: c.get("requestId"), route: routePattern(c) }));

app.use("*", async (c, next) => {
  const [request, brand] = [c.req.raw, c.get("brand")];
  // Without a database there is nothing to see either, and the status page must say so.
  const isShown =
    passesUnopened(request, c.req.path) || (await isOpen({ env: c.env, brand, request }).catch(() => true));
  if (isShown) return next();
  return notOpenPage(request, brand, (hashes) => c.set("inlineHashes", hashes));
});

app.get("/api/openapi.json", (c) => c.json(openApiDocument(new URL(c.req.url).origin, appRouter, BYTE_ROUTES)));
app.get("/manifest.webmanifest", (c) => manifestResponse(c.get("brand")));
app.get("/manifest/:file", (c) => {
  const manifest = disguiseManifestResponse(c.req.path);
  if (!manifest) throw new AppError("NOT_FOUND");
  return manifest;
});
app.get("/.well-known/security.txt", (c) => securityTextResponse(c.get("brand"), requestTime(c.req.raw)));
app.get("/.well-known/change-password", changePasswordResponse);
app.get("/notepad", (c) => notepadResponse(c.req.raw, (hashes) => c.set("inlineHashes", hashes)));
app.route("/", tiles);
app.route("/", visitorMap);
app.get("/status", (c) => {
  const context = { env: c.env, request: c.req.raw, brand: c.get("brand"), now: requestTime(c.req.raw) };
  return statusPage(context, (hashes) => c.set("inlineHashes", hashes));
});

// Everything that accesses members: body limit, same origin, flood limit, context, quotas.
for (const path of ["/api/*", "/trpc/*", "/ws/*"]) {
  app.use(path, refuseNavigation);
  app.use(path, refuseEncodedBody);
  app.use(path, limitBody);
  app.use(path, async (c, next) => {
    requireKeys(c.env);
    if (!WALLET_PATH.test(c.req.path)) requireSameOrigin(c.req.raw);
    const weight = weighRequest(c.req);
    const network = networkOf(c.req.header("cf-connecting-ip") ?? "local");
    if ((await isFlood(c.env, c.req.raw, network, weight.calls)) && !__DEVELOPMENT__) {
      throw new AppError("TOO_MANY_REQUESTS", { retryAfterSeconds: 60 });
    }
    const now = requestTime(c.req.raw);
    let ctx = await createContext(c.req.raw, c.env, c.executionCtx, c.get("brand"), findViewer, {
      now,
      pictureLookup: await findCachedPicture(c.req.raw, c.env, c.get("brand"), now),
      requestId: c.get("requestId"),
    });
    const notOpen = !(await isOpen(ctx)) && !(await isOfTeam(ctx));
    if (notOpen) ctx = { ...ctx, notOpen };
    c.set("ctx", ctx);
    const refusal = countCalls(ctx, weight);
    // A member whose day is used up counts toward the network, like anybody without an account.
    recordSessionCheck(c.req.raw, ctx.viewer !== null && refusal?.sparesSafety === undefined);
    requireSameAccount(c.req.raw, ctx.viewer);
    // The calls of a tRPC batch are rejected one by one, in the format that its client reads.
    if (refusal && !refusal.sparesSafety && !c.req.path.startsWith("/trpc/")) throw refusal.error;
    if (refusal) c.set("ctx", { ...ctx, refusal });
    await next();
    syncUsage(ctx, weight);
    count("rowsRead", ctx.cost.rowsRead);
    count("rowsWritten", ctx.cost.rowsWritten);
    if (c.res.webSocket) return;
    // Before the announcement, whose queries are not part of the request's budget.
    if (__DEVELOPMENT__) setCostHeaders(c.res.headers, ctx);
    if (__DEVELOPMENT__ && c.res.status === 404 && routePattern(c) === "/api/*")
      c.res.headers.set("x-development-no-route", "1");
    await announceChanges(ctx, c.res.headers);
    if (__DEVELOPMENT__) {
      const fetchSite = (request: Request) => app.fetch(request, c.env, c.executionCtx);
      ctx.waitUntil(replyAsDemoMembers(ctx, c.res, fetchSite));
    }
    // What a locked device shows must not be on its disk.
    if (ctx.viewer?.lockHash || !c.res.headers.has("cache-control"))
      c.res.headers.set("cache-control", "private, no-store");
    // Pages compare times of the server with the server's clock.
    if (c.res.headers.get("cache-control")?.includes("no-store")) c.res.headers.set("x-now", String(now));
  });
}

app.all("/trpc/*", (c) => {
  const ctx = c.get("ctx");
  // A streamed response begins before its calls run, which would then be neither charged nor announced.
  if ([c.req.header("trpc-accept"), c.req.header("accept")].join().includes("jsonl"))
    throw new AppError("BAD_INPUT", { message: "Batches are not streamed." });
  return fetchRequestHandler({
    endpoint: "/trpc",
    req: withPlainMediaType(c.req.raw),
    router: appRouter,
    maxBatchSize: BATCH_CALLS_MAX,
    createContext: () => ctx,
    responseMeta: ({ errors }) => {
      const retryAfterSeconds = errors
        .map((error) => toErrorResponse(error).retryAfterSeconds)
        .find((seconds) => seconds !== undefined);
      if (retryAfterSeconds !== undefined) ctx.responseHeaders.set("retry-after", String(retryAfterSeconds));
      return { headers: ctx.responseHeaders };
    },
    onError: ({ error, path }) => {
      if (toErrorResponse(error).status >= 500) logFault({ id: ctx.requestId, procedure: path }, error);
    },
  });
});

app.route("/api", mountByteRoutes(BYTE_ROUTES));
app.route("/api", ageRoutes);
app.all("/ws", requireUpgrade, requireAccess("member"), (c) => connectSocket(c.get("member"), "member"));
app.all("/ws/map", requireUpgrade, requireAccess("member"), (c) => connectSocket(c.get("member"), "map"));
app.all("/ws/area", requireUpgrade, requireAccess("member"), (c) => connectSocket(c.get("member"), "area"));

app.route("/api", mountRest(appRouter));
app.all("/api/*", () => {
  throw new AppError("NOT_FOUND");
});

if (__DEVELOPMENT__) {
  app.get("/dev/mail", async (c) => c.html(renderMailPage(await listDevelopmentMails(c.env))));
  app.get("/dev/mail.json", async (c) => c.json(await listDevelopmentMails(c.env)));
  // A test wallet to prove an age with.
  app.get("/dev/wallet", async (c) => {
    const post = (request: Request) => app.fetch(request, c.env, c.executionCtx);
    return (await import("./accounts/age/development/wallet-page.ts")).showWalletPage(c.req.raw, post);
  });
  app.post("/dev/wallet", async (c) =>
    (await import("./accounts/age/development/wallet-page.ts")).handleWalletRequest(c.req.raw),
  );
  // For seeds and browser tests: direct access to the databases, from this machine only.
  app.post("/dev/sql", (c) => runDevelopmentSql(c.req.raw, c.env, () => invalidateAllRegions(c.env)));
}

// Open to anybody with a link, even while the site is closed: it is not a page of the site.
app.get("/meet/:id", (c) =>
  isFriendPage(c.req.path) ? friendPageResponse(c.req.raw, c.env) : fileResponse(c.req.raw, c.env),
);

// Existing files under /assets never reach the worker (wrangler.toml).
app.on("GET", ["/assets/*", "/icons/*"], (c) => fileResponse(c.req.raw, c.env));
app.get("*", async (c) => {
  const allowInline = (hashes: InlineVariables["inlineHashes"]) => c.set("inlineHashes", hashes);
  const closed = await closedPage({ env: c.env, request: c.req.raw, brand: c.get("brand") }, allowInline);
  return closed ?? documentResponse(c.req.raw, c.env, c.get("brand"), allowInline);
});

/** Announces a change to the regions before it is acknowledged, even when the client disconnected. */
async function announceChanges(
  { env, request, database, changes, viewer, lockedViewer, waitUntil }: Context,
  responseHeaders: Headers,
): Promise<void> {
  const bookmark = database.writtenBookmark;
  const changed = (bookmark !== null && changes.briefs > 0) || viewer?.updatesLastSeen;
  if (changed && viewer?.position)
    waitUntil(
      notifySquares(env, [viewer.position.key], { id: viewer.profileId, was: viewer.listedOn, few: viewer.fewOn }),
    );
  if (bookmark === null || request.method === "GET" || request.method === "HEAD") return;
  const hides = changes.calls === 0 || changes.reachingLate < changes.calls;
  const isOwn = changes.calls > 0 && changes.aboutOthers === 0;
  const author = viewer ?? lockedViewer;
  const keepsSession = changes.calls > 0 && changes.keepingSession === changes.calls;
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
function requestTime(request: Request): number {
  const fixed = __DEVELOPMENT__ ? request.headers.get("x-development-now") : null;
  return fixed === null ? Date.now() : Number(fixed);
}

// Invalid operator configuration must fail at startup, before any request is served.
agePolicy(workerEnv as Env);
parseClosingDay((workerEnv as Env).CLOSING_ON);
parseAgeProvider((workerEnv as Env).AGE_OIDC);
friendOrigin(workerEnv as Env);

export default {
  fetch: __DEVELOPMENT__
    ? (request, env, execution) => withPlainCookies(request, (plain) => app.fetch(plain, env, execution))
    : app.fetch,
  scheduled: (controller, env) => runSchedule(controller.cron, env, controller.scheduledTime),
  queue: (messages, env, execution) => consumeQueue(messages, env, execution),
} satisfies ExportedHandler<Env>;
