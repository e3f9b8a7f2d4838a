import { openSite, PHONE, type TestSite } from "@lambda/testing/browser";
import { findBarriers } from "@lambda/ui/barriers";
import { beforeAll, expect, it } from "vitest";
import { apiFor, logIn } from "./members.ts";
import { makeNearby, newPlace } from "./nearby.ts";
import { BLUE, GREEN, makeQuartersPicture, RED, YELLOW } from "./picture-members.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});

it("a notification tells whose it is and how long ago, and further pictures in Details open", async () => {
  const place = newPlace();
  const me = await makeNearby(site, place, "Ansel");
  const other = await makeNearby(site, place, "Tomas", 0.01);
  const api = await apiFor(site, other);
  await api.upload(await makeQuartersPicture(400, 500, [RED, GREEN, BLUE, YELLOW]));
  const second = await api.upload(await makeQuartersPicture(400, 500, [BLUE, YELLOW, RED, GREEN]));
  await site.sql(
    "insert into notification (profile_id, kind, about_id, body_text, url, brand, ts_created) values (?, 'like', ?, 'Somebody likes you', ?, 'ember', ?)",
    me.id,
    other.id,
    "/likes/profilelikedyou",
    Date.now() - 2 * 3_600_000 - 60_000,
  );
  const { page, context, errors } = await site.open({ viewport: PHONE });
  await logIn(site, context, me);
  await page.goto("/notifications");
  const row = page.getByRole("main").getByRole("button", { name: /Somebody likes you/ });
  await row.getByText("2h ago").waitFor();
  await row.getByText(/^Tomas, \d+$/).waitFor();
  await row.locator("img").waitFor();
  expect(await findBarriers(page)).toEqual([]);

  await page.goto("/search/profile");
  await page.getByRole("link", { name: "Picture 2 of 2" }).click();
  await page.waitForURL(`**/profilePicCarousel?profileId=${other.id}&id=${second.id}**`);
  expect(errors).toEqual([]);
  await context.close();
});
