import { getBrand } from "@lambda/brands";
import { DESKTOP, openSite, PHONE, type TestSite } from "@lambda/testing/browser";
import { findBarriers } from "@lambda/ui/barriers";
import type { ConsoleMessage, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { logIn, makeMember } from "./members.ts";
import { openFold, waitForHydration } from "./page-actions.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});

const SERVER_ERROR_TITLE = "Sorry this app is having trouble communicating with the server.";

it("the document preloads the files of the screen it opens, and of no other", async () => {
  const { page, context } = await site.open();
  await page.goto("/aboutus");
  const listPreloads = async (path: string) => {
    const html = await page.evaluate(async (address) => (await fetch(address)).text(), path);
    expect(html).not.toMatch(/data-first(?!-paint)/);
    return ["VisitorHome", "MemberHome", "LoginScreen", "TileScreen"].filter((name) =>
      new RegExp(`<link rel="modulepreload" href="/assets/${name}-[^"]+"`).test(html),
    );
  };
  expect(await listPreloads("/")).toEqual(["VisitorHome"]);
  expect(await listPreloads("/login")).toEqual(["LoginScreen"]);
  expect(await listPreloads("/aboutus")).toEqual([]);
  await page.evaluate(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: Chromium alone has the store that would replace it.
    document.cookie = "logged_in=1";
  });
  expect(await listPreloads("/")).toEqual(["MemberHome"]);
  expect(await listPreloads("/search/tile")).toEqual(["TileScreen"]);
  // What the map screen itself needs: MapLibre, which is larger than all of it, comes after it.
  const map = await page.evaluate(async () => (await fetch("/search/map")).text());
  const early = map.match(/<link rel="modulepreload"[^>]*>/g) ?? [];
  expect(early.join()).toContain("MapScreen");
  expect(early.join()).not.toContain("/assets/map-");
  await context.close();
});

it("a screen whose file failed to load opens on the second try, and hovering over its link does not disturb the page", async () => {
  const context = await site.browser.newContext({ serviceWorkers: "block", locale: "en-US" });
  const page = await context.newPage();
  await page.goto(site.url("/aboutus"));
  await context.route(/\/assets\/SupportScreen/, (route) => route.abort());
  await page.getByRole("button", { name: "Open navigation" }).click();
  const link = page.getByRole("navigation", { name: "Navigation" }).getByRole("link", { name: "Support" });
  const failed = page.waitForEvent("requestfailed", (request) => request.url().includes("SupportScreen"));
  await link.hover();
  await failed;
  await link.click();
  await page.getByText("Not loaded. Check your network.").waitFor();
  await context.unroute(/\/assets\/SupportScreen/);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("main").getByRole("heading", { level: 2 }).waitFor();
  await context.close();
});

it("a page that the browser translates does not crash", { tags: "slow" }, async () => {
  const member = await makeMember(site, { name: "Ansel" });
  await makeMember(site);
  const { page, context } = await site.open();
  await logIn(site, context, member);
  // As translators do: every text, those that come later too, gives way to an element.
  await page.addInitScript(() => {
    const translate = () => {
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const found: ChildNode[] = [];
      while (texts.nextNode())
        if (!texts.currentNode.parentElement?.closest("font,script,style")) found.push(texts.currentNode as Text);
      for (const text of found.filter((node) => node.textContent?.trim())) {
        const font = document.createElement("font");
        font.textContent = `${text.textContent}`;
        text.replaceWith(font);
      }
    };
    addEventListener("DOMContentLoaded", () =>
      new MutationObserver(translate).observe(document.body, { childList: true, subtree: true }),
    );
  });
  await page.goto("/search/tile");
  await page.locator("main font").first().waitFor();
  for (const path of ["/search/profile", "/chat/personal", "/likes/profilelikedyou", "/search/map", "/"]) {
    const link = page.locator(`a[href="${path}"]`).first();
    if (await link.isVisible()) await link.click();
    else await page.goto(path);
    await page.locator("main font").first().waitFor();
  }
  const isTolerated = await page.evaluate(() => {
    const parent = document.createElement("p");
    const [gone, next] = [document.createTextNode("gone"), document.createTextNode("next")];
    parent.append(gone);
    gone.replaceWith(document.createElement("font"));
    parent.removeChild(gone);
    return parent.insertBefore(next, gone) === next && parent.lastChild === next;
  });
  expect(isTolerated).toBe(true);
  expect(await page.getByText("This page crashed").count()).toBe(0);
  await context.close();
});

it("a part that failed to load is left out, while its screen and the background services work on", {
  tags: "slow",
}, async () => {
  const [member, other] = [await makeMember(site, { name: "Ansel" }), await makeMember(site)];
  const { page, context } = await site.open();
  await logIn(site, context, member);
  await context.route(/\/assets\/(MeetBar|TripLine|RecordSheet)-/, (route) => route.abort());
  await page.addInitScript((account) => {
    const status = { deadline: Date.now() + 3_600_000, alarmAt: Date.now() + 7_200_000, latest: 0 };
    localStorage.setItem("plan", JSON.stringify({ account, id: "none", status }));
  }, member.id);
  const connected = page.waitForEvent("websocket");
  const failed = ["MeetBar", "TripLine"].map((name) =>
    page.waitForEvent("requestfailed", (request) => request.url().includes(name)),
  );
  await page.goto(`/profile/${other.id}`);
  const socket = await connected;
  await Promise.all(failed);
  await page.getByRole("button", { name: "Like", exact: true }).click();
  await expect.poll(() => site.sql("select like_type from profile_like where liker_id = ?", member.id)).toHaveLength(1);
  expect(await page.getByText("This page crashed").count()).toBe(0);
  expect(socket.isClosed()).toBe(false);

  await page.goto("/profileEdit");
  await openFold(page, "Voice introduction");
  await page.getByRole("button", { name: "Record one" }).click();
  await page.getByText("You seem to be offline. Check your connection and try again.").first().waitFor();
  expect(await page.getByText("This page crashed").count()).toBe(0);
  await context.close();
});

describe("a screen whose file is not on the device", () => {
  const SENTENCE = "Not loaded. Check your network.";

  it("is a sentence before the service worker is in control, and opens once the line is back", async () => {
    const { page, context } = await site.open();
    const logged: Promise<unknown>[] = [];
    const isError = (message: ConsoleMessage) => message.type() === "error" && message.args().length > 0;
    page.on("console", (message) => {
      if (isError(message)) logged.push(Promise.all(message.args().map((arg) => arg.jsonValue())));
    });
    // What is loaded late prepares the log.
    await Promise.all([page.waitForResponse(/\/assets\/habits-/), page.goto("/")]);
    await waitForHydration(page);
    await context.setOffline(true);
    await page.getByRole("link", { name: "Login" }).last().click();
    await page.getByText(SENTENCE).waitFor();
    expect(await page.getByText("This page crashed").count()).toBe(0);
    // An error object would arrive as {} where messages are collected.
    await expect.poll(() => Promise.all(logged)).toEqual([[expect.stringMatching(/^Error: TypeError: /)]]);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText(SENTENCE).waitFor();
    await context.setOffline(false);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByLabel("Email").waitFor();

    // On a line that accepts requests and never answers, the placeholder says so long before the deadline.
    await context.route(/\/assets\/.*Register/, () => undefined);
    await page.getByRole("link", { name: "Need to Register?" }).click();
    await page.getByRole("status", { name: "Loading" }).waitFor();
    expect(await page.getByText(SENTENCE).isVisible()).toBe(false);
    await page.evaluate(() => document.querySelector('[role="alert"]')?.getAnimations()[0]?.finish());
    await page.getByText(SENTENCE).waitFor();
    await context.close();
  });

  it("is a sentence in a page that opens from the cache", async () => {
    const { page, context } = await site.open();
    await logIn(site, context, await makeMember(site));
    await context.route(/\/assets\/(GamesScreen|BrokenScreen)|\/api\/ping/, (route) => route.abort());
    await page.goto("/games");
    await page.getByText(SENTENCE).waitFor();
    expect(await page.getByText("This page crashed").count()).toBe(0);
    await context.close();
  });
});

describe("navigation", () => {
  it("shows a visitor only pages they may open, and closes after 8 s", async () => {
    const { page, context } = await site.open();
    await page.clock.install();
    await page.goto("/");
    await waitForHydration(page);
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.getByRole("button", { name: "Open navigation" }).click();
    const entries = page.getByRole("navigation", { name: "Navigation" }).getByRole("link");
    await entries.first().waitFor();
    const names = await entries.allInnerTexts();
    expect(names).toEqual(
      expect.arrayContaining(["Home", "Login", "Register", "About Us", "Support", "Terms of Service"]),
    );
    for (const hidden of ["Gaydar Map", "Account", "Logout", "Admin Dashboard", "Profile Tiles"]) {
      expect(names).not.toContain(hidden);
    }
    await page.clock.runFor(7900);
    expect(await entries.first().isVisible()).toBe(true);
    await page.clock.runFor(200);
    await entries.first().waitFor({ state: "detached" });
    await context.close();
  });

  it("groups chat, likes and notifications for a member, and shows the dashboard to admins alone", async () => {
    for (const admin of [false, true]) {
      const { page, context } = await site.open({ viewport: DESKTOP });
      await logIn(site, context, await makeMember(site, { admin }));
      await page.goto("/");
      await page.getByRole("heading", { name: "Hello, Marco." }).waitFor();
      await page.getByRole("button", { name: "Open navigation" }).click();
      const navigation = page.getByRole("navigation", { name: "Navigation" });
      for (const group of ["Chat", "Likes", "Notifications"]) {
        const button = navigation.getByRole("button", { name: group });
        expect(await button.getAttribute("aria-expanded")).toBe("false");
        await button.click();
        expect(await button.getAttribute("aria-expanded")).toBe("true");
      }
      const names = await navigation.getByRole("link").allInnerTexts();
      expect(names).toEqual(
        expect.arrayContaining(["Personal Chat", "Map Chat", "Liked You", "Your Pics", "You Liked", "Their Pics"]),
      );
      expect(names).not.toContain("Login");
      expect(names.includes("Admin Dashboard")).toBe(admin);
      await context.close();
    }
  });

  it("moves the focus to the content on each route change, has a skip link, and titles every page", async () => {
    const { page, context } = await site.open({ viewport: DESKTOP });
    await page.goto("/aboutus");
    await page.getByRole("heading", { level: 1, name: "About Us" }).waitFor();
    expect(await page.title()).toBe("About Us · Ember");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to content");
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("main");
    await page.getByRole("link", { name: "Support" }).click();
    await page.getByRole("heading", { level: 1, name: "Support" }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("main");
    expect(await page.title()).toBe("Support · Ember");
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "About Us" }).waitFor();
    await context.close();
  });
});

it("asks a member of Ember who visits Harbor about sharing on Harbor, not on Ember", async () => {
  const member = await makeMember(site, { sharingUndecided: true });
  const { page, context } = await site.open({ brand: "harbor" });
  await logIn(site, context, member, { brand: "harbor" });
  await page.goto("/");
  await page.getByRole("checkbox", { name: /Harbor/ }).check();
  expect(await page.getByRole("checkbox", { name: /Ember/ }).count()).toBe(0);
  await page.getByRole("button", { name: "Only on Ember" }).waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("checkbox", { name: /Harbor/ }).waitFor({ state: "detached" });
  expect(await site.sql("select shared_on from profile where id = ?", member.id)).toEqual([
    { shared_on: getBrand("ember").bit | getBrand("harbor").bit },
  ]);
  await context.close();
});

it("keeps the keyboard focus in the list when a row is deleted", async () => {
  const member = await makeMember(site);
  const now = Date.now();
  await site.sql(
    "insert into notification (profile_id, kind, body_text, brand, ts_created) values (?1, 'game', 'First', 'ember', ?2), (?1, 'game', 'Second', 'ember', ?2 - 1)",
    ...[member.id, now],
  );
  const { page, context } = await site.open({ viewport: DESKTOP });
  await logIn(site, context, member);
  // The code that restores the focus loads after everything else.
  const late = page.waitForResponse(/LateServices/);
  await page.goto("/notifications");
  await (await late).finished();
  await page.evaluate(() => new Promise((done) => requestIdleCallback(() => requestIdleCallback(done))));
  const remove = page.getByRole("button", { name: "Delete" });
  await remove.first().press("Enter");
  await expect.poll(() => remove.count()).toBe(1);
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest("main") !== null)).toBe(true);
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("BUTTON");
  await context.close();
});

describe("guards", () => {
  it("redirect visitors to login, and show members a 404 for the dashboard", async () => {
    const { page, context } = await site.open();
    await page.goto("/search/tile");
    await page.waitForURL("**/login");
    await page.goto("/dashboard");
    await page.waitForURL("**/login");
    await logIn(site, context, await makeMember(site));
    await page.goto("/dashboard");
    await page.getByText("Well, this is embarrassing. The feature you requested was not found.").waitFor();
    await page.getByRole("main").getByRole("link", { name: "Home" }).click();
    await page.waitForURL((url) => url.pathname === "/");
    await context.close();
  });
});

describe("failed responses", () => {
  it("a 5xx replaces the title for 10 s", async () => {
    const member = await makeMember(site);
    const { page, context } = await site.open({ viewport: PHONE });
    await logIn(site, context, member);
    await page.clock.install();
    await page.goto("/contactus");
    await page.route("**/trpc/contact.send*", (route) => route.fulfill({ status: 503, body: "down" }));
    await page.getByLabel("Full name").fill("Zoë");
    await page.getByRole("button", { name: "Submit" }).click();
    await page.getByRole("heading", { level: 1, name: SERVER_ERROR_TITLE }).waitFor();
    await page.getByText("Message sending failed, please try again another time.", { exact: true }).waitFor();
    await page.clock.fastForward(10_100);
    await page.getByRole("heading", { level: 1, name: "Contact Us" }).waitFor();
    await context.close();
  });

  it("a 401 ends the session on this device and redirects to login", async () => {
    const member = await makeMember(site);
    const { page, context } = await site.open();
    await logIn(site, context, member);
    await page.goto("/settings#login");
    await page.getByLabel("Real name").waitFor();
    await site.sql("delete from session where account_id = ?", member.id);
    // Any request may be the first to receive the 401: this one, or a background request of the page.
    const redirected = page.waitForURL("**/login");
    await page.evaluate(() => document.querySelector<HTMLButtonElement>("button[type=submit]")?.click());
    await redirected;
    await page.getByText("You're logged out here. Log in to pick up where you left off.").waitFor();
    expect(await page.evaluate(() => document.cookie)).not.toContain("logged_in");
    await context.close();
  });

  it("every request carries its start time", async () => {
    const { page, context } = await site.open();
    await logIn(site, context, await makeMember(site));
    const starts: (string | undefined)[] = [];
    page.on("request", (request) => {
      if (new URL(request.url()).pathname.startsWith("/trpc/")) starts.push(request.headers()["x-request-start"]);
    });
    await page.goto("/");
    await page.getByRole("heading", { name: "Hello, Marco." }).waitFor();
    expect(starts.length).toBeGreaterThan(0);
    for (const start of starts) expect(Math.abs(Number(start) - Date.now())).toBeLessThan(60_000);
    await context.close();
  });
});

/** Lets pages say that the site closes, as the worker writes it into them. */
async function closeSite(page: Page): Promise<void> {
  await page.route("**/*", async (route) => {
    const request = route.request();
    if (request.resourceType() !== "document" || request.method() !== "GET") return route.fallback();
    const url = request.url();
    const response = await route.fetch({ url: url.replace(/\/\/[^:]+:/, "//localhost:") });
    const body = (await response.text()).replace("<html ", '<html data-closing="2026-12-31" ');
    await route.fulfill({ response, body });
  });
}

it("a site that closes says so to visitors, members and admins on every page, in a line that stays, and one downloads", {
  tags: "slow",
}, async () => {
  const { page, context } = await site.open({ viewport: PHONE });
  await closeSite(page);
  await page.goto("/");
  await page.getByText("This site closes on December 31, 2026. Then everything is erased.").waitFor();
  expect(await page.getByRole("link", { name: "Download my data" }).count()).toBe(0);
  await logIn(site, context, await makeMember(site), { freshProof: true });
  await page.goto("/welcome");
  await page.getByText("This site closes on December 31, 2026.").waitFor();
  await page.goto("/search/tile");
  await page.getByRole("link", { name: "Download my data" }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole("link", { name: "Download my data" }).click();
  await page.getByRole("button", { name: "Download my data" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("dialog").getByRole("button", { name: "Download" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.zip$/);
  await context.close();

  const spanish = await site.open({ viewport: DESKTOP, locale: "es-ES" });
  await closeSite(spanish.page);
  await logIn(site, spanish.context, await makeMember(site, { name: "Paco" }));
  await spanish.page.goto("/messages");
  await spanish.page.getByText("Este sitio cierra el 31 de diciembre de 2026. Entonces se borra todo.").waitFor();
  await spanish.context.close();

  const desk = await site.open({ viewport: DESKTOP });
  await closeSite(desk.page);
  await logIn(site, desk.context, await makeMember(site, { name: "Admin", admin: true }));
  await desk.page.goto("/dashboard");
  await desk.page.getByText("This site closes on December 31, 2026.").waitFor();
  await desk.page.getByRole("link", { name: "Download my data" }).waitFor();
  await desk.context.close();
});
