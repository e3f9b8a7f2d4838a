import { env as workerEnv } from "cloudflare:workers";
import { parseAgeProvider } from "@lambda/contract/age-provider";
import { parseClosingDay } from "@lambda/contract/closing";
import { BATCH_CALLS_MAX } from "@lambda/contract/limits";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { Hono } from "hono";
import { closedPage } from "./accounts/age/closed-page.ts";
import { agePolicy } from "./accounts/age/policy.ts";
import { ageRoutes } from "./accounts/age/routes.ts";
import { BYTE_ROUTES } from "./byte-routes.ts";
import { replyAsDemoMembers } from "./demo-member.ts";
import { friendOrigin, friendPageResponse, isFriendPage } from "./messaging/meets/friend-page.ts";
import { connectSocket, requireUpgrade } from "./messaging/messages/connect.ts";
import { consumeQueue } from "./notifications/push/consume.ts";
import { tiles } from "./places/tiles/tiles.ts";
import { visitorMap } from "./places/visitors/visitor-map.ts";
import { withPlainCookies } from "./platform/development/plain-cookies.ts";
import { runDevelopmentSql } from "./platform/development/sql.ts";
import {
  disguiseManifestResponse,
  documentResponse,
  fileResponse,
  manifestResponse,
} from "./platform/documents/documents.ts";
import { notepadResponse } from "./platform/documents/notepad.ts";
import { changePasswordResponse, securityTextResponse } from "./platform/documents/well-known.ts";
import type { Env } from "./platform/env.ts";
import { AppError, toErrorResponse } from "./platform/errors.ts";
import { errorResponse } from "./platform/http/error-response.ts";
import { type InlineVariables, withPlainMediaType } from "./platform/http/security.ts";
import { logFault } from "./platform/log.ts";
import { listDevelopmentMails, renderMailPage } from "./platform/mail/development-mails.ts";
import { openDoors } from "./platform/metering/doors.ts";
import { spentToday } from "./platform/rate-limits/usage.ts";
import { invalidateAllRegions } from "./platform/replication/watermarks.ts";
import { mountRest } from "./platform/rest/adapter.ts";
import { mountByteRoutes, requireAccess, routePattern } from "./platform/rest/byte-routes.ts";
import { openApiDocument } from "./platform/rest/openapi.ts";
import { takeTotal, withRequestMeter } from "./platform/spend.ts";
import { statusPage } from "./platform/status/status-page.ts";
import { REQUEST_STEPS, requestTime, type SiteEnv, type Step } from "./request-steps.ts";
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

const app = new Hono<SiteEnv>();

if (__DEVELOPMENT__) {
  app.use("*", async (c, next) => {
    await next();
    const ctx = c.get("ctx");
    const fetchSite = (request: Request) => app.fetch(request, c.env, c.executionCtx);
    if (ctx && !c.res.webSocket) ctx.waitUntil(replyAsDemoMembers(ctx, c.res, fetchSite));
  });
}
mountSteps("everything", ["*"]);

app.onError((error, c) => errorResponse(c.get("ctx"), error, { id: c.get("requestId"), route: routePattern(c) }));

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

mountSteps("calls", ["/api/*", "/trpc/*", "/ws/*"]);

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
  // What the isolate used since it was last asked, and what a member was charged today.
  app.get("/dev/spent.json", async (c) => {
    const charged = await spentToday(c.env, Number(c.req.query("profileId") ?? 0));
    return c.json({ total: takeTotal(), charged });
  });
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

function mountSteps(on: Step["on"], paths: readonly string[]): void {
  for (const step of REQUEST_STEPS) if (step.on === on) for (const path of paths) app.use(path, step.run);
}

// Invalid operator configuration must fail at startup, before any request is served.
agePolicy(workerEnv as Env);
parseClosingDay((workerEnv as Env).CLOSING_ON);
parseAgeProvider((workerEnv as Env).AGE_OIDC);
friendOrigin(workerEnv as Env);

export default {
  fetch: (request, env, execution) => {
    const answer = (read: Request, isInTotal = true) =>
      withRequestMeter(() => app.fetch(read, openDoors(env), execution), isInTotal);
    // The question of what was used costs nothing by itself.
    return __DEVELOPMENT__
      ? withPlainCookies(request, async (plain) => answer(plain, new URL(plain.url).pathname !== "/dev/spent.json"))
      : answer(request);
  },
  scheduled: (controller, env) => runSchedule(controller.cron, openDoors(env), controller.scheduledTime),
  queue: (messages, env, execution) => consumeQueue(messages, openDoors(env), execution),
} satisfies ExportedHandler<Env>;
