import { DESKTOP, openSite, PHONE, type TestSite } from "@lambda/testing/browser";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { apiFor, type BrowserMember, logIn, type MemberApi, makeMember } from "./members.ts";
import { cancelUpload, clickButton, delayFirst, LONG_TIMEOUT, overtake, returnToPage } from "./page-actions.ts";
import { BLUE, GREEN, makeQuartersPicture, maxColorDifference, RED, readQuarters, YELLOW } from "./picture-members.ts";

/** Tall enough to show both albums away from the edges, where a drag would scroll the page. */
const TALL = { width: 1440, height: 1800 };

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});

interface Scene {
  readonly member: BrowserMember;
  readonly api: MemberApi;
  readonly page: Page;
  readonly errors: string[];
  close(): Promise<void>;
}

async function openScene(viewport = PHONE): Promise<Scene> {
  const member = await makeMember(site);
  const { page, context, errors } = await site.open({ viewport });
  await logIn(site, context, member);
  return { member, api: await apiFor(site, member), page, errors, close: () => context.close() };
}

const fetchOriginal = async (api: MemberApi, id: number) =>
  Buffer.from(await (await api.fetch(`/api/profile/pic/${id}?orig=1`)).arrayBuffer());

async function readAlbums(member: BrowserMember): Promise<{ open: number[]; closed: number[] }> {
  const [row] = await site.sql<{ pics_public: string; pics_private: string }>(
    "select pics_public, pics_private from profile where id = ?",
    member.id,
  );
  return { open: JSON.parse(row?.pics_public ?? ""), closed: JSON.parse(row?.pics_private ?? "") };
}

describe("the crop screen", () => {
  it("rotates, crops and replaces the picture", async () => {
    const { api, page, errors, close } = await openScene();
    // 1000 x 800: rotated by 90 degrees it fits the 4:5 frame exactly, unrotated it would lose its sides.
    const { id } = await api.upload(await makeQuartersPicture(1000, 800, [RED, GREEN, BLUE, YELLOW]));
    // A web worker draws, because a large picture would freeze the page.
    await page.addInitScript(() => Reflect.deleteProperty(HTMLCanvasElement.prototype, "toBlob"));
    await page.goto(`/profilePicEdit?id=${id}`);
    await page.getByRole("button", { name: "Rotate right" }).click();
    // The message is gone after a second.
    const told = page.getByText("Saved Image Changes").first().waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await Promise.all([page.waitForURL("**/profileEdit"), told]);
    const turned = await fetchOriginal(api, id);
    expect(maxColorDifference(await readQuarters(turned), [BLUE, RED, YELLOW, GREEN])).toBeLessThan(12);
    const [row] = await site.sql("select width, height from picture where id = ?", id);
    expect(row).toEqual({ width: 800, height: 1000 });

    await page.goto(`/profilePicEdit?id=${id}`);
    const stage = page.getByRole("application", { name: "Crop" });
    await stage.focus();
    for (let times = 0; times < 12; times += 1) await page.keyboard.press("+");
    for (let times = 0; times < 60; times += 1) await page.keyboard.press("Shift+ArrowRight");
    for (let times = 0; times < 60; times += 1) await page.keyboard.press("Shift+ArrowDown");
    await page.getByRole("button", { name: "Save" }).click();
    await page.waitForURL("**/profileEdit");
    // Zoomed by 1.08^12 = 2.5 into the bottom right corner, only its color is left.
    expect(
      maxColorDifference(await readQuarters(await fetchOriginal(api, id)), [GREEN, GREEN, GREEN, GREEN]),
    ).toBeLessThan(12);
    expect(errors).toEqual([]);
    await close();
  });

  it("cancels an upload whose screen was left, and stays on the next screen", { tags: "slow" }, async () => {
    const { api, page, errors, close } = await openScene();
    const { id } = await api.upload(await makeQuartersPicture(400, 500, [RED, GREEN, BLUE, YELLOW]));
    await page.goto(`/profilePicEdit?id=${id}`);
    await cancelUpload(
      page,
      "/api/profile-pic",
      () => clickButton(page, "Save"),
      () => page.getByRole("link", { name: "Home" }).first().click(),
    );
    await page.waitForURL((url) => url.pathname === "/");
    expect(await page.getByText("Could not replace images...").count()).toBe(0);
    expect(errors).toEqual([]);
    await close();
  });

  it("zooms by the moves of both fingers", { tags: "slow" }, async () => {
    const { api, page, close } = await openScene();
    const { id } = await api.upload(await makeQuartersPicture(1000, 800, [RED, GREEN, BLUE, YELLOW]));
    await page.goto(`/profilePicEdit?id=${id}`);
    const stage = page.getByRole("application", { name: "Crop" });
    const picture = stage.locator("img");
    const zoom = async () => Number(/scale\((.+?)\)/.exec((await picture.getAttribute("style")) ?? "")?.[1]);
    await expect.poll(zoom).toBeGreaterThan(0);
    const before = await zoom();
    const box = await stage.boundingBox();
    if (!box) throw new Error("no stage");
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const session = await page.context().newCDPSession(page);
    const touch = (type: "touchStart" | "touchMove", apart: number) =>
      session.send("Input.dispatchTouchEvent", {
        type,
        touchPoints: [
          { x: x - apart / 2, y, id: 0 },
          { x: x + apart / 2, y, id: 1 },
        ],
      });
    await touch("touchStart", 60);
    await touch("touchMove", 80);
    await touch("touchMove", 120);
    await expect.poll(async () => (await zoom()) / before).toBeCloseTo(2, 1);
    await close();
  });

  it("changes nothing when canceled, and shows a message when saving failed", async () => {
    const { api, page, close } = await openScene(DESKTOP);
    const file = await makeQuartersPicture(400, 500, [RED, GREEN, BLUE, YELLOW]);
    const { id, version } = await api.upload(file);
    await page.goto(`/profilePicEdit?id=${id}`);
    await page.getByRole("button", { name: "Rotate left" }).click();
    await page.getByRole("link", { name: "Cancel" }).click();
    await page.waitForURL("**/profileEdit");
    await page.goto(`/profilePicEdit?id=${id}`);
    await page.route("**/api/profile-pic?**", (route) => route.abort());
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Could not replace images...").first().waitFor();
    const [row] = await site.sql<{ version: number }>("select version from picture where id = ?", id);
    expect(row?.version).toBe(version);
    await close();
  });
});

describe("the upload screen", () => {
  it("uploads several pictures, rejects other files with a reason, and opens the editor when done", async () => {
    const { member, page, errors, close } = await openScene();
    await page.goto("/profilePicUpload");
    const input = page.locator('input[type="file"][multiple]');
    const buffer = await makeQuartersPicture(80, 100, [RED, GREEN, BLUE, YELLOW]);
    await input.setInputFiles([
      { name: "one.jpg", mimeType: "image/jpeg", buffer },
      { name: "page.png", mimeType: "image/png", buffer: Buffer.from("<!doctype html><script>1</script>") },
      { name: "cut.jpg", mimeType: "image/jpeg", buffer: buffer.subarray(0, 100) },
      { name: "two.jpg", mimeType: "image/jpeg", buffer },
    ]);
    await page.getByText("Error: only png, jpg/jpeg and webp pictures are accepted").waitFor();
    await page.getByText("Error: this device can't read the picture").waitFor();
    await expect.poll(() => page.getByText("Uploaded", { exact: true }).count(), LONG_TIMEOUT).toBe(2);
    expect((await readAlbums(member)).open).toHaveLength(2);
    for (const button of await page.getByRole("button", { name: "Remove from the list" }).all()) {
      await button.click({ trial: true });
    }
    while ((await page.getByRole("button", { name: "Remove from the list" }).count()) > 0) {
      await page.getByRole("button", { name: "Remove from the list" }).first().click();
    }
    await page.waitForURL("**/profileEdit");
    expect(errors).toEqual([]);
    await close();
  });

  it("uploads dropped files to the chosen album", async () => {
    const { member, page, close } = await openScene(DESKTOP);
    await page.goto("/profilePicUpload");
    await page.getByRole("radio", { name: "Private album" }).check({ force: true });
    const bytes = [...(await makeQuartersPicture(80, 100, [RED, GREEN, BLUE, YELLOW]))];
    const transfer = await page.evaluateHandle((content) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(content)], "dropped.jpg", { type: "image/jpeg" }));
      return data;
    }, bytes);
    const told = page.getByText("Uploaded", { exact: true }).first().waitFor();
    await page.getByText("Choose or drop pictures").dispatchEvent("drop", { dataTransfer: transfer });
    await told;
    expect(await readAlbums(member)).toMatchObject({ open: [], closed: [expect.any(Number)] });
    await close();
  });
});

/** Drags the picture at a position by its handle over a target, without dropping it. */
async function drag(page: Page, position: number, target: Locator): Promise<void> {
  await page.getByRole("button", { name: `Move picture ${position} of 3 with the arrow keys` }).hover();
  await page.mouse.down();
  const box = await target.boundingBox();
  if (!box) throw new Error("no box");
  await page.mouse.move(box.x + 30, box.y + 40, { steps: 8 });
}

describe("the editor", () => {
  async function withPictures(viewport = PHONE): Promise<Scene & { ids: number[] }> {
    const made = await openScene(viewport);
    const ids: number[] = [];
    for (const color of [RED, GREEN, BLUE]) {
      ids.push((await made.api.upload(await makeQuartersPicture(80, 100, [color, color, color, color]))).id);
    }
    await made.page.goto("/profileEdit");
    return { ...made, ids };
  }

  it("reorders pictures by keyboard and by dragging, also into the private album", async () => {
    const { member, page, ids, errors, close } = await withPictures(TALL);
    const [a = 0, b = 0, c = 0] = ids;
    const told = page.getByText("Saved Image Changes").first().waitFor();
    await page.getByRole("button", { name: "Move picture 3 of 3 with the arrow keys" }).press("ArrowLeft");
    await told;
    await expect.poll(() => readAlbums(member), LONG_TIMEOUT).toEqual({ open: [a, c, b], closed: [] });

    await drag(page, 3, page.getByRole("button", { name: /^Picture 1 of 3/ }));
    await page.mouse.up();
    await expect.poll(() => readAlbums(member), LONG_TIMEOUT).toEqual({ open: [b, a, c], closed: [] });

    await drag(page, 1, page.getByRole("button", { name: "Add pictures: Private album" }));
    await page.getByRole("button", { name: /^Picture 1 of 1/ }).waitFor();
    await page.mouse.up();
    await expect.poll(() => readAlbums(member), LONG_TIMEOUT).toEqual({ open: [a, c], closed: [b] });
    expect(errors).toEqual([]);
    await close();
  });

  const moveToPrivate = async (page: Page, picture: RegExp) => {
    await page.getByRole("button", { name: picture }).click();
    await page.getByRole("button", { name: "Move to the private album" }).click();
  };

  it("makes two pictures private although the first call is slow", { tags: "slow" }, async () => {
    const { member, page, ids, close } = await withPictures();
    const [a = 0, b = 0, c = 0] = ids;
    const orders = await delayFirst(page, /pictures\.arrange/);
    await moveToPrivate(page, /^Picture 1 of 3/);
    await page.getByRole("button", { name: /^Picture 1 of 1/ }).waitFor();
    await moveToPrivate(page, /^Picture 1 of 2/);
    await overtake(page);
    orders.release();
    await expect.poll(orders.answers).toBe(2);
    expect(await readAlbums(member)).toEqual({ open: [c], closed: [a, b] });
    await close();
  });

  it("keeps a picture private that was moved while an older list was on its way", { tags: "slow" }, async () => {
    const { member, page, ids, close } = await withPictures();
    const [a = 0, b = 0, c = 0] = ids;
    await page.getByRole("button", { name: /^Picture 1 of 3/ }).waitFor();
    const lists = await delayFirst(page, /pictures\.mine/, "answer");
    await returnToPage(page, lists);
    await moveToPrivate(page, /^Picture 1 of 3/);
    await expect.poll(() => readAlbums(member), LONG_TIMEOUT).toEqual({ open: [b, c], closed: [a] });
    lists.release();
    await overtake(page);
    await page
      .getByRole("button", { name: /^Move picture \d of \d with the arrow keys/ })
      .nth(1)
      .press("ArrowLeft");
    await expect.poll(() => readAlbums(member), LONG_TIMEOUT).toEqual({ open: [c, b], closed: [a] });
    await close();
  });

  it("keeps a picture private that another device moved", { tags: "slow" }, async () => {
    const { member, api, page, ids, close } = await withPictures();
    const [a = 0, b = 0, c = 0] = ids;
    await page.getByRole("button", { name: /^Picture 1 of 3/ }).waitFor();
    const body = JSON.stringify({ profilePicIdsPrivate: [a] });
    const headers = { "content-type": "application/json" };
    expect((await api.fetch("/api/profile-pics", { method: "PUT", headers, body })).status).toBe(200);
    await page
      .getByRole("button", { name: /^Move picture \d of \d with the arrow keys/ })
      .nth(2)
      .press("ArrowLeft");
    await expect.poll(() => readAlbums(member), LONG_TIMEOUT).toEqual({ open: [c, b], closed: [a] });
    await page.getByRole("button", { name: /^Picture 1 of 1/ }).waitFor();
    await close();
  });

  it("moves, marks as NSFW, asks for crop help and deletes from a picture's sheet", async () => {
    const { member, page, ids, errors, close } = await withPictures();
    const [a = 0, b = 0, c = 0] = ids;
    await page.getByRole("button", { name: /^Picture 1 of 3/ }).click();
    await page.getByRole("button", { name: "Move to the private album" }).click();
    await expect.poll(() => readAlbums(member), LONG_TIMEOUT).toEqual({ open: [b, c], closed: [a] });

    await page.getByRole("button", { name: /^Picture 2 of 2/ }).click();
    await page.getByRole("switch", { name: "Ask for crop help" }).click();
    await expect
      .poll(() => site.sql("select wants_crop n from picture where id = ?", c), LONG_TIMEOUT)
      .toEqual([{ n: 1 }]);
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await expect.poll(() => readAlbums(member), LONG_TIMEOUT).toEqual({ open: [b], closed: [a] });
    expect(await site.sql("select id from picture where id = ?", c)).toEqual([]);

    await page.getByRole("button", { name: /^Picture 1 of 1, First/ }).click();
    await page.getByRole("switch", { name: "NSFW" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await page.getByText("1 NSFW picture is hidden.").first().waitFor();
    await page.getByRole("button", { name: "Show NSFW" }).click();
    await page.getByRole("button", { name: /^Picture 1 of 1, First, NSFW/ }).waitFor();
    expect(errors).toEqual([]);
    await close();
  });
});
