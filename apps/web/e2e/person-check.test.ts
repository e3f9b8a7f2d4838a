import { DAY_MS } from "@lambda/contract/limits";
import { DESKTOP, openSite, PHONE, type TestSite } from "@lambda/testing/browser";
import { createCrowd, proveJudges, standAt } from "@lambda/testing/judges";
import { insertMember } from "@lambda/testing/members";
import { makePng } from "@lambda/testing/png";
import { findBarriers } from "@lambda/ui/barriers";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { apiFor, type BrowserMember, logIn, makeMember } from "./members.ts";
import { makeNearby, newPlace } from "./nearby.ts";
import { LONG_TIMEOUT } from "./page-actions.ts";

let site: TestSite;
let judges: BrowserMember[];

/** In every ocean of these tests it is far away. */
const FAR = { lat: 40.4, lon: -3.7 };

beforeAll(async () => {
  site = await openSite();
  judges = [];
  for (let week = 0; week < 5; week += 1)
    judges.push(await insertMember(site.run, { brand: "harbor", created: Date.now() - (40 + 7 * week) * DAY_MS }));
  const ids = judges.map(({ id }) => id);
  await site.run(...proveJudges(ids, FAR));
  await createCrowd(site);
});

async function makePictured(name: string): Promise<BrowserMember> {
  const member = await makeNearby(site, newPlace(), name);
  const api = await apiFor(site, member);
  await api.upload(makePng(300, 400));
  await api.upload(makePng(320, 400));
  return member;
}

/** Plays the minute with the browser's false camera. */
async function pose(page: Page): Promise<void> {
  await page.goto("/checked");
  await page.getByRole("button", { name: "I have paper and pen" }).click();
  await page.getByText(/^Write \d{4} on the paper/).waitFor();
  await page.getByRole("timer").waitFor();
  for (const still of [1, 2, 3]) await page.getByRole("button", { name: `Take still ${still} of 3` }).click();
}

it("a man poses before his camera, a judge elsewhere sees him for seconds, and others see the badge and search by it", {
  tags: "slow",
}, async () => {
  const ansel = await makePictured("Ansel");
  const mine = await site.open({ viewport: PHONE });
  await logIn(site, mine.context, ansel);
  await mine.page.goto("/profileEdit");
  await mine.page.getByRole("link", { name: "Show that it's you" }).click();
  await mine.page.getByText("That doesn't prove a name").waitFor();
  expect(await findBarriers(mine.page)).toEqual([]);
  await pose(mine.page);
  await mine.page.getByText(/^Guys elsewhere are comparing/).waitFor();
  expect(await site.sql("select audience from picture where audience = 'once'")).toHaveLength(3);

  const [judge, ...others] = judges;
  await site.sql("update person_check set answers_needed = 5");
  for (const { id } of others.slice(1))
    await site.sql("update person_check_seat set answer = 'him' where judge_id = ?", id);
  const theirs = await site.open({ viewport: { ...PHONE, height: 664 }, brand: "harbor" });
  await logIn(site, theirs.context, judge!, { brand: "harbor" });
  await theirs.page.goto(site.url("/games/ishim", "harbor"));
  await theirs.page.getByText(/^He was asked to hold the number \d{4}/).waitFor();
  expect(await theirs.page.getByText("Ansel").count()).toBe(0);
  const isHim = theirs.page.getByRole("button", { name: /^It's him, in that pose/ });
  expect(await isHim.isDisabled()).toBe(true);
  const answersFit = async () => {
    const lowest = await theirs.page.getByRole("button", { name: "I can't tell" }).boundingBox();
    const bar = await theirs.page.getByRole("link", { name: "Tiles" }).boundingBox();
    expect(lowest!.y + lowest!.height).toBeLessThan(bar!.y);
  };
  await answersFit();
  await theirs.page.getByRole("button", { name: "Show the three pairs" }).click();
  await theirs.page.getByText("Pair 1 of 3").waitFor();
  expect(await findBarriers(theirs.page)).toEqual([]);
  await theirs.page.getByText("Seen. What do you say?").waitFor();
  expect(await theirs.page.locator("img[src*=ishim]").count()).toBe(0);
  await answersFit();
  await isHim.click();
  await expect.poll(() => site.sql("select state from person_check")).toEqual([{ state: "him" }]);
  await expect.poll(() => site.sql("select id from picture where audience = 'once'")).toEqual([]);

  await mine.page.goto("/checked");
  await mine.page.getByText(/^Checked in /).waitFor();
  const viewer = await makeMember(site, { name: "Bruno" });
  const place = await site.sql<{ key: number }>("select key from position where profile_id = ?", ansel.id);
  await site.run(standAt(viewer.id, FAR));
  await site.sql("update position set key = ? where profile_id = ?", place[0]!.key, viewer.id);
  const seen = await site.open({ viewport: PHONE });
  await logIn(site, seen.context, viewer);
  await seen.page.goto("/search/tile?checked=1");
  await seen.page.getByRole("link", { name: /^Ansel.*checked$/ }).click();
  const badge = seen.page.getByText(/^Checked in /);
  await badge.click();
  await seen.page.getByText("That doesn't prove a name").waitFor();
  expect(await findBarriers(seen.page)).toEqual([]);
  await seen.page.goto("/settings#first");
  await seen.page.getByRole("switch", { name: /^Checked men only/ }).click();
  await expect
    .poll(() =>
      site.sql("select preferences ->> '$.firstContact.checkedOnly' as only from account where id = ?", viewer.id),
    )
    .toEqual([{ only: 1 }]);
  expect([...mine.errors, ...theirs.errors, ...seen.errors]).toEqual([]);
});

it("staff decide what a judge reports, and the stills go with their verdict", { tags: "slow" }, async () => {
  const carlo = await makePictured("Carlo");
  const mine = await site.open({ viewport: PHONE, locale: "es-ES" });
  await logIn(site, mine.context, carlo);
  const english = await site.open({ viewport: PHONE });
  await logIn(site, english.context, carlo);
  await pose(english.page);
  await english.page.getByText(/^Guys elsewhere are comparing/).waitFor();
  const theirs = await site.open({ viewport: PHONE, brand: "harbor" });
  await logIn(site, theirs.context, judges[1]!, { brand: "harbor" });
  await theirs.page.goto(site.url("/games/ishim", "harbor"));
  await theirs.page.getByRole("button", { name: "Show the three pairs" }).click();
  await theirs.page.getByRole("button", { name: "Report these pictures" }).click();
  const sheet = theirs.page.getByRole("dialog", { name: "Report Violation" });
  await sheet.getByLabel("What's wrong?").selectOption("explicit");
  expect(await findBarriers(theirs.page)).toEqual([]);
  await sheet.getByRole("button", { name: "Report", exact: true }).click();
  await theirs.page.getByText("Thank you. Your report is on its way.").first().waitFor();
  await sheet.waitFor({ state: "detached" });
  await english.page.reload();
  await english.page.getByText(/^Our staff will compare/).waitFor();
  const admin = await makeMember(site, { admin: true, name: "Admin" });
  const desk = await site.open({ viewport: DESKTOP });
  await logIn(site, desk.context, admin);
  await desk.page.goto("/dashboard?section=reviews");
  await desk.page.getByRole("img", { name: "Still 3" }).waitFor();
  await desk.page.getByRole("img", { name: "Public picture 2" }).waitFor();
  expect(await findBarriers(desk.page)).toEqual([]);
  await desk.page.getByRole("button", { name: "It's not him" }).click();
  await desk.page.getByRole("img", { name: "Still 1" }).waitFor({ state: "detached" });
  expect(await site.sql("select id from picture where audience = 'once'")).toEqual([]);
  await mine.page.goto("/checked");
  await mine.page.getByText(/^No te reconocieron/).waitFor();
  expect(await findBarriers(mine.page)).toEqual([]);
  expect([...mine.errors, ...english.errors, ...theirs.errors, ...desk.errors]).toEqual([]);
});

it("whoever leaves the pose sends nothing more, and the camera is off; one that a call takes is said to be closed", async () => {
  const dario = await makePictured("Dario");
  const { context, page, errors } = await site.open({ viewport: PHONE });
  await logIn(site, context, dario);
  await page.addInitScript(() => {
    const devices = navigator.mediaDevices;
    const open = devices.getUserMedia.bind(devices);
    devices.getUserMedia = async (wanted) => {
      const stream = await open(wanted);
      Object.assign(window, { cameraTracks: stream.getTracks() });
      return stream;
    };
  });
  let uploads = 0;
  // No upload gets an answer.
  await page.route(/\/api\/profile-pic/, async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    uploads += 1;
  });
  const failed: string[] = [];
  page.on("requestfailed", (request) => failed.push(request.method()));
  await page.goto("/checked");
  await page.getByRole("button", { name: "I have paper and pen" }).click();
  for (const still of [1, 2]) await page.getByRole("button", { name: `Take still ${still} of 3` }).click();
  // The second press comes before the still is there.
  await page.getByRole("button", { name: "Take still 3 of 3" }).evaluate((button: HTMLElement) => {
    button.click();
    button.click();
  });
  await page.getByText("Sending the stills: 0 %").waitFor();
  await expect.poll(() => uploads).toBe(3);
  await page.goBack();
  await page.getByRole("button", { name: "I have paper and pen" }).waitFor();
  await expect.poll(() => failed.filter((method) => method === "POST")).toHaveLength(3);
  const states = await page.evaluate(() =>
    (window as unknown as { cameraTracks: MediaStreamTrack[] }).cameraTracks.map(({ readyState }) => readyState),
  );
  expect(new Set(states)).toEqual(new Set(["ended"]));
  expect(await site.sql("select id from picture where audience = 'once' and profile_id = ?", dario.id)).toEqual([]);

  await page.getByRole("button", { name: "I have paper and pen" }).click();
  // Before the button can be pressed, the tracks may be those of the camera that was closed.
  await expect.poll(() => page.getByRole("button", { name: "Take still 1 of 3" }).isEnabled(), LONG_TIMEOUT).toBe(true);
  // As when a call takes it.
  await page.evaluate(() => {
    for (const track of (window as unknown as { cameraTracks: MediaStreamTrack[] }).cameraTracks)
      track.dispatchEvent(new Event("ended"));
  });
  await page.getByRole("alert").getByText("Your camera isn't open.").waitFor();
  expect(errors).toEqual([]);
});
