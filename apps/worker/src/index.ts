import { env as startedWith } from "cloudflare:workers";
import { BRANDS, type Brand } from "@lambda/brands";
import { readAgeProvider } from "@lambda/contract/age-provider";
import { BATCH_CALLS_MAX } from "@lambda/contract/limits";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { Hono } from "hono";
import { BYTE_ROUTES } from "./byte-routes.ts";
import { answerAsNeighbour } from "./demo-neighbour.ts";
import { closedPage } from "./members/age/closed-page.ts";
import { agePolicy } from "./members/age/policy.ts";
import { ageRoutes, WALLET_PATH } from "./members/age/routes.ts";
import { consumeQueue } from "./members/push/consume.ts";
import { requireSameAccount } from "./members/sessions/same-account.ts";
import { findViewer } from "./members/sessions/viewer.ts";
import { tiles } from "./places/tiles/tiles.ts";
import { type Context, createContext } from "./platform/context.ts";
import { runDevelopmentSql } from "./platform/development/sql.ts";
import {
  disguiseManifestResponse,
  documentResponse,
  fileResponse,
  manifestResponse,
} from "./platform/documents/documents.ts";
import { notepadResponse } from "./platform/documents/notepad.ts";
import type { Env } from "./platform/env.ts";
import { AppError, toErrorResponse } from "./platform/errors.ts";
import { randomHex } from "./platform/hash.ts";
import { findSite } from "./platform/http/address.ts";
import { errorResponse } from "./platform/http/error-response.ts";
import { networkOf } from "./platform/http/network.ts";
import { routeOf } from "./platform/http/route-of.ts";
import {
  type InlineVariables,
  limitBody,
  readToTheEnd,
  requireSameOrigin,
  setSecurityHeaders,
} from "./platform/http/security.ts";
import { isLogged, logFault } from "./platform/log.ts";
import { listDevelopmentMails, renderMailPage } from "./platform/mail/development-mails.ts";
import { tellSquares } from "./platform/map/squares.ts";
import { count, countAnswer, tellCounts } from "./platform/metrics/counts.ts";
import { forgetRights, tellAllNow, tellWritten } from "./platform/near/watermarks.ts";
import { isFlood, rememberProved } from "./platform/rate-limits/flood.ts";
import { countCalls, joinReadings } from "./platform/rate-limits/readings.ts";
import { weigh } from "./platform/rate-limits/weigh.ts";
import { mountRest } from "./platform/rest/adapter.ts";
import { type MemberVariables, mountByteRoutes, requireAccess } from "./platform/rest/byte-routes.ts";
import { openApiDocument } from "./platform/rest/openapi.ts";
import { statusPage } from "./platform/status/status-page.ts";
import { appRouter } from "./router.ts";
import { runSchedule } from "./schedule.ts";
import { findFriendHost, friendOrigin, friendPageResponse, isFriendPage } from "./social/meets/friend-page.ts";
import { connectSocket, requireUpgrade } from "./social/messages/connect.ts";
import { findKnownPicture } from "./social/pictures/find-known.ts";

export { MetricsObject } from "./platform/metrics/metrics-object.ts";
export { WatermarkObject } from "./platform/near/watermark-object.ts";
export { RateLimiter } from "./platform/rate-limits/rate-limiter.ts";
export { SafeMeet } from "./social/meets/meet-object.ts";
export { AreaObject } from "./social/messages/area-object.ts";
export { MemberObject } from "./social/messages/member-object.ts";
export { SquareObject } from "./social/nearby/square-object.ts";
export { PictureRights } from "./social/pictures/rights-object.ts";

const app = new Hono<{
  Bindings: Env;
  Variables: { brand: Brand; requestId: string } & InlineVariables & MemberVariables;
}>();

// Every answer: brand by host, security headers, one log line without personal data (no address, no id, no query).
app.use("*", async (c, next) => {
  const started = Date.now();
  const requestId = randomHex(8);
  c.set("requestId", requestId);
  const friendHost = findFriendHost(c.req.raw, c.env);
  const { url, brand, refusal } = findSite(c.req.raw);
  if (friendHost !== "none") {
    // Stands for no brand; what a call is answered there is the same on every one.
    c.set("brand", BRANDS[0]);
    if (friendHost === "served") await next();
    else c.res = new Response(null, { status: 404 });
  } else if (refusal) {
    c.res = refusal;
  } else if (brand) {
    c.set("brand", brand);
    await next();
  }
  if (c.res.webSocket) return;
  await readToTheEnd(c.req.raw);
  c.res = new Response(c.res.body, c.res);
  c.res.headers.set("x-request-id", requestId);
  await setSecurityHeaders(c, url?.protocol === "https:");
  const ms = Date.now() - started;
  countAnswer(c.res.status, ms);
  tellCounts(c.env, (work) => c.executionCtx.waitUntil(work));
  if (!__DEVELOPMENT__ && isLogged(c.env, requestId, c.res.status, ms)) {
    const line = {
      id: requestId,
      brand: brand?.id,
      method: c.req.method,
      route: routeOf(c),
      status: c.res.status,
      ms,
    };
    console.log(JSON.stringify(line));
  }
});

app.onError((error, c) => errorResponse(c.get("ctx"), error, { id: c.get("requestId"), route: routeOf(c) }));

app.get("/api/openapi.json", (c) => c.json(openApiDocument(new URL(c.req.url).origin, appRouter, BYTE_ROUTES)));
app.get("/manifest.webmanifest", (c) => manifestResponse(c.get("brand")));
app.get("/manifest/:file", (c) => {
  const manifest = disguiseManifestResponse(c.req.path);
  if (!manifest) throw new AppError("NOT_FOUND");
  return manifest;
});
app.get("/notepad", (c) => notepadResponse(c.req.raw, (hashes) => c.set("inlineHashes", hashes)));
app.route("/", tiles);
app.get("/status", (c) => {
  const asked = { env: c.env, request: c.req.raw, brand: c.get("brand"), now: clockOf(c.req.raw) };
  return statusPage(asked, (hashes) => c.set("inlineHashes", hashes));
});

// Whatever knows members: same origin, flood limit, context.
for (const path of ["/api/*", "/trpc/*", "/ws/*"]) {
  app.use(path, limitBody);
  app.use(path, async (c, next) => {
    if (!WALLET_PATH.test(c.req.path)) requireSameOrigin(c.req.raw);
    const { calls, weight, changes } = weigh(c.req.raw);
    const network = networkOf(c.req.header("cf-connecting-ip") ?? "local");
    if ((await isFlood(c.env, c.req.raw, network, calls)) && !__DEVELOPMENT__) {
      throw new AppError("TOO_MANY_REQUESTS", { retryAfterSeconds: 60 });
    }
    const now = clockOf(c.req.raw);
    const ctx = await createContext(c.req.raw, c.env, c.executionCtx, c.get("brand"), findViewer, {
      now,
      known: await findKnownPicture(c.req.raw, c.env, c.get("brand"), now),
      requestId: c.get("requestId"),
    });
    c.set("ctx", ctx);
    rememberProved(c.req.raw, ctx.viewer !== null);
    requireSameAccount(c.req.raw, ctx.viewer);
    const refusal = countCalls(ctx, weight, changes);
    // The calls of a batch are refused one by one, in the form that their client reads.
    if (refusal && !c.req.path.startsWith("/trpc/")) throw refusal;
    if (refusal) c.set("ctx", { ...ctx, refusal });
    await next();
    joinReadings(ctx);
    count("rowsRead", ctx.cost.rowsRead);
    count("rowsWritten", ctx.cost.rowsWritten);
    if (c.res.webSocket) return;
    // What is done after the answer goes on meanwhile.
    const cost = { ...ctx.cost };
    const { crossings, rounds } = ctx.database;
    await tellRegions(ctx, c.res.headers);
    if (__DEVELOPMENT__) {
      const askSite = (request: Request) => app.fetch(request, c.env, c.executionCtx);
      ctx.waitUntil(answerAsNeighbour(ctx, c.res, askSite));
    }
    if (!c.res.headers.has("cache-control")) c.res.headers.set("cache-control", "private, no-store");
    if (__DEVELOPMENT__) {
      c.res.headers.set("x-d1-trips", String(cost.trips));
      c.res.headers.set("x-d1-crossings", String(crossings));
      c.res.headers.set("x-d1-rounds", String(rounds));
      c.res.headers.set("x-d1-rows-read", String(cost.rowsRead));
      c.res.headers.set("x-d1-rows-written", String(cost.rowsWritten));
    }
  });
}

app.all("/trpc/*", (c) => {
  const ctx = c.get("ctx");
  return fetchRequestHandler({
    endpoint: "/trpc",
    req: c.req.raw,
    router: appRouter,
    maxBatchSize: BATCH_CALLS_MAX,
    createContext: () => ctx,
    responseMeta: ({ errors }) => {
      const wait = errors
        .map((error) => toErrorResponse(error).retryAfterSeconds)
        .find((seconds) => seconds !== undefined);
      if (wait !== undefined) ctx.responseHeaders.set("retry-after", String(wait));
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
  // For seeds and browser tests: the database of the running site, from this machine only.
  // A wallet to prove an age with, for tests and for whoever tries the site.
  app.get("/dev/wallet", async (c) => {
    const post = (request: Request) => app.fetch(request, c.env, c.executionCtx);
    return (await import("./members/age/development/wallet-page.ts")).showWallet(c.req.raw, post);
  });
  app.post("/dev/wallet", async (c) =>
    (await import("./members/age/development/wallet-page.ts")).answerWallet(c.req.raw),
  );
  app.post("/dev/sql", (c) => runDevelopmentSql(c.req.raw, c.env, () => forgetRights(c.env)));
}

// Open where the site is closed, and to whoever has a link: it is not a page of the site.
app.get("/meet/:id", (c) =>
  isFriendPage(c.req.path) ? friendPageResponse(c.req.raw, c.env) : fileResponse(c.req.raw, c.env),
);

// What is there under /assets never comes here (wrangler.toml).
app.on("GET", ["/assets/*", "/icons/*"], (c) => fileResponse(c.req.raw, c.env));
app.get("*", async (c) => {
  const allowInline = (hashes: InlineVariables["inlineHashes"]) => c.set("inlineHashes", hashes);
  const closed = await closedPage({ env: c.env, request: c.req.raw, brand: c.get("brand") }, allowInline);
  return closed ?? documentResponse(c.req.raw, c.env, c.get("brand"), allowInline);
});

/** Before a change is acknowledged, also where whoever asked for it is gone. */
async function tellRegions(
  { env, request, database, changes, viewer, waitUntil }: Context,
  answer: Headers,
): Promise<void> {
  const { wrote } = database;
  const changed = (wrote !== null && changes.briefs > 0) || viewer?.seenAnew;
  if (changed && viewer?.position)
    waitUntil(tellSquares(env, [viewer.position.key], { id: viewer.profileId, was: viewer.listedOn }));
  if (wrote === null || request.method === "GET" || request.method === "HEAD") return;
  const hides = changes.calls === 0 || changes.hidingNothing < changes.calls;
  const isOwn = changes.calls > 0 && changes.aboutOthers === 0;
  const about = isOwn ? (viewer ? [viewer.profileId] : []) : undefined;
  const telling = tellWritten(env, request, answer, wrote, { hides, about });
  waitUntil(telling);
  await telling;
}

/** The time of a request; development builds let a test set it. */
function clockOf(request: Request): number {
  const fixed = __DEVELOPMENT__ ? request.headers.get("x-development-now") : null;
  return fixed === null ? Date.now() : Number(fixed);
}

// A table of ages that says something else than its author meant must not serve a single request.
agePolicy(startedWith as Env);
readAgeProvider((startedWith as Env).AGE_OIDC);
friendOrigin(startedWith as Env);

export default {
  fetch: app.fetch,
  scheduled: async (controller, env) => {
    let aboutAnybody = true;
    try {
      aboutAnybody = await runSchedule(controller.cron, env, controller.scheduledTime);
    } finally {
      await tellAllNow(env, aboutAnybody ? undefined : []);
    }
  },
  queue: (messages, env, execution) => consumeQueue(messages, env, execution),
} satisfies ExportedHandler<Env>;
