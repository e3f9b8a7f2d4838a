import { HOUR_MS, MEET_PLAN_BYTES, MEET_POLL_MS, MEET_POSITION_BYTES } from "@lambda/contract/limits";
import { NOTIFICATION_KINDS } from "@lambda/contract/notification-kinds";
import { type PushService, startPushService } from "@lambda/testing/push-service";
import { findBarriers } from "@lambda/ui/barriers";
import type { Locator, Page, Route } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseFragment } from "../src/features/messaging/meets/plan-text.ts";
import { makeLink, makeToken, pinToken, readerToken, seal } from "../src/features/messaging/meets/sealing.ts";
import { readStored, readStoredTexts } from "./chat-storage.ts";
import { type BrowserMember, makeMember } from "./members.ts";
import { LONG_TIMEOUT } from "./page-actions.ts";
import { BERLIN, openRestartableSite, type RestartableSite } from "./restartable-site.ts";

let site: RestartableSite;
let push: PushService;
let maker: BrowserMember;
let other: BrowserMember;

beforeAll(async () => {
  [site, push] = await Promise.all([openRestartableSite(), startPushService()]);
  maker = await makeMember(site, { name: "Ansel" });
  other = await makeMember(site, { name: "Marco" });
});
afterAll(async () => {
  push.close();
  await site.close();
});

interface Times {
  readonly runsMs: number;
  readonly graceMs: number;
}

/** Opens the sheet and fills in its texts. */
async function openForm(page: Page): Promise<Locator> {
  await page.goto(`/chat/personal?with=${other.id}`);
  await reopenForm(page);
  const sheet = page.getByRole("dialog");
  expect(await sheet.getByLabel("Who you are meeting").inputValue()).toBe("Marco");
  await sheet.getByRole("textbox", { name: "Where" }).fill("Bar Central, back room");
  await sheet.getByLabel("What your friend should know").fill("The word is marmalade");
  await sheet.getByLabel("In which country").selectOption("ES");
  return sheet;
}

async function reopenForm(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Action" }).click();
  await page.getByRole("menuitem", { name: "Meet safely" }).click();
}

async function fillPins(sheet: Locator): Promise<void> {
  await sheet.getByLabel("PIN: I am fine").fill("2468");
  await sheet.getByLabel("Second PIN: help me").fill("1357");
}

/** Fills in the sheet as a member does; rewrites the request, because the screens offer only hours. */
async function makePlan(page: Page, times: Times, positions = false): Promise<string> {
  const sent: string[] = [];
  await page.route(/meets\.create/, async (route) => {
    const body = route.request().postDataJSON() as Record<string, object>;
    sent.push(JSON.stringify(body));
    await route.continue({ postData: JSON.stringify({ 0: { ...body[0], ...times } }) });
  });
  const sheet = await openForm(page);
  await fillPins(sheet);
  if (positions) await sheet.getByLabel("Add my position every five minutes").check();
  expect(await findBarriers(page)).toEqual([]);
  await sheet.getByRole("button", { name: "Make the plan" }).click();
  await sheet.getByRole("heading", { name: "Now send the link" }).waitFor();
  expect(sent.join()).not.toMatch(/Marco|Central|marmalade|2468|1357/);
  await page.unroute(/meets\.create/);
  const link = (await sheet.getByText(/\/meet\//).textContent()) ?? "";
  await sheet.getByRole("button", { name: "Done" }).click();
  return link;
}

const answerPlan = async (page: Page, pin: string) => {
  await page.getByRole("complementary", { name: "Your plan" }).getByRole("button", { name: "Answer" }).click();
  await fillPin(page, pin);
};
const fillPin = async (page: Page, pin: string) => {
  await page.getByRole("dialog").getByLabel("Your PIN").fill(pin);
  await page.getByRole("dialog").getByRole("button", { name: "I am fine" }).click();
};

it("raises the alarm for the friend although the server was killed and the maker's phone is off, and accepts a late answer", {
  tags: "slow",
}, async () => {
  const mine = await site.open(maker, { geolocation: BERLIN });
  const theirs = await site.open();
  const positioned = mine.page.waitForResponse(/meets\.addPosition/);
  // From here until the server is killed, the plan must not run out.
  const link = await makePlan(mine.page, { runsMs: 24_000, graceMs: 2000 }, true);
  await mine.page.getByRole("complementary", { name: "Your plan" }).waitFor();
  await theirs.page.goto(link);
  await theirs.page.getByRole("heading", { name: "Nothing to do now" }).waitFor();
  expect(new URL(theirs.page.url()).hash).toBe("");
  expect(await theirs.page.content()).not.toMatch(/Ember|Marco|Central|marmalade/);
  // Subscribes a device that can only be woken by push.
  const id = new URL(link).pathname.split("/")[2]!;
  const secret = parseFragment(new URL(link).hash)!.secret;
  const { subscription, ...phone } = push.createDevice("friend");
  const device = {
    endpoint: subscription.endpoint,
    auth_base64: subscription.auth_base64,
    p256dh_base64: subscription.p256dh_base64,
  };
  const subscribed = await theirs.page.evaluate(
    async (body) =>
      (await fetch("/api/meet/subscribe", { method: "POST", headers: { "content-type": "application/json" }, body }))
        .status,
    JSON.stringify({ id, reader: await readerToken({ id, secret }), device: { ...device, locale: "en" } }),
  );
  expect(subscribed).toBe(200);
  await positioned;

  expect(push.received).toEqual([]);
  await site.kill();
  await mine.page.goto("about:blank");
  await site.start();
  // The Durable Object's alarm wakes the friend's device without any request.
  expect(phone.decrypt((await push.waitForPush(phone.path)).body)).toEqual({
    title: "A plan",
    body: "Please open the page now.",
  });
  await theirs.page.getByRole("heading", { name: "Please act now" }).waitFor({ timeout: 40_000 });
  for (const text of ["Marco", "Bar Central, back room", "The word is marmalade", "52.51234,13.41234"])
    await theirs.page.getByText(text).waitFor();
  expect(await theirs.page.getByRole("link", { name: "Emergency 112" }).getAttribute("href")).toBe("tel:112");
  expect(await findBarriers(theirs.page)).toEqual([]);

  // Where the reminder leads.
  await mine.page.goto(NOTIFICATION_KINDS.plan.url);
  await mine.page.getByText("Your friend's page is open. Are you fine?").waitFor();
  await fillPin(mine.page, "2468");
  expect(new URL(mine.page.url()).hash).toBe("");
  await mine.page.getByText("Good. The plan has ended.").first().waitFor();
  await theirs.page.reload();
  await theirs.page.getByRole("heading", { name: "They have answered" }).waitFor();
  expect(await theirs.page.content()).not.toMatch(/Marco|marmalade/);
  await Promise.all([mine.context.close(), theirs.context.close()]);
});

it("raises the alarm silently by the second PIN, and lets the maker end a plan from the link when the phone is lost", {
  tags: "slow",
}, async () => {
  const mine = await site.open(maker, { geolocation: BERLIN });
  const times = { runsMs: 3_600_000, graceMs: 600_000 };
  const forcedLink = await makePlan(mine.page, times);
  const theirs = await site.open();
  // The Wi-Fi of a hotel answers everything with its login page at first.
  await theirs.page.clock.install();
  await theirs.page.route(/\/api\/meet\/read/, (route) =>
    route.fulfill({ contentType: "text/html", body: "<h1>Welcome</h1>" }),
  );
  await theirs.page.goto(forcedLink);
  await theirs.page.getByText("No connection. This page tries again by itself.").waitFor();
  await theirs.page.unroute(/\/api\/meet\/read/);
  await theirs.page.clock.fastForward(MEET_POLL_MS);
  await theirs.page.getByRole("heading", { name: "Nothing to do now" }).waitFor();
  await mine.page.getByRole("complementary", { name: "Your plan" }).waitFor();
  for (const { page } of [mine, theirs]) expect(await findBarriers(page)).toEqual([]);
  await answerPlan(mine.page, "9999");
  await mine.page.getByText("That is not the PIN. Tries left: 4.").waitFor();
  await mine.page.getByRole("dialog").getByLabel("Your PIN").fill("1357");
  await mine.page.getByRole("dialog").getByRole("button", { name: "I am fine" }).click();
  await mine.page.getByText("Good. The plan has ended.").first().waitFor();
  expect(await mine.page.getByRole("complementary", { name: "Your plan" }).count()).toBe(0);
  expect(await readStored(mine.page, "plan")).toBeNull();
  await theirs.page.reload();
  await theirs.page.getByRole("heading", { name: "Please act now" }).waitFor();
  await theirs.page.getByText("in a way that nobody with them can see").waitFor();

  const lostPhoneLink = await makePlan(mine.page, times);
  const elsewhere = await site.open();
  await elsewhere.page.goto(lostPhoneLink);
  await elsewhere.page.getByText("This is my own plan").click();
  await elsewhere.page.getByLabel("PIN", { exact: true }).fill("11l1");
  await elsewhere.page.getByRole("button", { name: "I am fine" }).click();
  await elsewhere.page.getByText("Only digits belong here, and “l” (U+006C) is none.").waitFor();
  await elsewhere.page.getByLabel("PIN", { exact: true }).fill("1111");
  await elsewhere.page.getByRole("button", { name: "I am fine" }).click();
  await elsewhere.page.getByText("Tries left: 4").waitFor();
  await elsewhere.page.getByLabel("PIN", { exact: true }).fill(" ２４ - ٦٨.");
  await elsewhere.page.getByRole("button", { name: "I am fine" }).click();
  await elsewhere.page.getByRole("heading", { name: "All is well" }).waitFor();
  await theirs.page.goto(lostPhoneLink);
  await theirs.page.getByRole("heading", { name: "This plan is over" }).waitFor();
  await mine.page.reload();
  await mine.page.getByRole("textbox", { name: "Message" }).waitFor();
  await expect.poll(() => mine.page.getByRole("complementary", { name: "Your plan" }).count()).toBe(0);
  // A messenger escaped the #. The page reads the secret from the path, and removes it there.
  const escaped = await site.open();
  await escaped.page.goto(lostPhoneLink.replace("#", "%23"));
  await escaped.page.getByRole("heading", { name: "This plan is over" }).waitFor();
  expect(new URL(escaped.page.url()).pathname).toBe(new URL(lostPhoneLink).pathname);
  const truncated = await site.open();
  await truncated.page.goto(lostPhoneLink.slice(0, -12));
  await truncated.page.getByRole("heading", { name: "This link is not complete" }).waitFor();
  await truncated.page.goto(lostPhoneLink);
  await truncated.page.getByRole("heading", { name: "This plan is over" }).waitFor();
  await Promise.all([mine, theirs, elsewhere, escaped, truncated].map(({ context }) => context.close()));
});

it("leaves alone what is read and typed when a position arrives, and shows no alarm after either PIN", {
  tags: "slow",
}, async () => {
  const { page, context } = await site.open();
  const link = await makeLink(makeToken());
  const point = (lat: number) => seal(link, "position", { lat, lon: 13 }, MEET_POSITION_BYTES);
  const [now, hour] = [Date.now(), HOUR_MS];
  const raised = {
    ...{ state: "raised", reason: "silence", now, raisedAt: now, erasedAt: now + hour },
    plan: await seal(link, "plan", { me: "Ansel", who: "", where: "Bar", country: "", note: "" }, MEET_PLAN_BYTES),
    positions: [{ ts: now, position: await point(52) }],
  };
  let answer: object = raised;
  const reads: (() => void)[] = [];
  const replyTo = (route: Route) => route.fulfill({ json: { answer, country: null } }).catch(() => undefined);
  await page.route("**/api/meet/read", (route) => replyTo(route));
  await page.goto(`/meet/${link.id}#${link.secret}`);
  await page.getByRole("heading", { name: "Please act now" }).waitFor();
  await page.getByText("This is my own plan").click();
  const pin = page.getByLabel("PIN", { exact: true });
  await pin.fill("13");
  answer = { ...raised, positions: [...raised.positions, { ts: now + 1, position: await point(53) }] };
  await page.evaluate("dispatchEvent(new Event('online'))");
  await page.getByText("53.00000,13.00000").waitFor();
  expect(await pin.evaluate((field: HTMLInputElement) => [field.value, field === document.activeElement])).toEqual([
    "13",
    true,
  ]);

  // A PIN that others of the network held up is no answer, and the page goes on asking.
  await page.route("**/api/meet/answer", (route) => route.fulfill({ status: 429, json: {} }), { times: 1 });
  await pin.fill("1357");
  await page.getByRole("button", { name: "I am fine" }).click();
  await page.getByText("Too many tries. Wait a minute, then press again.").waitFor();
  answer = { ...raised, positions: [{ ts: now + 2, position: await point(54) }] };
  await page.evaluate("dispatchEvent(new Event('online'))");
  await page.getByText("54.00000,13.00000").waitFor();

  await page.unroute("**/api/meet/read");
  await page.route("**/api/meet/read", (route) => void reads.push(() => void replyTo(route)));
  await page.route("**/api/meet/answer", (route) => route.fulfill({ json: { accepted: true } }));
  await page.evaluate("dispatchEvent(new Event('online'))");
  await expect.poll(() => reads.length).toBe(1);
  await pin.fill("1357");
  await page.getByRole("button", { name: "I am fine" }).click();
  await page.getByRole("heading", { name: "All is well" }).waitFor();
  answer = { ...raised, reason: "pin" };
  for (const reply of reads) reply();
  await page.evaluate("dispatchEvent(new Event('online'))");
  // A call of the page's own, which is answered after those.
  await page.evaluate("fetch('/version_frontend.json').then(() => new Promise((done) => setTimeout(done, 200)))");
  expect(await page.getByRole("heading").allTextContents()).toEqual(["All is well"]);
  expect(await page.title()).toBe("A plan");
  await context.close();
});

it("tells a friend that the device will be notified only once the server has it and the link is kept, whatever the site's own pushes", async () => {
  const { page, context } = await site.open();
  const link = await makeLink(makeToken());
  await page.addInitScript(stubRegistrations, link.id);
  const now = Date.now();
  const answer = { state: "waiting", now, deadline: now + HOUR_MS, alarmAt: now + 2 * HOUR_MS };
  await page.route("**/api/meet/read", (route) => route.fulfill({ json: { answer, country: null } }));
  await page.route("**/api/meet/subscribe", (route) => route.fulfill({ status: 503 }));
  await page.goto(`/meet/${link.id}#${link.secret}`);
  await page.getByRole("button", { name: "Tell me on this device when it opens" }).click();
  await page.getByText("This browser cannot receive notifications.").waitFor();
  const stored = () => page.evaluate((name) => localStorage.getItem(name), `meet:${link.id}`);
  expect(await stored()).toBeNull();
  await page.route("**/api/meet/subscribe", (route) => route.fulfill({ json: {} }));
  await page.reload();
  await page.getByText("This device will be notified.").waitFor();
  expect(await stored()).toContain(link.secret);
  await context.close();
});

/** A browser that has a subscription of the site's own worker, and one of the plan's once the page makes it. */
function stubRegistrations(id: string) {
  const registration = (scope: string, name: string) => ({
    scope: location.origin + scope,
    active: {},
    pushManager: {
      getSubscription: async () => (name in sessionStorage ? subscription : null),
      subscribe: async () => {
        sessionStorage.setItem(name, "");
        return subscription;
      },
    },
  });
  const subscription = { endpoint: "https://push.test/a", toJSON: () => ({ keys: { auth: "a", p256dh: "p" } }) };
  sessionStorage.setItem("of the site", "");
  const [ofSite, ofPlan] = [registration("/", "of the site"), registration(`/meet/${id}`, "of the plan")];
  const serviceWorker = {
    getRegistration: async () => ("of the plan" in sessionStorage ? ofPlan : ofSite),
    register: async () => ofPlan,
    addEventListener: () => undefined,
  };
  Object.defineProperty(navigator, "serviceWorker", { value: serviceWorker });
  Notification.requestPermission = async () => "granted";
}

it("does not go on saying that the alarm is raised because the device's clock was set ahead", {
  tags: "slow",
}, async () => {
  const { page, context } = await site.open(maker, { geolocation: BERLIN });
  await makePlan(page, { runsMs: 7_200_000, graceMs: 600_000 });
  const bar = page.getByRole("complementary", { name: "Your plan" });
  const text = await bar.innerText();
  const asked = page.waitForRequest(/meets\.status/);
  await page.evaluate(() => {
    const dateNow = Date.now;
    Date.now = () => dateNow() + 2 * 86_400_000;
  });
  await asked;
  await expect.poll(() => bar.innerText()).toBe(text);
  await context.close();
});

it("does not say that the alarm is raised by a clock that was set ahead without a connection, until it can ask", {
  tags: "slow",
}, async () => {
  const { page, context } = await site.open(maker, { geolocation: BERLIN });
  await makePlan(page, { runsMs: 7_200_000, graceMs: 600_000 });
  const bar = page.getByRole("complementary", { name: "Your plan" });
  const text = await bar.innerText();
  await context.setOffline(true);
  await page.evaluate(() => {
    const dateNow = Date.now;
    Date.now = () => dateNow() + 2 * 86_400_000;
  });
  await bar.getByText("Without a connection this phone cannot check the plan.").waitFor();
  expect(await bar.innerText()).not.toContain("Your friend's page is open");
  await context.setOffline(false);
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect.poll(() => bar.innerText(), LONG_TIMEOUT).toBe(text);
  await context.close();
});

it("does not claim to know of a plan that ended elsewhere while the phone slept, and drops it once it can ask", {
  tags: "slow",
}, async () => {
  const { page, context } = await site.open(maker);
  await page.clock.install();
  const link = await makePlan(page, { runsMs: 2 * HOUR_MS, graceMs: 600_000 });
  const plan = { id: new URL(link).pathname.split("/")[2]!, secret: parseFragment(new URL(link).hash)!.secret };
  const bar = page.getByRole("complementary", { name: "Your plan" });
  await bar.getByText(/^Back by [^.]+ · (?:1 phone will ring|No phone)/).waitFor();
  const answer = { pin: await pinToken(plan, "2468"), act: { type: "fine" } };
  const ended = await fetch(`http://localhost:${site.port}/api/meet/answer`, {
    method: "POST",
    headers: { origin: `http://localhost:${site.port}`, "content-type": "application/json" },
    body: JSON.stringify({ id: plan.id, reader: await readerToken(plan), ...answer }),
  });
  expect(ended.status).toBe(200);
  await context.setOffline(true);
  await page.clock.fastForward(HOUR_MS);
  await bar.getByText(/^Back by .* cannot check whether the plan still runs\.$/).waitFor();
  await page.clock.fastForward(HOUR_MS);
  await bar.getByText(/Without an answer your friend's page opens at .* cannot check the plan\.$/).waitFor();
  await context.setOffline(false);
  await bar.waitFor({ state: "detached" });
  await context.close();
});

it("makes a plan without a position that never comes, and nothing of a plan whose form was closed", {
  tags: "slow",
}, async () => {
  const { page, context } = await site.open(maker);
  await page.addInitScript(() => {
    const late: (() => void)[] = [];
    const coords = { latitude: 52.5, longitude: 13.4 };
    navigator.geolocation.getCurrentPosition = (found) => late.push(() => found({ coords } as GeolocationPosition));
    Object.assign(window, { answerLate: () => late.splice(0).map((answer) => answer()) });
  });
  const answerLate = () => page.evaluate("answerLate()");
  const created: string[] = [];
  page.on("request", (request) => request.url().includes("meets.create") && created.push(request.url()));
  await page.clock.install();
  const sheet = await openForm(page);
  await fillPins(sheet);
  await sheet.getByLabel("Add where I am now").check();
  const make = sheet.getByRole("button", { name: "Make the plan" });
  await make.click();
  await sheet.getByText("Looking for where you are ...").waitFor();
  await sheet.getByRole("button", { name: "Close" }).click();
  await answerLate();

  // The texts are still there; the PINs are not. Closed again while the call is on its way, the plan is withdrawn.
  await reopenForm(page);
  await expect.poll(() => sheet.getByLabel("What your friend should know").inputValue()).toBe("The word is marmalade");
  expect(await sheet.getByLabel("PIN: I am fine").inputValue()).toBe("");
  expect(created).toEqual([]);
  await fillPins(sheet);
  await sheet.getByLabel("Add where I am now").uncheck();
  const held = Promise.withResolvers<void>();
  await page.route(/meets\.create/, (route) => held.promise.then(() => route.continue().catch(() => undefined)));
  const sending = page.waitForRequest(/meets\.create/);
  await make.click();
  const abandoned = ((await sending).postDataJSON() as Record<string, { id: string }>)[0]?.id;
  const withdrawn = page.waitForRequest(/meets\.answer/);
  await sheet.getByRole("button", { name: "Close" }).click();
  expect((await withdrawn).postData()).toContain(abandoned);
  held.resolve();
  await page.unroute(/meets\.create/);

  await reopenForm(page);
  await fillPins(sheet);
  await sheet.getByLabel("Add where I am now").check();
  await make.click();
  await sheet.getByText("Looking for where you are ...").waitFor();
  await page.clock.fastForward(20_000);
  await sheet.getByRole("heading", { name: "Now send the link" }).waitFor();
  await sheet.getByText("Your position could not be found. The plan was made without it.").waitFor();
  const [plan] = await readStoredTexts(page, "plan");
  await answerLate();
  await sheet.getByRole("button", { name: "Done" }).click();
  await answerPlan(page, "2468");
  await page.getByText("Good. The plan has ended.").first().waitFor();
  expect(plan).not.toContain(abandoned);
  expect(created).toHaveLength(2);
  await context.close();
});

it("tells maker and friend what happened while their devices slept past the deadline", { tags: "slow" }, async () => {
  const [mine, theirs] = [await site.open(maker), await site.open()];
  // A paused script hears no timer, answer or event, like one on a phone that sleeps.
  const fallAsleep = async ({ context, page }: typeof mine) => {
    const phone = await context.newCDPSession(page);
    await phone.send("Debugger.enable");
    const asleep = new Promise((resolve) => phone.once("Debugger.paused", resolve));
    await phone.send("Debugger.pause");
    await asleep;
    return async () => {
      await phone.send("Debugger.disable");
      await phone.detach();
    };
  };
  const link = await makePlan(mine.page, { runsMs: 20_000, graceMs: 2000 });
  const id = new URL(link).pathname.split("/")[2]!;
  const reader = await readerToken({ id, secret: parseFragment(new URL(link).hash)!.secret });
  await theirs.page.goto(link);
  await theirs.page.getByRole("heading", { name: "Nothing to do now" }).waitFor();
  const wake = await Promise.all([mine, theirs].map(fallAsleep));
  const whileAsleep: string[] = [];
  for (const { page } of [mine, theirs]) page.on("request", (request) => whileAsleep.push(request.url()));
  const origin = `http://localhost:${site.port}`;
  const headers = { origin, "content-type": "application/json" };
  const readState = async () =>
    (await fetch(`${origin}/api/meet/read`, { method: "POST", headers, body: JSON.stringify({ id, reader }) })).text();
  await expect.poll(readState, { ...LONG_TIMEOUT, interval: 1000 }).toContain("raised");
  expect(whileAsleep).toEqual([]);
  await Promise.all(wake.map((end) => end()));
  await theirs.page.getByRole("heading", { name: "Please act now" }).waitFor();
  const bar = mine.page.getByRole("complementary", { name: "Your plan" });
  await bar.getByText("Your friend's page is open. Are you fine?").waitFor();

  await answerPlan(mine.page, "2468");
  await mine.page.getByText("Good. The plan has ended.").first().waitFor();
  await theirs.page.reload();
  await theirs.page.getByRole("heading", { name: "They have answered" }).waitFor();
  await Promise.all([mine, theirs].map(({ context }) => context.close()));
});

it("runs by the server's clock, however wrong that of the maker's phone is", { tags: "slow" }, async () => {
  const { page, context } = await site.open(maker);
  const setClock = (hours: number) => page.clock.setSystemTime(Date.now() + hours * HOUR_MS);
  await page.clock.install();
  await setClock(3);
  const link = await makePlan(page, { runsMs: 2 * HOUR_MS, graceMs: 600_000 });
  const id = new URL(link).pathname.split("/")[2]!;
  const reader = await readerToken({ id, secret: parseFragment(new URL(link).hash)!.secret });
  const readDeadline = () =>
    page.evaluate(async (body) => {
      const init = { method: "POST", headers: { "content-type": "application/json" }, body };
      return (await (await fetch("/api/meet/read", init)).json()).answer.deadline as number;
    }, JSON.stringify({ id, reader }));
  const first = await readDeadline();
  const bar = page.getByRole("complementary", { name: "Your plan" });
  for (const [at, hours] of [3, -3, 48, -48].entries()) {
    await setClock(hours);
    await page.reload();
    await bar.getByText(/^Back by/).waitFor();
    await bar.getByRole("button", { name: "Answer" }).click();
    await page.getByRole("dialog").getByLabel("Your PIN").fill("2468");
    await page.getByRole("dialog").getByRole("button", { name: "One more hour" }).click();
    await page
      .getByText(/^Good. You have time until/)
      .first()
      .waitFor();
    expect(await readDeadline()).toBe(first + (at + 1) * HOUR_MS);
  }
  await answerPlan(page, "2468");
  await page.getByText("Good. The plan has ended.").first().waitFor();
  await context.close();
});
