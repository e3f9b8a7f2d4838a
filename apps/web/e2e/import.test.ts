import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrandId } from "@lambda/brands";
import { DAY_MS } from "@lambda/contract/limits";
import { type CurveKey, pointOfKey } from "@lambda/geo/curve";
import { distanceMeters } from "@lambda/geo/distance";
import { DESKTOP, openSite, PHONE, type TestSite } from "@lambda/testing/browser";
import { exportedData, zip } from "@lambda/testing/export-samples";
import { postIntroduction } from "@lambda/testing/recordings";
import { findBarriers } from "@lambda/ui/barriers";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { apiFor, logIn, makeMember } from "./members.ts";
import { LONG_TIMEOUT } from "./page-actions.ts";
import { BLUE, GREEN, makeQuartersPicture, RED, YELLOW } from "./picture-members.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});

const choose = (page: Page, file: { name: string; mimeType: string; buffer: Buffer }) =>
  page.getByLabel("Choose your export").setInputFiles(file);
const asFile = (buffer: Buffer) => ({ name: "export.zip", mimeType: "application/zip", buffer });
const part = (page: Page, name: string) => page.getByRole("checkbox", { name: new RegExp(`^${name}`) });

const albums = (id: number) =>
  site.sql<{ audience: string; nsfw_owner: number }>(
    "select audience, nsfw_owner from picture where profile_id = ? order by id",
    id,
  );

describe("an export", () => {
  it("opens on another brand for another account: filled once, and nothing is replaced", async () => {
    const giver = await makeMember(site, { name: "Giver" });
    const api = await apiFor(site, giver);
    await api.upload(await makeQuartersPicture(600, 750, [RED, GREEN, BLUE, YELLOW]));
    await api.upload(await makeQuartersPicture(600, 750, [YELLOW, BLUE, RED, GREEN]), {
      audience: "private",
      nsfw: true,
    });
    await site.sql(
      "update profile set height = '185 cm', weight = '80 kg', characteristics = 5 where id = ?",
      giver.id,
    );
    const preferences = JSON.stringify({ phrases: ["Coffee?"], notificationsOff: ["game"] });
    await site.sql("update account set preferences = ? where id = ?", preferences, giver.id);
    expect((await postIntroduction(api, { audience: "private" })).status).toBe(201);
    const day = (ahead: number) => new Date(Date.now() + ahead * DAY_MS).toISOString().slice(0, 10);
    const trip = { name: "Rome, on foot", lat: 41.9, lon: 12.5, from: day(9), to: day(12) };
    const planned = await api.fetch("/api/travel/trips", {
      method: "POST",
      body: JSON.stringify(trip),
      headers: { "content-type": "application/json" },
    });
    expect(planned.status).toBeLessThan(300);
    const other = await makeMember(site);
    await site.sql("insert into profile_note values (?, ?, 'kind', '[]', 1000)", giver.id, other.id);
    const giving = await site.open();
    await logIn(site, giving.context, giver, { freshProof: true });
    await giving.page.goto("/settings#data");
    await giving.page.getByRole("button", { name: "Download my data" }).click();
    const [download] = await Promise.all([
      giving.page.waitForEvent("download"),
      giving.page.getByRole("dialog").getByRole("button", { name: "Download" }).click(),
    ]);
    const archive = asFile(readFileSync(await download.path()));

    // On the member's own account everything is here already.
    await giving.page.goto("/import");
    await choose(giving.page, archive);
    await giving.page.getByText("2 here already").waitFor(LONG_TIMEOUT);
    expect(await giving.page.getByRole("button", { name: "Import", exact: true }).isDisabled()).toBe(true);
    // A browser that hides what is drawn shows all pictures alike, which says nothing.
    await giving.page.addInitScript(() => {
      const { getImageData } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.getImageData = function (...args) {
        const image = getImageData.apply(this, args);
        image.data.fill(255);
        return image;
      };
    });
    await giving.page.goto("/import");
    await choose(giving.page, archive);
    await giving.page.getByText("2 new", { exact: true }).waitFor(LONG_TIMEOUT);
    await giving.context.close();

    const brand: BrandId = "harbor";
    const taker = await makeMember(site, { name: "Taker" });
    await site.sql("update profile set weight = '90 kg' where id = ?", taker.id);
    const { page, context, errors } = await site.open({ brand, viewport: PHONE });
    await logIn(site, context, taker, { brand });
    await page.goto("/settings#data");
    await page.getByRole("link", { name: "Bring data from another site" }).click();
    await choose(page, archive);
    const start = page.getByRole("button", { name: "Import", exact: true });
    await start.waitFor(LONG_TIMEOUT);
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H2");
    expect(await start.isDisabled()).toBe(true);
    await page.getByRole("checkbox", { name: "It's mine" }).press("Space");
    await page.getByText("Filled: height, characteristics").waitFor();
    await page.getByText("Stays as it is here: name, weight").waitFor();
    await page.getByText("2 new", { exact: true }).waitFor();
    expect(await page.getByText("1 new", { exact: true }).count()).toBe(3);
    await page.getByText("Their places are some kilometers off").waitFor();
    await page.getByText("Notes: 1. Blocks: 0.").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    // By part: the pictures later.
    await part(page, "Pictures").press("Space");
    await start.press("Enter");
    await page.getByText("Done.").waitFor(LONG_TIMEOUT);
    expect(await albums(taker.id)).toEqual([]);
    const profile = () =>
      site.sql("select profile_name, height, weight, characteristics from profile where id = ?", taker.id);
    const filled = [{ profile_name: "Taker", height: "185 cm", weight: "90 kg", characteristics: 5 }];
    expect(await profile()).toEqual(filled);
    const brought = () =>
      Promise.all([
        site.sql("select audience, duration_ms from profile_voice where profile_id = ?", taker.id),
        site.sql(
          "select name, date(day_from * 86400, 'unixepoch') as day, shown from trip where profile_id = ?",
          taker.id,
        ),
      ]);
    const voiceAndTrip = [
      [{ audience: "private", duration_ms: 3000 }],
      [{ name: trip.name, day: trip.from, shown: null }],
    ];
    expect(await brought()).toEqual(voiceAndTrip);
    const [key] = await site.sql<{ key: CurveKey }>("select key from trip where profile_id = ?", taker.id);
    expect(distanceMeters(pointOfKey(key!.key), trip)).toBeLessThan(60_000);

    await page.getByRole("button", { name: "Import the rest" }).click();
    await page.getByText("2 here already").waitFor(LONG_TIMEOUT);
    const stored = [
      { audience: "public", nsfw_owner: 0 },
      { audience: "private", nsfw_owner: 1 },
    ];
    expect(await albums(taker.id)).toEqual(stored);

    // Twice gives once.
    await page.getByRole("button", { name: "Choose another file" }).click();
    await choose(page, archive);
    await page.getByText("2 here already").waitFor(LONG_TIMEOUT);
    await page.getByRole("checkbox", { name: "It's mine" }).check();
    expect(await start.isDisabled()).toBe(true);
    expect([await albums(taker.id), await profile()]).toEqual([stored, filled]);
    expect(await brought()).toEqual(voiceAndTrip);
    const [account] = await site.sql<{ preferences: string }>("select preferences from account where id = ?", taker.id);
    expect(JSON.parse(account?.preferences ?? "")).toMatchObject({ phrases: ["Coffee?"], notificationsOff: ["game"] });
    expect(await site.sql("select 1 from profile_note where author_id = ?", taker.id)).toEqual([]);
    expect(errors).toEqual([]);
    await context.close();

    // Staff find what was brought as if it had been entered, and nothing of whose file it was.
    const admin = await makeMember(site, { admin: true, name: "Admin" });
    const desk = await site.open({ viewport: DESKTOP });
    await logIn(site, desk.context, admin);
    await desk.page.goto("/dashboard?section=members");
    await desk.page.getByLabel("Number, address or name").fill("Taker");
    await desk.page.getByRole("button", { name: "Find" }).click();
    await desk.page.getByRole("button", { name: String(taker.id), exact: true }).click();
    await desk.page.getByText(taker.email).first().waitFor();
    expect(await desk.page.getByText(giver.email).count()).toBe(0);
    await desk.context.close();
  });

  it("that is hostile is refused with the entry's name, and what the server refuses is listed", {
    tags: "slow",
  }, async () => {
    const member = await makeMember(site, { name: "Careful" });
    const { page, context } = await site.open({ viewport: DESKTOP });
    await logIn(site, context, member);
    await page.goto("/import");
    const data = { name: "data.json", text: JSON.stringify(exportedData()) };
    const pack = async (...args: Parameters<typeof zip>) =>
      asFile(Buffer.from(await (await zip(...args)).arrayBuffer()));
    await choose(page, await pack([data, { name: "../../evil.sh", text: "" }]));
    await page.getByRole("alert").getByText("../../evil.sh").waitFor();
    await choose(page, await pack([{ ...data, bytes: 20 }]));
    await page.getByRole("alert").getByText("data.json").waitFor();
    await choose(page, asFile(Buffer.from("isn't a ZIP")));
    await page.getByText("The file is damaged or isn't a ZIP.").waitFor();
    expect(await findBarriers(page)).toEqual([]);

    // A picture that is none, and a phrase that the server does not take.
    const bad = {
      ...exportedData(),
      account: [{ email: member.email, preferences: JSON.stringify({ phrases: ["x".repeat(900)] }) }],
    };
    await choose(
      page,
      await pack([
        { name: "data.json", text: JSON.stringify(bad) },
        { name: "pictures/8.webp", text: "no picture", store: true },
      ]),
    );
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByText("2 things weren't taken:").waitFor(LONG_TIMEOUT);
    await page.getByText(/^pictures\/8\.webp: /).waitFor();
    await page.getByText(/^Saved phrases: /).waitFor();
    expect(await albums(member.id)).toEqual([]);
    const [profile] = await site.sql<{ profile_name: string; height: string }>(
      "select profile_name, height from profile where id = ?",
      member.id,
    );
    expect(profile).toEqual({ profile_name: "Careful", height: "185 cm" });

    // An archive that is gone before its pictures are read.
    const folder = mkdtempSync(join(tmpdir(), "export-"));
    const path = join(folder, "export.zip");
    const own = { ...exportedData(), account: [{ email: member.email, preferences: "{}" }] };
    const entries = [
      { name: "data.json", text: JSON.stringify(own) },
      { name: "pictures/8.webp", text: "no picture", store: true },
    ];
    writeFileSync(path, (await pack(entries)).buffer);
    await page.goto("/import");
    await page.getByLabel("Choose your export").setInputFiles(path);
    await page.getByRole("button", { name: "Import", exact: true }).waitFor(LONG_TIMEOUT);
    rmSync(folder, { recursive: true });
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByText("pictures/8.webp: this won't open").waitFor(LONG_TIMEOUT);
    await context.close();
  });

  it("sends first what protects the member, and nothing more if that is not taken", { tags: "slow" }, async () => {
    const member = await makeMember(site, { name: "Hidden" });
    const { page, context } = await site.open({ viewport: DESKTOP });
    await logIn(site, context, member);
    await page.goto("/import");
    const data = { ...exportedData(), account: [{ email: member.email, preferences: "{}" }] };
    await choose(
      page,
      asFile(Buffer.from(await (await zip([{ name: "data.json", text: JSON.stringify(data) }])).arrayBuffer())),
    );
    await page.getByText("Filled: discreet").waitFor(LONG_TIMEOUT);
    await page.route(/settings\.setDiscreet/, (route) => route.abort());
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByText(/^Settings: /).waitFor(LONG_TIMEOUT);
    const stored = () => site.sql("select height, discreet_on > 0 as discreet from profile where id = ?", member.id);
    expect(await stored()).toEqual([{ height: "", discreet: 0 }]);
    await page.unroute(/settings\.setDiscreet/);
    await page.getByRole("button", { name: "Import the rest" }).click();
    await page.getByText("Done.").waitFor(LONG_TIMEOUT);
    expect(await stored()).toEqual([{ height: "185 cm", discreet: 1 }]);
    await context.close();
  });
});
