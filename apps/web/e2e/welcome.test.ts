import { characteristicsToBits } from "@lambda/contract/characteristics";
import { openSite, type TestSite } from "@lambda/testing/browser";
import { findBarriers } from "@lambda/ui/barriers";
import type { Locator, Page } from "playwright-core";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { readStored } from "./chat-storage.ts";
import { logIn, makeMember } from "./members.ts";
import { makeNearby } from "./nearby.ts";
import { cancelUpload, clickButton } from "./page-actions.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});

/** Far from the first city, where other tests place their members. */
const HERE = { latitude: 36.1627, longitude: -86.7816 };

const picture = () =>
  sharp({ create: { width: 1200, height: 900, channels: 3, background: "#a86" } })
    .jpeg()
    .toBuffer();

/** Counts pointer presses across all pages of the tab. */
const countPresses = (page: Page) =>
  page.addInitScript(() => {
    addEventListener(
      "pointerdown",
      () => sessionStorage.setItem("presses", String(Number(sessionStorage.getItem("presses")) + 1)),
      { capture: true },
    );
  });
const readPresses = (page: Page) => page.evaluate(() => Number(sessionStorage.getItem("presses")));

async function askForMail(page: Page, email: string): Promise<void> {
  await page.goto("/register");
  await page.getByLabel("Email").fill(email);
  for (const box of await page.getByRole("checkbox").all()) await box.check();
  await page.getByRole("button", { name: "Send me a login link" }).click();
  await page.getByLabel("Six-digit code").waitFor();
}

const title = (page: Page, name: string): Locator => page.getByRole("heading", { name });

describe("the path from the mail to the first member nearby", { tags: "slow" }, () => {
  it("takes at most twelve presses on a phone, including those in the mail, the gallery and the browser's prompt", async () => {
    const neighbor = await makeNearby(site, { lat: HERE.latitude, lon: HERE.longitude }, "Neighbour", 0.02);
    const email = `presses-${Date.now()}@example.test`;
    const { page, context, errors } = await site.open({ geolocation: HERE });
    await askForMail(page, email);
    await countPresses(page);

    await page.goto(await site.loginLink(email));
    let outsidePresses = 1; // The link in the mail.
    await title(page, "Who's coming in?").waitFor();
    await page.getByLabel("Profile name").tap();
    await page.keyboard.type("Firstman");
    await page.getByLabel("Month").tap();
    // A full field moves the focus to the next one.
    await page.keyboard.type("5171990");
    await page.getByRole("button", { name: "Continue" }).tap();

    await title(page, "Let's see you.").waitFor();
    const chooser = page.waitForEvent("filechooser");
    await page.getByLabel("Choose a picture").tap();
    await (await chooser).setFiles({ name: "me.jpg", mimeType: "image/jpeg", buffer: await picture() });
    outsidePresses += 1; // The picture in the gallery.
    await page.getByRole("button", { name: "Use it" }).tap();

    await title(page, "Where should others see you?").waitFor();
    await page.getByRole("button", { name: "Use my location" }).tap();
    outsidePresses += 1; // The browser's permission prompt.
    await page.getByRole("button", { name: "Following your device" }).waitFor();
    await page.getByRole("button", { name: "Show me in this square" }).tap();

    await page.waitForURL("**/search/tile");
    await page.locator(`a[href^="/profile/${neighbor.id}"]`).first().waitFor();
    expect((await readPresses(page)) + outsidePresses).toBeLessThanOrEqual(12);

    const [stored] = await site.sql(
      `select p.profile_name, p.birthdate, json_array_length(p.pics_public) as pictures, a.ts_sharing_chosen is not null as chosen
       from profile p join account a using (id) where a.email = ?`,
      email,
    );
    expect(stored).toEqual({ profile_name: "Firstman", birthdate: "1990-05-17", pictures: 1, chosen: 0 });
    expect(errors).toEqual([]);
    await context.close();
  });
});

describe("the welcome screens", () => {
  it("let each step be skipped or left, and resume at the same step", async () => {
    const member = await makeMember(site, { name: "", sharingUndecided: true });
    await site.sql("update profile set birthdate = null where id = ?", member.id);
    const { page, context, errors } = await site.open();
    await logIn(site, context, member);
    await page.goto("/");
    await page.waitForURL("**/welcome");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("You need a name. Without one nobody finds you.").waitFor();
    await page.getByText("Enter a real date: month, day and year, in numbers.").waitFor();
    expect(await findBarriers(page, "main")).toEqual([]);
    await page.getByLabel("Profile name").fill("Marco");
    await page.getByLabel("Month").fill("2");
    await page.getByLabel("Day").fill("2");
    await page.getByLabel("Year").fill(String(new Date().getFullYear() - 17));
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("This site is for men aged 18 and over.").waitFor();
    await page.getByLabel("Year").fill("1990");
    for (const tag of ["Coffee", "Art"]) await page.getByRole("button", { name: tag, exact: true }).click();
    await page.getByRole("button", { name: "Continue" }).click();
    await expect
      .poll(() => site.sql("select characteristics from profile where id = ?", member.id))
      .toEqual([{ characteristics: characteristicsToBits(["coffee", "art"]) }]);
    await title(page, "Let's see you.").waitFor();
    expect(await findBarriers(page, "main")).toEqual([]);
    // Nothing but the way home stands around a step.
    expect(await page.getByRole("navigation").count()).toBe(0);
    expect(await page.getByRole("button", { name: "Open navigation" }).count()).toBe(0);
    expect(await page.getByText("under active development").count()).toBe(0);

    await page.getByRole("link", { name: "Home" }).first().click();
    await page.getByText("Finish setting up your profile: step 2 of 3.").waitFor();
    await page.getByRole("link", { name: "Continue" }).click();
    await title(page, "Let's see you.").waitFor();
    await page.getByRole("button", { name: "Skip" }).click();
    await title(page, "Where should others see you?").waitFor();
    await page.reload();
    await title(page, "Where should others see you?").waitFor();
    await page.getByRole("button", { name: "Skip" }).click();
    await page.waitForURL("**/search/tile");
    // Skipping answers nothing for the member: home still asks about the sister sites, but no longer offers the welcome.
    await page.goto("/");
    await title(page, "Be seen on our sister sites too?").waitFor();
    const boxes = await page.getByRole("checkbox").all();
    expect(await Promise.all(boxes.map((box) => box.isChecked()))).toEqual([false, false]);
    await title(page, "Gone in a blink").waitFor();
    expect(await findBarriers(page, "main")).toEqual([]);
    expect(await page.getByText("Finish setting up your profile").count()).toBe(0);
    // Nor after another look at the welcome.
    await page.goto("/welcome");
    await title(page, "Let's see you.").waitFor();
    await page.goto("/");
    await title(page, "Be seen on our sister sites too?").waitFor();
    expect(await page.getByText("Finish setting up your profile").count()).toBe(0);
    expect(errors).toEqual([]);
    await context.close();
  });

  it("forget what was skipped while it was being saved, and never lead back to it", { tags: "slow" }, async () => {
    const member = await makeMember(site, { name: "Marco" });
    const { page, context, errors } = await site.open();
    await logIn(site, context, member);
    await page.addInitScript(() => localStorage.setItem("welcome_step", localStorage.getItem("welcome_step") ?? "0"));
    let answerUpdate = () => {};
    const answer = new Promise<void>((resolve) => {
      answerUpdate = resolve;
    });
    await page.route(/profiles\.update/, async (route) => {
      await answer;
      await route.continue();
    });
    await page.goto("/welcome");
    await title(page, "Who's coming in?").waitFor();
    const sent = page.waitForRequest(/profiles\.update/);
    await clickButton(page, "Continue");
    await sent;
    await clickButton(page, "Skip");
    await title(page, "Let's see you.").waitFor();
    const chooser = page.waitForEvent("filechooser");
    await page.getByLabel("Choose a picture").tap();
    await (await chooser).setFiles({ name: "me.jpg", mimeType: "image/jpeg", buffer: await picture() });
    await cancelUpload(
      page,
      "/api/profile-pic",
      () => clickButton(page, "Use it"),
      () => clickButton(page, "Skip"),
    );
    await title(page, "Where should others see you?").waitFor();
    // The page reads the session again after it has handled the late answer.
    const handled = page.waitForResponse(/accounts\.session/);
    answerUpdate();
    await handled;
    expect(await readStored(page, "welcome_step")).toBe(2);
    await title(page, "Where should others see you?").waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });

  it("ask the browser for the position only after a press, and report where the marker was moved to", async () => {
    const member = await makeMember(site, { name: "Marco" });
    const { page, context, errors } = await site.open({ geolocation: HERE });
    await logIn(site, context, member);
    await page.addInitScript(() => {
      localStorage.setItem("welcome_step", "2");
      let asked = 0;
      const { geolocation } = navigator;
      for (const name of ["getCurrentPosition", "watchPosition"] as const) {
        const ask = geolocation[name].bind(geolocation) as (...args: unknown[]) => unknown;
        Object.assign(geolocation, {
          [name]: (...args: unknown[]) => {
            asked += 1;
            return ask(...args);
          },
        });
      }
      Object.assign(window, { asked: () => asked });
    });
    const asked = () => page.evaluate(() => (window as unknown as { asked: () => number }).asked());
    await page.goto("/welcome");
    const marker = page.getByRole("button", { name: /^Your marker/ });
    await marker.waitFor();
    const ask = await page.getByRole("button", { name: "Use my location" }).boundingBox();
    const show = await page.getByRole("button", { name: "Show me in this square" }).boundingBox();
    expect(ask!.y + ask!.height, "the primary button covers the one for the location").toBeLessThan(show!.y);
    // Whether each square on the map is the filled one; only the chosen precision is.
    const squares = () =>
      page.evaluate(
        () =>
          new Promise<boolean[]>((resolve) => {
            const inspect = (map: { querySourceFeatures(id: string): { properties: { shown: boolean } }[] }) =>
              resolve(map.querySourceFeatures("own-area").map(({ properties }) => properties.shown));
            const frame = document.querySelector("canvas.maplibregl-canvas")?.closest(".maplibregl-map");
            frame?.dispatchEvent(new CustomEvent("inspect-map", { detail: inspect }));
          }),
      );
    await expect.poll(async () => new Set(await squares()).size).toBe(2);
    expect(await findBarriers(page, "main")).toEqual([]);
    await marker.focus();
    for (let step = 0; step < 4; step += 1) await page.keyboard.press("Shift+ArrowRight");
    await page.getByRole("radio", { name: "District" }).check();
    await page.getByRole("button", { name: "Show me in this square" }).click();
    await page.waitForURL("**/search/tile");
    expect(await asked()).toBe(0);
    await expect
      .poll(() => site.sql("select use, precision from position where profile_id = ?", member.id))
      .toEqual([{ use: "OVERRIDE", precision: "district" }]);
    expect(errors).toEqual([]);
    await context.close();
  });
});

describe("an empty area", () => {
  it("counts members by distance, shows the latest map chat, and creates an invitation that names nobody", async () => {
    const place = { lat: -47.5, lon: -119.5 };
    const member = await makeNearby(site, place, "Lonely");
    for (const name of ["One", "Two", "Three"]) await makeNearby(site, { ...place, lon: -118.5 }, name, 1);
    const { page, context, errors } = await site.open();
    await logIn(site, context, member);
    await page.addInitScript(() => {
      Object.assign(navigator, {
        share: async ({ url }: { url: string }) => localStorage.setItem("shared", url),
      });
    });
    await page.goto("/search/tile");
    await title(page, "It's quiet around you.").waitFor();
    await page.getByText("men within 200 mi").waitFor();
    expect(await page.getByText("men within 200 mi").textContent()).toBe("3 men within 200 mi");
    await page.getByText("Nobody's said anything around here lately.").waitFor();
    expect(await findBarriers(page, "section[aria-labelledby=quiet-area]")).toEqual([]);
    await page.getByRole("button", { name: "Invite by link" }).click();
    const link = await page.evaluate(() => localStorage.getItem("shared") ?? "");
    expect(new URL(link).hash).toBe("#area=-48:-120");
    expect(new URL(link).pathname + new URL(link).search).toBe("/");
    // An area that only looks empty because of filters must not show this text.
    await page.goto("/search/tile?ageMin=30");
    await page.getByText(/^Displayed/).waitFor();
    expect(await page.getByText("It's quiet around you.").count()).toBe(0);
    await context.close();

    const invited = await site.open();
    await invited.page.goto(link);
    await expect.poll(() => invited.page.evaluate(() => localStorage.getItem("invited_area"))).toBe('"-48:-120"');
    await invited.page.goto("/register");
    expect(await invited.page.evaluate(() => localStorage.getItem("invited_area"))).toBe('"-48:-120"');
    expect([...errors, ...invited.errors]).toEqual([]);
    await invited.context.close();
  });
});
