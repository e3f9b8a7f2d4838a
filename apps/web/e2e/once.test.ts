import { openSite, PHONE, type TestSite } from "@lambda/testing/browser";
import { findBarriers } from "@lambda/ui/barriers";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { type BrowserMember, logIn, makeMember } from "./members.ts";
import { cancelUpload, clickButton, openFold } from "./page-actions.ts";
import { requestOpening, sendViewOncePicture } from "./view-once-scene.ts";

let site: TestSite;
let sender: BrowserMember;
let reader: BrowserMember;

beforeAll(async () => {
  site = await openSite();
  [sender, reader] = [await makeMember(site, { name: "Marco" }), await makeMember(site, { name: "Ansel" })];
});

/** Loses the response to the first opening, so that the page retries; counts the requests. */
const loseFirstResponse = (page: Page) =>
  page.evaluate(() => {
    const real = window.fetch;
    let openings = 0;
    window.fetch = async (...call) => {
      const response = await real(...call);
      if (!String(call[0]).endsWith("/open")) return response;
      openings += 1;
      Reflect.set(window, "openings", openings);
      if (openings > 1) return response;
      await response.body?.cancel();
      throw new TypeError("the connection was lost");
    };
  });

const countStoredPictures = async () => {
  const [row] = await site.sql<{ n: number }>("select count(*) as n from picture where audience = 'once'");
  return row?.n;
};

it("a view-once picture opens once for its recipient and is then gone for both members", async () => {
  const [mine, theirs] = [await site.open(), await site.open()];
  await Promise.all([logIn(site, mine.context, sender), logIn(site, theirs.context, reader)]);
  await Promise.all([
    mine.page.goto(`/chat/personal?with=${reader.id}`),
    theirs.page.goto(`/chat/personal?with=${sender.id}`),
  ]);

  await sendViewOncePicture(mine.page, async () => expect(await findBarriers(mine.page)).toEqual([]));
  const [mineLog, theirLog] = [mine.page.getByRole("log"), theirs.page.getByRole("log")];
  await mineLog.getByText("Not opened yet").waitFor();

  await theirLog.getByText("You didn't ask for it.").waitFor();
  expect(await findBarriers(theirs.page)).toEqual([]);
  const [{ id } = { id: 0 }] = await site.sql<{ id: number }>("select message_id as id from once_view");
  expect(await requestOpening(mine.page, id, "the-sender-tries-too")).toBe(404);

  await loseFirstResponse(theirs.page);
  await theirLog.getByRole("button", { name: "Open once" }).click();
  const picture = theirs.page.getByRole("img", { name: "Picture, shown once" });
  await picture.waitFor();
  expect(await theirs.page.evaluate(() => Reflect.get(window, "openings"))).toBe(2);
  await expect.poll(() => picture.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBe(400);
  expect(await findBarriers(theirs.page)).toEqual([]);
  expect(await requestOpening(theirs.page, id, "a-second-raw-request")).toBe(404);
  expect(await countStoredPictures()).toBe(1);

  // Back closes the viewer and nothing else.
  await theirs.page.goBack();
  await picture.waitFor({ state: "detached" });
  expect(theirs.page.url()).toContain(`/chat/personal?with=${sender.id}`);
  await theirLog.getByText(/^Opened/).waitFor();
  // Before an answer the sender learns of no opening.
  await mineLog.getByText("Not opened yet").waitFor();
  await theirs.page.getByRole("textbox", { name: "Message" }).fill("Nice one");
  await theirs.page.getByRole("button", { name: "Send", exact: true }).click();
  await mineLog.getByText(/^Opened/).waitFor();
  await expect.poll(countStoredPictures).toBe(0);
  expect(await requestOpening(theirs.page, id, "a-third-raw-request-")).toBe(404);
  await theirs.page.reload();
  await theirLog.getByText(/^Opened/).waitFor();
  expect(await theirLog.getByRole("button", { name: "Open once" }).count()).toBe(0);
  expect(await theirs.page.evaluate(async () => (await caches.keys()).length)).toBe(0);
  // The aborted response and the rejected requests are provoked by this test.
  const unexpected = [...mine.errors, ...theirs.errors].filter((error) => !/404|ERR_FAILED/.test(error));
  expect(unexpected).toEqual([]);
  await Promise.all([mine.context.close(), theirs.context.close()]);
});

const setVisibility = (page: Page, state: string) =>
  page.evaluate((visibility) => {
    Object.defineProperty(document, "visibilityState", { value: visibility, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, state);

it("the report of a view-once picture outlives a look at another app, and is left only on purpose", {
  tags: "slow",
}, async () => {
  const { context, page } = await site.open();
  await logIn(site, context, reader);
  const sending = await site.open();
  await logIn(site, sending.context, sender);
  await sending.page.goto(`/chat/personal?with=${reader.id}`);
  await sendViewOncePicture(sending.page);
  await sending.page.getByRole("log").getByText("Not opened yet").waitFor();
  await sending.context.close();
  await page.goto(`/chat/personal?with=${sender.id}`);
  await page.getByRole("log").getByRole("button", { name: "Open once" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Report" }).click();
  const report = page.getByRole("dialog", { name: "Report Violation" });
  const category = report.getByLabel("What's wrong?");
  await category.selectOption("hate");
  for (const state of ["hidden", "visible"]) await setVisibility(page, state);
  // From two seconds after the start, Back closes what lies on top.
  await page.waitForFunction(() => history.state?.layer !== undefined);
  for (const leave of [() => page.goBack(), () => page.keyboard.press("Escape"), () => page.mouse.click(5, 5)]) {
    await leave();
    const question = page.getByRole("dialog", { name: "Leave without reporting?" });
    await question.getByRole("button", { name: "Cancel" }).click();
    await question.waitFor({ state: "hidden" });
  }
  expect(await category.inputValue()).toBe("hate");
  await report.getByRole("button", { name: "Report", exact: true }).click();
  await page.getByText("Thank you. Your report is on its way.").first().waitFor();
  expect(await site.sql("select kind from evidence where kind = 'picture'")).toHaveLength(1);
  await expect.poll(countStoredPictures).toBe(0);
  await context.close();
});

it("a view-once picture is not sent after Cancel during its upload", { tags: "slow" }, async () => {
  const { context, page, errors } = await site.open();
  await logIn(site, context, sender);
  await page.goto(`/chat/personal?with=${reader.id}`);
  const sheet = page.getByRole("dialog", { name: "A picture he can open once" });
  await cancelUpload(
    page,
    "/api/profile-pic",
    () => sendViewOncePicture(page),
    () => clickButton(page, "Cancel"),
  );
  await sheet.waitFor({ state: "hidden" });
  expect(await countStoredPictures()).toBe(0);
  // The sheet can be used again.
  await page.getByRole("button", { name: "Add to message" }).click();
  await page.getByRole("menuitem", { name: "Picture to open once" }).click();
  await sheet.getByRole("button", { name: "Choose a picture" }).last().click({ trial: true });
  expect(await sheet.getByRole("alert").count()).toBe(0);
  expect(errors).toEqual([]);
});

/** Records some of the beeps of Chromium's fake microphone in the voice message sheet. */
async function record(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Voice message" }).click();
  const sheet = page.getByRole("dialog", { name: "Voice message" });
  await sheet.getByRole("button", { name: "Record", exact: true }).click();
  await sheet
    .getByText(/^Recording/)
    .first()
    .waitFor();
  await page.waitForFunction(() => document.querySelectorAll("dialog[open] i").length > 20);
  await sheet.getByRole("button", { name: "Stop" }).click();
  await sheet.getByRole("button", { name: "Record again" }).waitFor();
}

/** Records as long as the microphone is pressed. */
async function recordHolding(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Voice message" }).hover();
  await page.mouse.down();
  await page.waitForFunction(() => document.querySelectorAll("dialog[open] i").length > 20);
  expect(await page.getByRole("button", { name: "Record again" }).count()).toBe(0);
  await page.mouse.up();
  await page.getByRole("button", { name: "Record again" }).waitFor();
}

it("a voice message is recorded, sent offline, delivered later, played at several speeds, and can be sent to be heard once", {
  tags: "slow",
}, async () => {
  const [mine, theirs] = [await site.open(), await site.open()];
  await Promise.all([logIn(site, mine.context, sender), logIn(site, theirs.context, reader)]);
  await Promise.all([
    mine.page.goto(`/chat/personal?with=${reader.id}`),
    theirs.page.goto(`/chat/personal?with=${sender.id}`),
  ]);
  const theirLog = theirs.page.getByRole("log");
  // Send takes the microphone's place while there is something to send.
  const field = mine.page.getByRole("textbox", { name: "Message" });
  await field.fill("Only half of");
  await mine.page.getByRole("button", { name: "Send", exact: true }).waitFor();
  expect(await mine.page.getByRole("button", { name: "Voice message" }).count()).toBe(0);
  await field.fill("");
  await record(mine.page);
  expect(await findBarriers(mine.page)).toEqual([]);
  // The recording is over after two seconds.
  const playing = mine.page.getByRole("button", { name: "Pause" }).waitFor();
  await mine.page.getByRole("button", { name: "Play" }).last().click();
  await playing;

  // Sent offline, it stays on the device through a reload.
  await mine.context.setOffline(true);
  await mine.page.getByRole("button", { name: "Send it" }).click();
  await mine.page.getByRole("log").getByText("Voice message").waitFor();
  expect(await site.sql("select id from voice")).toEqual([]);
  await mine.context.setOffline(false);
  await mine.page.reload();
  await theirLog.getByRole("button", { name: "Play" }).waitFor();
  expect(await findBarriers(theirs.page)).toEqual([]);
  await theirLog.getByRole("button", { name: "Speed 1×" }).click();
  await theirLog.getByRole("button", { name: "Speed 1.5×" }).click();
  await theirLog.getByRole("button", { name: "Play" }).click();
  const playbackPosition = theirLog.getByRole("slider", { name: "Position in the recording" });
  await expect.poll(() => playbackPosition.inputValue().then(Number)).toBeGreaterThan(0);
  await theirLog.getByRole("button", { name: "Play" }).waitFor();
  expect(await theirs.page.getByText("won't play").count()).toBe(0);
  // Before an answer the sender learns of no opening.
  await theirs.page.getByRole("textbox", { name: "Message" }).fill("Nice voice");
  await theirs.page.getByRole("button", { name: "Send", exact: true }).click();

  await recordHolding(mine.page);
  await mine.page.getByLabel("He can play it only once").check({ force: true });
  await mine.page.getByRole("button", { name: "Send it" }).click();
  await theirLog.getByRole("button", { name: "Listen once" }).click();
  const viewer = theirs.page.getByRole("dialog", { name: "Voice message to hear once" });
  const listening = viewer.getByRole("button", { name: "Pause" }).waitFor();
  await viewer.getByRole("button", { name: "Play" }).click();
  await listening;
  await viewer.getByRole("button", { name: "Close" }).click();
  await expect.poll(async () => (await site.sql("select id from voice where once = 1")).length).toBe(0);
  await mine.page
    .getByRole("log")
    .getByText(/^Opened/)
    .last()
    .waitFor();
  expect([...mine.errors, ...theirs.errors].filter((error) => !/ERR_INTERNET|Failed to fetch/.test(error))).toEqual([]);
  await Promise.all([mine.context.close(), theirs.context.close()]);
});

/** Makes the browser ask for the microphone until the page gets an "allow" event, and counts what is recording. */
const askForMicrophone = (page: Page) =>
  page.evaluate(() => {
    const { mediaDevices } = navigator;
    const getUserMedia = mediaDevices.getUserMedia.bind(mediaDevices);
    const streams: MediaStream[] = [];
    mediaDevices.getUserMedia = async (constraints) => {
      await new Promise((resolve) => addEventListener("allow", resolve, { once: true }));
      const stream = await getUserMedia(constraints);
      streams.push(stream);
      return stream;
    };
    Object.assign(window, {
      microphones: () => ({
        opened: streams.length,
        live: streams.filter((stream) => stream.getTracks().some(({ readyState }) => readyState === "live")).length,
      }),
    });
  });
const allowMicrophone = (page: Page) => page.evaluate(() => void dispatchEvent(new Event("allow")));
const microphones = (page: Page) =>
  page.evaluate(() => (window as unknown as { microphones: () => unknown }).microphones());

it("the microphone records nothing after the sheet was closed, and only once if the member starts twice", async () => {
  const { context, page, errors } = await site.open();
  await logIn(site, context, sender);
  await page.goto(`/chat/personal?with=${reader.id}`);
  await page.getByRole("button", { name: "Add to message" }).waitFor();
  await askForMicrophone(page);
  const sheet = page.getByRole("dialog", { name: "Voice message" });
  const start = sheet.getByRole("button", { name: "Record", exact: true });
  const open = async () => {
    await page.getByRole("button", { name: "Voice message" }).click();
    await start.waitFor();
  };
  await open();
  await start.click();
  await sheet.getByRole("button", { name: "Cancel" }).click();
  await sheet.waitFor({ state: "hidden" });
  await allowMicrophone(page);
  await expect.poll(() => microphones(page)).toEqual({ opened: 1, live: 0 });

  await open();
  await start.click();
  await start.click();
  await allowMicrophone(page);
  await sheet
    .getByText(/^Recording/)
    .first()
    .waitFor();
  await expect.poll(() => microphones(page)).toEqual({ opened: 3, live: 1 });
  await sheet.getByRole("button", { name: "Cancel" }).click();
  await expect.poll(() => microphones(page)).toEqual({ opened: 3, live: 0 });
  // What was discarded is no failed recording.
  await open();
  expect(await sheet.getByRole("alert").count()).toBe(0);
  expect(errors).toEqual([]);
});

it("the microphone is said to be refused, absent or busy, and after a fault it is closed, or records unmeasured", {
  tags: "slow",
}, async () => {
  const { context, page, errors } = await site.open();
  await logIn(site, context, sender);
  await page.goto(`/chat/personal?with=${reader.id}`);
  await page.getByRole("button", { name: "Add to message" }).waitFor();
  await page.evaluate(() => {
    const { mediaDevices } = navigator;
    const getUserMedia = mediaDevices.getUserMedia.bind(mediaDevices);
    const tracks: MediaStreamTrack[] = [];
    const faults = ["NotAllowedError", "NotFoundError", "NotReadableError"];
    mediaDevices.getUserMedia = async (constraints) => {
      const fault = faults.shift();
      if (fault) throw new DOMException("", fault);
      const stream = await getUserMedia(constraints);
      tracks.push(...stream.getTracks());
      return stream;
    };
    const { start } = MediaRecorder.prototype;
    MediaRecorder.prototype.start = () => {
      MediaRecorder.prototype.start = start;
      throw new DOMException("", "NotSupportedError");
    };
    AudioContext.prototype.createMediaStreamSource = () => {
      throw new DOMException("different sample-rate", "NotSupportedError");
    };
    Object.assign(window, { tracks });
  });
  const live = () =>
    page.evaluate(
      () =>
        (window as unknown as { tracks: MediaStreamTrack[] }).tracks.filter((it) => it.readyState === "live").length,
    );
  await page.getByRole("button", { name: "Voice message" }).click();
  const sheet = page.getByRole("dialog", { name: "Voice message" });
  const start = sheet.getByRole("button", { name: "Record", exact: true });
  for (const reason of [
    /can't use your microphone/,
    /This device has no microphone/,
    /a call or another app may be using it/,
    /can't record sound/,
  ]) {
    await start.click();
    await sheet.getByRole("alert").getByText(reason).waitFor();
  }
  expect(await live()).toBe(0);

  await start.click();
  await page.waitForFunction(() => document.querySelectorAll("dialog[open] i").length > 20);
  expect(await live()).toBe(1);
  // As when it is unplugged.
  await page.evaluate(() => {
    for (const track of (window as unknown as { tracks: MediaStreamTrack[] }).tracks)
      track.dispatchEvent(new Event("ended"));
  });
  await sheet.getByRole("button", { name: "Record again" }).waitFor();
  expect(await live()).toBe(0);
  expect(await sheet.getByRole("alert").count()).toBe(0);
  // What was recorded stays until the microphone is there for another.
  await page.evaluate(() => {
    const devices = navigator.mediaDevices;
    const ask = devices.getUserMedia.bind(devices);
    devices.getUserMedia = async () => {
      devices.getUserMedia = ask;
      throw new DOMException("", "NotReadableError");
    };
  });
  await sheet.getByRole("button", { name: "Record again" }).click();
  await sheet.getByText("Your microphone isn't answering").waitFor();
  expect(await sheet.getByRole("button", { name: "Send it" }).count()).toBe(1);

  const log = page.getByRole("log");
  const play = log.getByRole("button", { name: "Play" });
  // Earlier stories of this file leave recordings in the conversation too.
  const sent = play.nth(await play.count());
  await sheet.getByRole("button", { name: "Send it" }).click();
  const isSound = (url: URL) => /^\/api\/voice\/\d+$/.test(url.pathname);
  await page.route(isSound, (route) => route.abort());
  await sent.click();
  await log.getByText("won't play. Try again").waitFor();
  await page.unroute(isSound);
  await page.evaluate(() => {
    HTMLMediaElement.prototype.canPlayType = () => "";
  });
  await page.route(isSound, (route) => route.fulfill({ contentType: "audio/webm", body: "no sound" }));
  await sent.click();
  await log.getByText("This browser can't play this kind of recording.").waitFor();
  await page.unroute(isSound);
  const playing = log.getByRole("button", { name: "Pause" }).waitFor();
  await Promise.all([playing, sent.click()]);
  await log.getByText("can't play").waitFor({ state: "detached" });
  expect(errors.filter((error) => !error.includes("ERR_FAILED"))).toEqual([]);
  await context.close();
});

it("a recording ends when the page is hidden, and plays alone until its conversation is left", {
  tags: "slow",
}, async () => {
  const { context, page, errors } = await site.open({ viewport: PHONE });
  await logIn(site, context, sender);
  const third = await makeMember(site, { name: "Third" });
  await page.goto(`/chat/personal?with=${third.id}`);
  const sheet = page.getByRole("dialog", { name: "Voice message" });
  const hide = (state: string) => setVisibility(page, state);
  for (const _ of [1, 2]) {
    await page.getByRole("button", { name: "Voice message" }).click();
    await sheet.getByRole("button", { name: "Record", exact: true }).click();
    await page.waitForFunction(() => document.querySelectorAll("dialog[open] i").length > 60);
    await hide("hidden");
    await sheet.getByRole("button", { name: "Record again" }).waitFor();
    await hide("visible");
    await sheet.getByRole("button", { name: "Send it" }).click();
    await sheet.waitFor({ state: "hidden" });
  }
  const log = page.getByRole("log");
  const [play, pause] = ["Play", "Pause"].map((name) => log.getByRole("button", { name }));
  await expect.poll(() => play?.count(), { timeout: 20_000 }).toBe(2);
  await play?.first().click();
  await pause?.waitFor();
  await play?.click();
  const playing = () =>
    page.evaluate(() => (window as unknown as { sounds: HTMLAudioElement[] }).sounds.map(({ paused }) => !paused));
  await page.evaluate(() => Object.assign(window, { sounds: [...document.querySelectorAll("[role=log] audio")] }));
  await expect.poll(playing).toEqual([false, true]);
  await page.getByRole("link", { name: "Back to conversations" }).click();
  await expect.poll(playing).toEqual([false, false]);
  expect(errors).toEqual([]);
  await context.close();
});

it("a voice introduction is recorded, played with its waveform at another speed, attached to a report, and deleted", {
  tags: "slow",
}, async () => {
  const [mine, theirs] = [await site.open(), await site.open()];
  await Promise.all([logIn(site, mine.context, sender), logIn(site, theirs.context, reader)]);
  await mine.page.goto("/profileEdit");
  await openFold(mine.page, "Voice introduction");
  const sheet = mine.page.getByRole("dialog", { name: "Voice introduction" });
  const recordIntroduction = async () => {
    await mine.page.getByRole("button", { name: "Record one" }).press("Enter");
    await sheet.getByRole("button", { name: "Record", exact: true }).press("Enter");
    await mine.page.waitForFunction(() => document.querySelectorAll("dialog[open] i").length > 20);
    await sheet.getByRole("button", { name: "Stop" }).press("Enter");
  };
  await recordIntroduction();
  const use = sheet.getByRole("button", { name: "Use this one" });
  await cancelUpload(
    mine.page,
    "/api/profile-voice",
    () => use.press("Enter"),
    () => sheet.getByRole("button", { name: "Cancel" }).press("Enter"),
  );
  expect(await site.sql("select id from profile_voice")).toEqual([]);
  await recordIntroduction();
  await use.press("Enter");
  await mine.page.getByText("Your voice introduction is on your profile.").first().waitFor();
  await mine.page.getByRole("button", { name: "Record a new one" }).waitFor();
  expect(await findBarriers(mine.page)).toEqual([]);

  await theirs.page.goto(`/profile/${sender.id}`);
  const introduction = theirs.page.getByRole("region", { name: "Voice introduction" });
  await introduction.getByRole("button", { name: "Speed 1×" }).press("Enter");
  await introduction.getByRole("button", { name: "Speed 1.5×" }).waitFor();
  await introduction.getByRole("button", { name: "Play" }).press("Enter");
  const playbackPosition = introduction.getByRole("slider", { name: "Position in the recording" });
  await expect.poll(() => playbackPosition.inputValue().then(Number)).toBeGreaterThan(0);
  expect(await introduction.locator("i").count()).toBeGreaterThan(10);
  // What a locked phone shows, where everybody reads it.
  const shown = () =>
    theirs.page.evaluate(() => {
      const { title, artist, artwork } = navigator.mediaSession.metadata ?? {};
      return [title, artist, ...(artwork ?? []).map(({ src }) => new URL(src).pathname)];
    });
  await expect.poll(shown).toEqual(["Audio", "Audio", "/icons/notes-192.png"]);
  expect(await findBarriers(theirs.page)).toEqual([]);
  await theirs.page.getByRole("button", { name: "Action" }).tap();
  await theirs.page.getByRole("menuitem", { name: "Report Violation" }).tap();
  await theirs.page.getByLabel("What's wrong?").selectOption("hate");
  await theirs.page.getByLabel("His voice introduction shows it").check({ force: true });
  // The toast may be gone before a slow press returns.
  const thanked = theirs.page.getByText("Thank you. Your report is on its way.").first().waitFor();
  await theirs.page.getByRole("button", { name: "Report", exact: true }).tap();
  await thanked;
  expect(await site.sql("select kind from evidence where kind = 'voice'")).toHaveLength(1);

  await mine.page.getByRole("radio", { name: /Your private album/ }).press("Space");
  await expect.poll(() => site.sql("select audience from profile_voice")).toEqual([{ audience: "private" }]);
  await mine.page.getByRole("button", { name: "Delete it" }).press("Enter");
  await mine.page.getByRole("button", { name: "Yes, delete it" }).press("Enter");
  await mine.page.getByRole("paragraph").filter({ hasText: "You have none yet." }).waitFor();
  expect(await site.sql("select id from profile_voice")).toEqual([]);
  expect([...mine.errors, ...theirs.errors]).toEqual([]);
  await Promise.all([mine.context.close(), theirs.context.close()]);
});
