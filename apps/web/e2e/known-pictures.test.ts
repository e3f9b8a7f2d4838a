/** @module-tag slow */
import { DESKTOP, openSite, type TestSite } from "@lambda/testing/browser";
import { makeScenePng } from "@lambda/testing/scene-picture";
import { beforeAll, expect, it } from "vitest";
import { openActor } from "./community-scene.ts";
import { apiFor, makeMember } from "./members.ts";

/** Known pictures: what a member is told about a removed one, and what staff see of one from a list. */
let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});

/** Adds a picture to the known pictures, and deletes the member who uploaded it. */
async function addKnownPicture(scene: number, source: string, rule: string): Promise<void> {
  const uploader = await makeMember(site);
  await (await apiFor(site, uploader)).upload(makeScenePng(scene));
  await site.sql(
    `insert into known_picture (hash, sealed_print, source, rule, searched, ts_created)
     select h.hash, h.sealed_print, ?, ?, 1, 1 from picture_hash h join picture p on p.id = h.picture_id where p.profile_id = ?`,
    ...[source, rule, uploader.id],
  );
  await site.sql("delete from account where id = ?", uploader.id);
}

it("rejects a removed picture with an explanation, and reports a listed one to staff without telling the uploader", async () => {
  await addKnownPicture(1, "notice:1", "intimate");
  await addKnownPicture(2, "list:clearing house", "intimate");
  const member = await openActor(site, { name: "Uploader" });
  const admin = await openActor(site, { name: "Chief", adminBrand: "ember", viewport: DESKTOP });

  await member.page.goto(site.url("/profilePicUpload"));
  const choose = (scene: number) =>
    member.page
      .locator('input[type="file"]')
      .first()
      .setInputFiles({ name: "me.png", mimeType: "image/png", buffer: makeScenePng(scene, { brightness: 10 }) });
  await choose(1);
  await member.page
    .getByText(/our staff have to look at this picture first/)
    .first()
    .waitFor();
  await member.page.goto(site.url("/profilePicUpload"));
  await choose(2);
  await member.page.waitForURL("**/profileEdit");
  await member.page.locator("main img").first().waitFor();

  await admin.page.goto(site.url("/dashboard?section=queue"));
  await admin.page.getByText("Nothing is waiting here.").waitFor();
  const cron = encodeURIComponent("* * * * *");
  const cronResponse = await fetch(`http://localhost:${site.port}/cdn-cgi/local/scheduled?cron=${cron}`);
  expect(cronResponse.status).toBe(200);
  await admin.page.reload();
  await admin.page.getByRole("link", { name: /intimate/i }).click();
  await admin.page.getByText('looks like a picture of the list "clearing house"').waitFor();
  await admin.page.getByText("Found by the site itself").first().waitFor();
  await admin.page.getByRole("button", { name: "Show the picture" }).first().click();
  await expect
    .poll(() =>
      admin.page.locator('img[src^="/api/evidence/"]').evaluate((image: HTMLImageElement) => image.naturalWidth),
    )
    .toBeGreaterThan(0);
  expect(admin.errors).toEqual([]);
  await Promise.all([member, admin].map((one) => one.context.close()));
});
