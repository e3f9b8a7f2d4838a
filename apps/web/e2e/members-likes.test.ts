import { DESKTOP, openSite, type TestSite } from "@lambda/testing/browser";
import { beforeAll, describe, expect, it } from "vitest";
import { logIn, makeMember } from "./members.ts";
import { makeCrowd, makeNearby, newPlace } from "./nearby.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});

describe("likes", () => {
  it("shows a hint in each empty list", async () => {
    const me = await makeMember(site);
    const { page, context, errors } = await site.open();
    await logIn(site, context, me);
    await page.goto("/likes/profilelikedyou");
    await page.getByText("Some day your prince will come...", { exact: true }).waitFor();
    for (const [tab, text] of [
      ["Your Pics", "Some day your prince will come..."],
      ["You Liked", "Have no suitors have caught your eye?"],
      ["Their Pics", "Have no suitors have caught your eye?"],
    ] as const) {
      await page.getByRole("navigation", { name: "Likes" }).getByRole("link", { name: tab }).tap();
      await page.getByText(text, { exact: true }).waitFor();
    }
    expect(new URL(page.url()).pathname).toBe("/likes/youlikedprofilepics");
    expect(errors).toEqual([]);
    await context.close();
  });

  it("lists likes 20 per page, likes back by keyboard, and ends with a closing line", async () => {
    const place = newPlace();
    const me = await makeNearby(site, place, "Me");
    const fan = await makeNearby(site, place, "First Fan", 0.01);
    await makeCrowd(site, fan, 44);
    await site.sql(
      "insert into profile_like (liker_id, liked_id, like_type, ts_created) select id, ?, 'LIKE', 1000 + id from profile where id >= ? and id <= ? + 44",
      ...[me.id, fan.id, fan.id],
    );
    const { page, context, errors } = await site.open({ viewport: DESKTOP });
    await logIn(site, context, me);
    const requests: string[] = [];
    page.on("request", (request) => request.url().includes("likes.briefs") && requests.push(request.url()));
    await page.goto("/likes/profilelikedyou");
    const rows = page.getByRole("listitem");
    await rows.first().waitFor();
    const heart = page.getByRole("button", { name: "Like Member 44", exact: true });
    await heart.press("Enter");
    await page.getByRole("button", { name: "Remove Like for Member 44", exact: true }).waitFor();
    await expect
      .poll(() => site.sql("select mutual from profile_like where liker_id = ?", me.id))
      .toEqual([{ mutual: 1 }]);
    const end = page.getByText("That's all folks...", { exact: true });
    await expect
      .poll(
        async () => {
          await page.mouse.wheel(0, 1500);
          return end.isVisible();
        },
        { timeout: 20_000 },
      )
      .toBe(true);
    await page.getByRole("link", { name: /First Fan/ }).waitFor();
    expect(requests.length).toBeGreaterThanOrEqual(3);
    expect(errors).toEqual([]);
    await context.close();
  });
});
