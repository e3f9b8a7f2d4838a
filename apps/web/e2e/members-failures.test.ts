/** Screens and parts of screens whose call failed. */
import { DESKTOP, openSite, type TestSite } from "@lambda/testing/browser";
import type { Request } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { apiFor, logIn, makeMember } from "./members.ts";
import { makeNearby, newPlace, reportPosition } from "./nearby.ts";
import { clickButton, failCalls, openFold } from "./page-actions.ts";
import { makeQuartersPicture, RED } from "./picture-members.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});

test("a screen whose call failed says so, and does not look empty or load forever", { tags: "slow" }, async () => {
  const me = await makeMember(site, { admin: true });
  const other = await makeMember(site, { name: "Other" });
  await (await apiFor(site, me)).fetch("/api/message", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ recipientProfileId: other.id, bodyText: "Good evening" }),
  });
  const { page, context } = await site.open({ viewport: DESKTOP });
  await logIn(site, context, me);
  await failCalls(
    page,
    ...["notes.get", "albums.status", "albums.given", "pictures.list", "messages.search", "sessions.list"],
    ...["health.mine", "arbitration.inbox", "reports.mine", "games.cooties", "admin.holds.list"],
    ...["games.reviews", "admin.personChecks", "games.cropTasks", "notifications.preferences", "push.list"],
    ...["admin.userRoleCounts", "admin.siteHealth", "admin.contact", "admin.audit", "exposure.partners"],
  );
  const failed = (text: string) => page.getByRole("alert").getByText(text, { exact: true }).first().waitFor();

  await page.goto(`/profilePicRateSwipe?profileId=${other.id}`);
  await failed("We couldn't load the pictures.");
  await page.goto(`/profile/${other.id}`);
  await failed("Your note didn't load.");
  await page.getByRole("radio", { name: /private/i }).check({ force: true });
  await failed("We couldn't load the pictures.");
  await page.goto("/profileEdit#health");
  await failed("Your answers didn't load.");
  await openFold(page, "Pictures");
  await clickButton(page, "Who has access");
  await failed("We couldn't load the pictures.");
  await page.goto("/chat/personal");
  await page.getByRole("searchbox", { name: "Search your messages" }).fill("sun");
  await failed("We couldn't load your messages.");
  await page.goto("/settings#sessions");
  await failed("We couldn't load your devices.");
  await page.goto("/games/arbitration");
  await failed("We couldn't open the game");
  await page.goto("/games/arbitration?tab=mine");
  await failed("We couldn't load your reports.");
  await page.goto("/games/cooties");
  await failed("We couldn't open the game");
  for (const section of ["holds", "reviews", "health", "messages", "audit"]) {
    await page.goto(`/dashboard?section=${section}`);
    await failed("This didn't load.");
  }
  await page.goto("/dashboard");
  await expect.poll(() => page.getByRole("alert").getByText("This didn't load.").count()).toBe(2);
  await page.goto("/settings#notifications");
  await expect.poll(() => page.getByRole("alert").getByText("This didn't load.").count()).toBe(2);
  await page.goto("/games/photocrop");
  await failed("We couldn't open the game");
  await page.goto("/games/health");
  await failed("This didn't load.");
  await failCalls(page, "profiles.get");
  await page.goto(`/search/map#profileId=${other.id}&lat=0&lng=0`);
  await failed("The profile didn't load.");
  await context.close();
});

test("a part of a screen whose call failed says so and tries again", { tags: "slow" }, async () => {
  const place = newPlace();
  const me = await makeMember(site, { name: "Me", admin: true });
  await reportPosition(site, me, place);
  // Far enough for the tiles to call the area quiet.
  const other = await makeNearby(site, place, "Other", 1);
  const api = await apiFor(site, me);
  const { id } = await api.upload(await makeQuartersPicture(80, 100, [RED, RED, RED, RED]));
  await site.sql("update picture set nsfw_community = 1 where id = ?", id);
  const theirs = await apiFor(site, other);
  await theirs.upload(await makeQuartersPicture(80, 100, [RED, RED, RED, RED]));
  await theirs.fetch("/api/message", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ recipientProfileId: me.id, bodyText: "Good evening" }),
  });
  const { page, context, errors } = await site.open({ viewport: DESKTOP });
  await logIn(site, context, me);
  // A browser without windows denies notifications, and the form for them is not there.
  await context.addInitScript(() => Object.defineProperty(Notification, "permission", { get: () => "default" }));
  const failed = page
    .getByRole("alert")
    .filter({ hasText: /didn't load|couldn't load|did not load/ })
    .first();
  const retry = failed.getByRole("button", { name: "Try again" });

  const parts: [failing: string | RegExp, path: string, act?: () => Promise<void>][] = [
    // First, since the session is stored afterwards.
    ["accounts.session", "/welcome"],
    ["positions.nearest", "/"],
    ["likes.briefs", "/"],
    ["messages.conversations", "/"],
    ["tonight.mine", "/", () => page.getByRole("button", { name: /^Out (today|tonight)\?$/ }).click()],
    ["profiles.get", "/search/profile"],
    ["positions.aggregates", "/search/tile"],
    ["messages.area", "/search/tile"],
    ["profiles.relation", `/profile/${other.id}`],
    ["messages.preferences", "/settings#first"],
    ["messages.preferences", "/settings#covers"],
    ["messages.preferences", "/settings#words"],
    ["push.key", "/settings#notifications"],
    ["age.status", "/settings#account"],
    ["age.status", "/tos"],
    ["noticeDesk.counts", "/dashboard?section=members"],
    ["pictures.mine", `/profilePicEdit?id=${id}`],
    [/orig=1/, `/profilePicEdit?id=${id}`],
    [
      "games.markedPictures",
      "/profileEdit",
      async () => {
        await clickButton(page, "Show NSFW");
        await page.getByRole("button", { name: /^Picture 1 of 1/ }).click();
      },
    ],
    [
      "messages.preferences",
      `/chat/personal?with=${other.id}`,
      async () => {
        await clickButton(page, "Add to message");
        await page.getByRole("menuitem", { name: "Saved phrases" }).click();
      },
    ],
  ];
  for (const [failing, path, act] of parts) {
    if (typeof failing === "string") await failCalls(page, failing);
    else await page.route(failing, (route) => route.abort());
    await page.goto("about:blank");
    await page.goto(path);
    await act?.();
    await retry.waitFor().catch(() => expect.fail(`${failing} fails silently on ${path}`));
    const isAgain = (request: Request) =>
      typeof failing === "string" ? request.url().includes(failing) : failing.test(request.url());
    await Promise.all([page.waitForRequest(isAgain), retry.press("Enter")]);
    await page.unrouteAll({ behavior: "ignoreErrors" });
  }
  expect(errors).toEqual([]);
  await context.close();
});
