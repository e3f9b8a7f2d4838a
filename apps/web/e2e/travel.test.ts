/** @module-tag slow */
import { openSite, type TestSite } from "@lambda/testing/browser";
import { findBarriers } from "@lambda/ui/barriers";
import { beforeAll, expect, it } from "vitest";
import { apiFor, logIn, makeMember } from "./members.ts";
import { KAMPALA, makeNearby } from "./nearby.ts";
import { delayFirst, LONG_TIMEOUT, overtake } from "./page-actions.ts";
import { BLUE, makeQuartersPicture } from "./picture-members.ts";

const HOME = { latitude: 48.2082, longitude: 16.3738 };

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});

it("protects a member who arrives in a country that punishes, applies their choice, and reverts it when they leave", async () => {
  const local = await makeNearby(site, KAMPALA, "Okello");
  const localApi = await apiFor(site, local);
  const here = { shown: "usual", withdrawn: false, muted: false };
  await localApi.fetch("/api/travel/stay", {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(here),
  });
  const guest = await makeMember(site, { name: "Anton" });
  const explicit = await (await apiFor(site, guest)).upload(
    await makeQuartersPicture(40, 50, [BLUE, BLUE, BLUE, BLUE]),
    {
      nsfw: true,
    },
  );

  const mine = await site.open({ geolocation: { latitude: KAMPALA.lat, longitude: KAMPALA.lon } });
  await logIn(site, mine.context, guest);
  await mine.context.addInitScript((id) => {
    localStorage.getItem("geo") ?? localStorage.setItem("geo", JSON.stringify({ use: "device", override: null }));
    localStorage.setItem("geo_account", JSON.stringify(id));
  }, guest.id);
  const { page } = mine;
  await page.goto("/support");
  await page.getByRole("heading", { name: "You seem to be in or near Uganda" }).waitFor(LONG_TIMEOUT);
  expect(page.url()).toContain("/travel/here");
  const law = page.getByRole("region", { name: "What the law says there" });
  await law.getByText("Sex between men is punished: Anti-Homosexuality Act 2023").waitFor();
  expect(await findBarriers(page)).toEqual([]);

  const theirs = await site.open();
  await logIn(site, theirs.context, local);
  await theirs.page.goto("/search/tile");
  await theirs.page.getByRole("main").waitFor();
  expect((await localApi.fetch(`/api/profile/${guest.id}`)).status).toBe(404);

  await page.getByRole("radio", { name: "Others, to within about 5 km" }).check();
  await page.getByRole("button", { name: "Keep this while I am here" }).click();
  await page.getByText("Kept until you leave.").waitFor();
  await theirs.page.goto("/search/tile");
  await theirs.page.getByRole("link", { name: /^Anton/ }).waitFor();
  expect((await localApi.fetch(`/api/profile-pic/nsfw/${explicit.id}?scale_x=256`)).status).toBe(404);
  const [stored] = await site.sql<{ muted: number; pictures_withdrawn: number }>(
    "select muted, pictures_withdrawn from travel_stay where profile_id = ?",
    guest.id,
  );
  expect(stored).toEqual({ muted: 1, pictures_withdrawn: 1 });

  // The page opens by itself only once.
  await page.goto("/support");
  await page.getByRole("heading", { level: 1 }).waitFor();
  // No page of the application must notice the move before the next one opens.
  await page.goto("/notepad");
  await mine.context.setGeolocation(HOME);
  // Lets the publishing delay pass, so that the cell may move.
  await site.sql("update position set ts_published = ts_published - 3600000 where profile_id = ?", guest.id);
  await page.goto("/aboutus");
  await page.getByText("You've left Uganda. Everything's as it was before.").first().waitFor(LONG_TIMEOUT);
  expect(page.url()).toContain("/aboutus");
  expect((await localApi.fetch(`/api/profile-pic/nsfw/${explicit.id}?scale_x=256`)).status).toBe(200);
  expect(mine.errors).toEqual([]);
});

it("shows a trip to members at the destination when the traveler allows it", async () => {
  const guest = await makeMember(site, { name: "Bruno" });
  const vienna = { lat: HOME.latitude, lon: HOME.longitude };
  const host = await makeNearby(site, vienna, "Franz");
  // Who is coming is shown to markers that have stayed for three days.
  await site.sql("update position set ts_published = ts_published - 259200000 where profile_id = ?", host.id);
  const mine = await site.open();
  await logIn(site, mine.context, guest);
  await mine.context.addInitScript(
    ([id, at]) => {
      localStorage.setItem("geo_account", JSON.stringify(id));
      localStorage.setItem("lastLocation", JSON.stringify(at));
    },
    [guest.id, vienna] as const,
  );
  const { page } = mine;
  await page.goto("/travel");
  await page.getByRole("button", { name: "Plan a trip" }).click();
  const today = Date.now();
  const day = (ahead: number) => new Date(today + ahead * 86_400_000);
  const iso = (at: Date) => at.toISOString().slice(0, 10);
  await page.getByLabel("What you call it").fill("Vienna with Mother");
  await page.getByLabel("From").fill(iso(day(3)));
  await page.getByLabel("To", { exact: true }).fill(iso(day(5)));
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole("button", { name: "Add this trip" }).click();
  await page.getByText("Let guys there see you're coming?").waitFor();
  await page.getByRole("button", { name: "Yes, show it" }).click();
  await page.getByRole("switch", { name: "Guys there see it" }).waitFor();
  expect(await page.getByRole("switch").isChecked()).toBe(true);

  // A failed refetch in the background leaves what the member is typing.
  await page.getByRole("button", { name: "Plan a trip" }).click();
  await page.getByLabel("What you call it").fill("Graz with Father");
  await page.route(/\/trpc\/[^?]*travel\./, (route) => route.fulfill({ status: 403, body: "A proxy refuses this." }));
  await page.getByRole("switch").click();
  await page.getByRole("alert").waitFor();
  expect(await page.getByLabel("What you call it").inputValue()).toBe("Graz with Father");
  await page.unroute(/\/trpc\/[^?]*travel\./);
  await page.reload();

  const theirs = await site.open();
  await logIn(site, theirs.context, host);
  await theirs.page.goto("/search/tile");
  const weekday = day(3).toLocaleDateString("en", { weekday: "long", timeZone: "UTC" });
  const tile = theirs.page.getByRole("region", { name: "On their way here" }).getByRole("link", { name: /Bruno/ });
  await tile.waitFor();
  expect(await tile.getAttribute("aria-label")).toContain(`from ${weekday}`);
  await tile.click();
  await theirs.page.getByText(`Here on a trip from ${weekday}.`).waitFor();
  expect(await theirs.page.getByText("Mother").count()).toBe(0);

  await page.getByRole("button", { name: "Remove Vienna with Mother" }).click();
  await page.getByText("No trip yet.").waitFor();
  expect(mine.errors).toEqual([]);
});

it("hides a trip again that was shown for a moment, although the first call is slow", async () => {
  const me = await makeMember(site);
  const { page, context } = await site.open();
  await logIn(site, context, me);
  await page.goto("/travel");
  await page.getByRole("button", { name: "Plan a trip" }).click();
  await page.getByLabel("What you call it").fill("Vienna");
  const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel("From").fill(day);
  await page.getByLabel("To", { exact: true }).fill(day);
  await page.getByRole("button", { name: "Add this trip" }).click();
  await page.getByRole("button", { name: "No, keep it to myself" }).click();
  const shown = page.getByRole("switch");
  await shown.waitFor();
  const calls = await delayFirst(page, /travel\.showTrip/);
  await shown.click();
  await shown.click();
  await overtake(page);
  calls.release();
  await expect.poll(calls.answers).toBe(2);
  await page.reload();
  await shown.waitFor();
  expect(await shown.isChecked()).toBe(false);
  await context.close();
});
