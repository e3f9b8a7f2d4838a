/** From a file to an upload, from every place that takes pictures. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DESKTOP, openSite, PHONE, type TestSite } from "@lambda/testing/browser";
import { makeRealLifeFiles, type RealLifeFile } from "@lambda/testing/real-life-files/corpus";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { logIn, makeMember } from "./members.ts";
import { LONG_TIMEOUT } from "./page-actions.ts";
import { sendViewOncePicture } from "./view-once-scene.ts";

let site: TestSite;
let files: RealLifeFile[];
beforeAll(async () => {
  [site, files] = await Promise.all([openSite(), makeRealLifeFiles()]);
});

const fileOf = (name: string): RealLifeFile => {
  const found = files.find((file) => file.name === name);
  if (!found) throw new Error(`no file ${name}`);
  return found;
};

async function openScene(path: string, viewport = PHONE) {
  const member = await makeMember(site);
  const { page, context, errors } = await site.open({ viewport });
  await logIn(site, context, member);
  await context.route("**/corpus/*", (route) => {
    const file = files[Number(route.request().url().split("/").pop())];
    return route.fulfill({ body: file?.bytes ?? Buffer.alloc(0), contentType: "application/octet-stream" });
  });
  await page.goto(path);
  return { member, page, context, errors, close: () => context.close() };
}

/** Lets an element get files as if they were chosen, dropped or pasted, with exactly these names and types. */
async function give(page: Page, how: "change" | "drop" | "paste", selector: string, given: readonly RealLifeFile[]) {
  const listed = given.map((file) => ({ index: files.indexOf(file), name: file.name, type: file.type }));
  await page.locator(selector).first().waitFor({ state: "attached" });
  return page.evaluate(
    async ([event, target, list]) => {
      const data = new DataTransfer();
      for (const { index, name, type } of list) {
        const bytes = await (await fetch(`/corpus/${index}`)).arrayBuffer();
        data.items.add(new File([bytes], name, { type }));
      }
      const element = document.querySelector(target) as Element;
      const options = { bubbles: true, cancelable: true };
      if (event === "change") {
        (element as HTMLInputElement).files = data.files;
        element.dispatchEvent(new Event("change", options));
        return;
      }
      const made =
        event === "drop"
          ? new DragEvent("drop", { ...options, dataTransfer: data })
          : new ClipboardEvent("paste", { ...options, clipboardData: data });
      element.dispatchEvent(made);
    },
    [how, selector, listed] as const,
  );
}

interface Sent {
  readonly name: string;
  readonly isOriginal: boolean;
  readonly size: readonly [number, number];
  /** The color a quarter of the height below the middle of the upper edge. */
  readonly color: readonly number[];
}

const SENTENCES = {
  EMPTY: "Error: the file is empty; open it once in your gallery",
  TYPE: "Error: only png, jpg/jpeg and webp pictures are accepted; open the file in another app",
  HEIC: "Error: only png, jpg/jpeg and webp pictures are accepted, and this browser can't convert HEIC; save it as JPEG",
  DAMAGED: "Error: this device can't read the picture; choose another copy or a screenshot of it",
};

it("sends every file of real life as it is or converted, or says what to do instead", async () => {
  const { page, errors, close } = await openScene("/profilePicUpload");
  // Answers as the server does, without the time that it takes.
  const statuses = files.map(({ name, server }) => [name, server] as const);
  await page.evaluate((known) => {
    const sent: Sent[] = [];
    Object.assign(window, { sent });
    XMLHttpRequest.prototype.send = function (body) {
      const form = body as FormData;
      const file = form.get("picfile") as File;
      const name = String(form.get("picfilename"));
      const isSecond = sent.some((other) => other.name === name);
      const index = known.findIndex(([other]) => other === name);
      const answer = async () => {
        const original = new Uint8Array(await (await fetch(`/corpus/${index}`)).arrayBuffer());
        const bytes = new Uint8Array(await file.arrayBuffer());
        const isOriginal = bytes.length === original.length && bytes.every((byte, at) => byte === original[at]);
        let size: [number, number] = [0, 0];
        let color: number[] = [];
        if (!isOriginal) {
          const bitmap = await createImageBitmap(file);
          size = [bitmap.width, bitmap.height];
          const context = new OffscreenCanvas(1, 1).getContext("2d") as OffscreenCanvasRenderingContext2D;
          context.drawImage(bitmap, -Math.floor(size[0] / 2), -Math.floor(size[1] / 4));
          color = [...context.getImageData(0, 0, 1, 1).data];
        }
        if (isSecond)
          sent.splice(
            sent.findIndex((other) => other.name === name),
            1,
          );
        sent.push({ name, isOriginal, size, color });
        const status = isOriginal ? known[index]?.[1] : 201;
        const refused = { error: { code: "BAD_INPUT", field: "picfile", reason: "BROKEN", message: "no" } };
        Object.defineProperties(this, {
          status: { value: status },
          response: { value: status === 201 ? { id: index + 1 } : refused },
        });
        this.dispatchEvent(new ProgressEvent("load"));
        this.dispatchEvent(new ProgressEvent("loadend"));
      };
      void answer();
    };
  }, statuses);
  await give(page, "change", 'input[type="file"][multiple]', files);
  const rows = page.locator("main ul li");
  await expect.poll(() => rows.count()).toBe(files.length);
  await expect.poll(() => page.getByRole("progressbar").count(), { timeout: 120_000 }).toBe(0);
  const texts = await rows.allInnerTexts();
  const sent = await page.evaluate(() => (window as unknown as { sent: Sent[] }).sent);
  const seen = files.map(({ name }, index) => {
    const upload = sent.find((other) => other.name === name);
    const reason = Object.entries(SENTENCES).find(([, sentence]) => texts[index]?.includes(sentence))?.[0];
    const isUploaded = texts[index]?.includes("Uploaded") && upload;
    return [name, isUploaded ? (upload.isOriginal ? "original" : "converted") : (reason ?? texts[index])];
  });
  expect(seen).toEqual(files.map(({ name, device }) => [name, device]));
  for (const { name, device, size } of files) {
    const upload = sent.find((other) => other.name === name);
    if (device !== "converted" || !upload) continue;
    if (size) expect([name, ...upload.size]).toEqual([name, ...size]);
    // Neither blank nor black: the picture was drawn.
    const [red = 0, , blue = 0] = upload.color;
    expect([name, Math.abs(red - blue) > 10]).toEqual([name, true]);
  }
  expect(errors).toEqual([]);
  await close();
}, 180_000);

it("shrinks a picture of 112 megapixels beside the page, and on it where the browser cannot", {
  tags: "slow",
  timeout: 120_000,
}, async () => {
  for (const hasWorker of [true, false]) {
    const { member, page, errors, close } = await openScene("/aboutus");
    await page.addInitScript((keeps) => {
      if (!keeps) Reflect.deleteProperty(window, "Worker");
      const { toBlob } = HTMLCanvasElement.prototype;
      const page = window as unknown as { encoded: number };
      page.encoded = 0;
      HTMLCanvasElement.prototype.toBlob = function (...args) {
        page.encoded += 1;
        toBlob.apply(this, args);
      };
    }, hasWorker);
    await page.goto("/profilePicUpload");
    await give(page, "change", 'input[type="file"][multiple]', [fileOf("phone-112-megapixels.jpg")]);
    await expect.poll(() => findPictures(member), { timeout: 60_000 }).toHaveLength(1);
    expect(await findPictures(member)).toEqual([{ audience: "public", width: 4096, height: 3089 }]);
    expect(await page.evaluate("encoded")).toBe(hasWorker ? 0 : 1);
    expect(errors).toEqual([]);
    await close();
  }
});

const findPictures = (member: { id: number }) =>
  site.sql<{ audience: string; width: number; height: number }>(
    "select audience, width, height from picture where profile_id = ? order by id",
    member.id,
  );

it("takes pictures of any type and size in the gallery, in chats, to open once, at the welcome and in notices", {
  tags: "slow",
}, async () => {
  const partner = await makeMember(site, { name: "Partner" });
  const { member, page, errors, close } = await openScene("/profilePicUpload");
  await give(page, "change", 'input[type="file"][multiple]', [fileOf("camera-no-end.jpg"), fileOf("phone.avif")]);
  await page.waitForURL("**/profileEdit", { timeout: 30_000 });

  await page.goto(`/chat/personal?with=${partner.id}`);
  await give(page, "change", "form input[type=file]", [fileOf("scan.bmp"), fileOf("")]);
  await expect.poll(() => page.getByRole("button", { name: "Send", exact: true }).isEnabled(), LONG_TIMEOUT).toBe(true);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect.poll(() => page.getByRole("log").getByRole("img").count(), LONG_TIMEOUT).toBe(2);

  const answered = page.waitForResponse((response) => response.url().endsWith("/api/profile-pic"));
  await sendViewOncePicture(page, async () => undefined, fileOf("panorama.jpg"));
  expect((await answered).status()).toBe(201);
  expect(await findPictures(member)).toEqual([
    { audience: "public", width: 300, height: 400 },
    { audience: "public", width: 60, height: 40 },
    { audience: "chat", width: 60, height: 40 },
    { audience: "chat", width: 60, height: 40 },
    { audience: "once", width: 4096, height: 102 },
  ]);

  await page.evaluate(() => localStorage.setItem("welcome_step", "1"));
  await page.goto("/welcome");
  await give(page, "change", "main input[type=file]", [fileOf("text.jpg")]);
  await page.getByText("open the file in another app").waitFor();
  await give(page, "change", "main input[type=file]", [fileOf("moving.gif")]);
  await page.getByRole("button", { name: "Use it" }).click();
  await page.getByRole("heading", { name: "Where should others see you?" }).waitFor();
  expect((await findPictures(member)).at(-1)).toMatchObject({ audience: "public", height: 40 });

  await page.goto("/remove-image");
  await give(page, "change", "main input[type=file]", [fileOf("iphone.heic")]);
  await page.getByText("this browser can't convert HEIC").waitFor();
  await give(page, "change", "main input[type=file]", [fileOf("turned-panorama.jpg")]);
  await page.getByText("Chosen: turned-panorama.jpg").waitFor();
  expect(errors).toEqual([]);
  await close();
});

it("takes pasted and dropped pictures into the message, but not the text of a spreadsheet", async () => {
  const partner = await makeMember(site);
  const { page, errors, close } = await openScene(`/chat/personal?with=${partner.id}`, DESKTOP);
  const chosen = page.locator("form").getByRole("img", { name: "Picture" });
  await give(page, "paste", "form textarea", [fileOf("plain.png")]);
  await chosen.first().waitFor();
  await give(page, "drop", "main", [fileOf("plain.jpg"), fileOf("text.jpg")]);
  await expect.poll(() => chosen.count()).toBe(3);
  await page.getByText(SENTENCES.TYPE).waitFor();
  const isTaken = await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add("17.5", "text/plain");
    data.items.add(new File(["x"], "cells.png", { type: "image/png" }));
    const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
    return !document.querySelector("form textarea")?.dispatchEvent(event);
  });
  expect(isTaken).toBe(false);
  // File managers add the names of copied files, and browsers the address of a copied picture.
  for (const text of ["Zoe\u0301 1.png", "file:///home/zoe/Zo%C3%A9%201.png\n", "https://example.test/pictures/1.png"])
    await page.evaluate((plain) => {
      const data = new DataTransfer();
      const canvas = Object.assign(document.createElement("canvas"), { width: 2, height: 2 });
      const [, base64 = ""] = canvas.toDataURL().split(",");
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      data.items.add(plain, "text/plain");
      data.items.add(new File([bytes], "Zo\u00E9 1.png", { type: "image/png" }));
      const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
      document.querySelector("form textarea")?.dispatchEvent(event);
    }, text);
  await expect.poll(() => chosen.count()).toBe(6);
  for (const _ of [1, 2, 3]) await page.getByRole("button", { name: "Remove picture" }).last().click();
  await page.getByRole("button", { name: "Remove picture" }).last().click();
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect.poll(() => page.getByRole("log").getByRole("img").count(), LONG_TIMEOUT).toBe(2);
  expect(errors).toEqual([]);
  await close();
});

it("sends a chosen picture although its app takes the file away before that", async () => {
  const partner = await makeMember(site);
  const { page, errors, close } = await openScene(`/chat/personal?with=${partner.id}`);
  const folder = mkdtempSync(join(tmpdir(), "pictures-"));
  const path = join(folder, "from-a-cloud.jpg");
  writeFileSync(path, fileOf("plain.jpg").bytes);
  await page.getByRole("button", { name: "Add to message" }).click();
  await page.getByRole("menuitem", { name: "Picture to open once" }).click();
  await page.getByLabel("Choose a picture").last().setInputFiles(path);
  await page.getByRole("img", { name: "The picture you chose" }).waitFor();
  rmSync(folder, { recursive: true });
  const answered = page.waitForResponse((response) => response.url().endsWith("/api/profile-pic"));
  await page.getByRole("button", { name: "Send it" }).click();
  expect((await answered).status()).toBe(201);
  expect(errors).toEqual([]);
  await close();
});

it("sends no picture of white or noise from a browser that hides what is drawn, but one that needs no drawing", {
  tags: "slow",
}, async () => {
  for (const hidden of ["white", "noise"]) {
    const { member, page, errors, close } = await openScene("/aboutus");
    await page.addInitScript((kind) => {
      // As Tor's browser does, where the page has no canvas of a web worker either.
      Reflect.deleteProperty(window, "Worker");
      const { getImageData } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.getImageData = function (...args) {
        const image = getImageData.apply(this, args);
        image.data.forEach((_, at) => {
          image.data[at] = kind === "white" ? 255 : (at * 7919) % 256;
        });
        return image;
      };
    }, hidden);
    await page.goto("/profilePicUpload");
    await give(page, "change", 'input[type="file"][multiple]', [fileOf("scan.bmp"), fileOf("plain.png")]);
    await page.getByText("this browser won't let sites read drawn pictures").waitFor();
    await expect.poll(() => findPictures(member)).toHaveLength(1);
    await page.evaluate(() => localStorage.setItem("welcome_step", "1"));
    await page.goto("/welcome");
    await give(page, "change", "main input[type=file]", [fileOf("plain.jpg")]);
    await page.getByRole("button", { name: "Use it" }).click();
    await page.getByText("this browser won't let sites read drawn pictures").waitFor();
    expect(await findPictures(member)).toHaveLength(1);
    expect(errors).toEqual([]);
    await close();
  }
});

it("sends ten pictures in a message, and keeps the others for the next one", { tags: "slow" }, async () => {
  const partner = await makeMember(site);
  const { page, errors, close } = await openScene(`/chat/personal?with=${partner.id}`);
  const names = ["plain.jpg", "jfif.jpg", "gray.png", "plain.png", "palette.png", "lossy.webp"];
  await give(page, "change", "form input[type=file]", [...names, ...names].map(fileOf));
  await page.getByText("A message takes 10 pictures").waitFor(LONG_TIMEOUT);
  const send = page.getByRole("button", { name: "Send", exact: true });
  await expect.poll(() => send.isEnabled(), LONG_TIMEOUT).toBe(true);
  await send.click();
  const sent = page.getByRole("log").getByRole("img");
  await expect.poll(() => sent.count(), LONG_TIMEOUT).toBe(10);
  expect(await page.locator("form").getByRole("img", { name: "Picture" }).count()).toBe(2);
  await send.click();
  await expect.poll(() => sent.count(), LONG_TIMEOUT).toBe(12);
  expect(errors).toEqual([]);
  await close();
});

it("takes any name of a file, and says of a dropped folder what to do instead", { tags: "slow" }, async () => {
  const { member, page, context, errors, close } = await openScene("/profilePicUpload", DESKTOP);
  const { bytes: buffer } = fileOf("plain.png");
  // As Macs and phones name screenshots and decompose accents; a name may turn its own end around.
  const names = ["Screenshot at 3.35.07\u202FPM.png", `${"e\u0301".repeat(120)}\u202Egpj.exe`, "image"];
  await page.locator("input[type=file][multiple]").setInputFiles(names.map((name) => ({ name, mimeType: "", buffer })));
  await page.waitForURL("**/profileEdit", LONG_TIMEOUT);
  expect(await findPictures(member)).toHaveLength(3);

  const partner = await makeMember(site);
  const data = { items: [], files: [import.meta.dirname], dragOperationsMask: 1 };
  const browser = await context.newCDPSession(page);
  for (const [path, target] of [
    ["/profilePicUpload", page.locator("label", { hasText: "Choose or drop" })],
    [`/chat/personal?with=${partner.id}`, page.getByRole("textbox", { name: "Message" })],
  ] as const) {
    await page.goto(path);
    const { x, y } = (await target.boundingBox())!;
    for (const type of ["dragEnter", "dragOver", "drop"] as const)
      await browser.send("Input.dispatchDragEvent", { type, x: x + 20, y: y + 10, data });
    await page.getByText("if it's a folder, pick the pictures in it").waitFor();
  }
  expect(errors).toEqual([]);
  await close();
});

it("cancels an upload, gives up one that stalls, and takes none along into another conversation", async () => {
  const [ann, bob] = [await makeMember(site, { name: "Ann" }), await makeMember(site, { name: "Bob" })];
  const { page, errors, close } = await openScene(`/chat/personal?with=${ann.id}`);
  const send = page.getByRole("button", { name: "Send", exact: true });
  const isUpload = (url: URL) => url.pathname === "/api/profile-pic";
  const stall = () => page.route(isUpload, () => undefined);
  await page.clock.install();
  await stall();
  const started = page.waitForRequest((request) => isUpload(new URL(request.url())));
  await give(page, "change", "form input[type=file]", [fileOf("plain.jpg")]);
  await started;
  await page.getByRole("textbox", { name: "Message" }).fill("Without a picture");
  expect(await send.isDisabled()).toBe(true);
  await page.getByRole("progressbar", { name: "Uploading" }).waitFor();
  await Promise.all([page.waitForEvent("requestfailed"), page.getByRole("button", { name: "Cancel upload" }).click()]);
  expect(await send.isEnabled()).toBe(true);

  const again = page.waitForRequest((request) => isUpload(new URL(request.url())));
  await give(page, "change", "form input[type=file]", [fileOf("plain.png")]);
  await again;
  await page.clock.fastForward(91_000);
  await page.getByText("Error: the connection was lost").waitFor();
  expect(await send.isEnabled()).toBe(true);
  await page.unroute(isUpload);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("Error: the connection was lost").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Remove picture" }).click();

  await stall();
  const third = page.waitForRequest((request) => isUpload(new URL(request.url())));
  await give(page, "change", "form input[type=file]", [fileOf("gray.png")]);
  await third;
  const failed = page.waitForEvent("requestfailed");
  await page.evaluate((path) => history.pushState(null, "", path), `/chat/personal?with=${bob.id}`);
  await page.getByRole("heading", { name: "Bob" }).waitFor();
  await failed;
  expect(await page.locator("form").getByRole("img", { name: "Picture" }).count()).toBe(0);
  expect(errors).toEqual([]);
  await close();
});

it("stays on the page when a file, or a picture or link of another page, is dropped beside its target", {
  tags: "slow",
}, async () => {
  const { page, close } = await openScene("/profilePicUpload", DESKTOP);
  await page.getByText("Choose or drop pictures").waitFor();
  const dropAll = () =>
    page.evaluate(() => {
      const file = new DataTransfer();
      file.items.add(new File(["x"], "beside.jpg", { type: "image/jpeg" }));
      const picture = new DataTransfer();
      picture.setData("text/uri-list", "https://example.test/1.jpg");
      picture.setData("text/html", '<img src="https://example.test/1.jpg">');
      const field = document.body.appendChild(document.createElement("textarea"));
      const drop = (target: Element, dataTransfer: DataTransfer) =>
        ["dragover", "drop"].map(
          (type) => !target.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })),
        );
      return [drop(document.body, file), drop(document.body, picture), drop(field, file), drop(field, picture)];
    });
  // A field takes the address as text.
  const [kept, taken] = [
    [true, true],
    [false, false],
  ];
  await expect.poll(dropAll, LONG_TIMEOUT).toEqual([kept, kept, kept, taken]);
  await page.getByText("Choose or drop pictures").evaluate((target) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.setData("text/uri-list", "https://example.test/1.jpg");
    target.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  });
  await page.getByText(SENTENCES.TYPE).waitFor();
  await close();
});
