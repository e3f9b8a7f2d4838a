import { DESKTOP, openSite, PHONE, type TestSite } from "@lambda/testing/browser";
import { afterAll, beforeAll, expect, it } from "vitest";
import { can } from "./cannot.ts";
import { ENGINES } from "./driver.ts";
import { stopEngines, withEngines } from "./engines.ts";
import { makePictureFile } from "./files.ts";
import { button, Tab, type Target, text } from "./tab.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});
afterAll(stopEngines);

const FIELD: Target = { role: "textbox", name: "Message" };
const LOG: Target = { role: "log" };
const inLog = (shown: string | RegExp): Target => text(shown, LOG);
const READS = /^GET \/trpc\//;

async function send(tab: Tab, message: string): Promise<void> {
  await tab.fill(FIELD, message);
  await tab.press(button("Send"));
  await tab.see(inLog(message));
}

/** Records for a second and sends it, which fails if what the engine records cannot be heard. */
async function sendVoice(from: Tab, to: Tab): Promise<void> {
  const countSounds = () => to.driver.evaluate(() => document.querySelectorAll("[role=log] audio").length);
  const before = await countSounds();
  await from.press(button("Voice message"));
  const sheet: Target = { role: "dialog", name: "Voice message" };
  await from.press(button("Record", sheet));
  await from.see(text(/^Recording, [12]\d seconds left/, sheet));
  await from.press(button("Stop", sheet));
  await from.see(button("Record again", sheet));
  await from.press(button("Send it", sheet));
  await from.gone(sheet);
  if (!can(from.engine, "record sound")) {
    await from.see(inLog(/^Failed/));
    return;
  }
  await to.until("the voice message", async () => (await countSounds()) === before + 1);
  const { seconds, loudest } = await to.driver.evaluate(decodeNewest);
  expect(seconds).toBeGreaterThan(0.5);
  expect(loudest).toBeGreaterThan(0.01);
  await to.press({ ...button("Play", LOG), last: true });
  await to.until("the sound of it", () =>
    to.driver.evaluate(() => [...document.querySelectorAll("audio")].some(({ played }) => played.length > 0)),
  );
}

/** Runs in the page: what its engine makes of the newest recording. */
async function decodeNewest(): Promise<{ seconds: number; loudest: number }> {
  const { src } = [...document.querySelectorAll<HTMLAudioElement>("[role=log] audio")].at(-1)!;
  const bytes = await (await fetch(src)).arrayBuffer();
  const sound = await new OfflineAudioContext(1, 1, 44_100).decodeAudioData(bytes);
  const loudest = sound.getChannelData(0).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  return { seconds: sound.duration, loudest };
}

it.each(ENGINES.map((one, index) => [one, ENGINES[(index + 1) % ENGINES.length]!] as const))(
  "%s on a desktop and %s on a phone write to each other by socket",
  (first, second) =>
    withEngines([first, second], async (one, other) => {
      const ann = await Tab.open(site, one!, { viewport: DESKTOP });
      const bob = await Tab.open(site, other!, { viewport: PHONE });
      const { id: annId } = await ann.logIn(site, "Ansel");
      const { id: bobId } = await bob.logIn(site, "Bruno");
      await ann.goto(`/chat/personal?with=${bobId}`);
      await bob.goto(`/chat/personal?with=${annId}`);
      await Promise.all([ann.see(FIELD), bob.see(FIELD)]);
      // What arrives from here on came by the socket: every read is refused, and so is the poll.
      for (const tab of [ann, bob]) tab.proxy.refuse(READS);
      await send(ann, "hello there");
      await bob.see(inLog("hello there"));
      await bob.press(FIELD);
      await bob.driver.type("hm");
      await ann.see(text(/is typing/));
      await send(bob, "hi yourself");
      await ann.see(inLog("hi yourself"));
      // Before the first answer the sender learns of no receipt.
      await send(ann, "how are you?");
      await ann.see(text("Seen"));
      for (const tab of [ann, bob]) tab.proxy.refuse();

      await bob.press(button(/hello there/, LOG));
      await bob.press(button("Fire"));
      await ann.see(text("He reacted: Fire"));
      await bob.press(button(/hello there/, LOG));
      await bob.press(button("Reply"));
      await bob.see(text("Reply to Ansel"));
      await send(bob, "with a quote");
      await ann.see(inLog("with a quote"));
      await bob.press(button(/with a quote/, LOG));
      await bob.press(button("Take back"));
      await ann.gone(inLog("with a quote"));

      await ann.driver.choose("form input[type=file]", await makePictureFile());
      await ann.see(button("Remove picture"));
      await ann.press(button("Send"));
      await bob.see({ css: "[role=log] img" });
      await ann.press(button("Add to message"));
      await ann.press({ role: "menuitem", name: "Picture to open once" });
      await ann.see(text(/Nobody can stop a screenshot/));
      await ann.driver.choose("dialog[open] input[type=file]", await makePictureFile());
      await ann.see({ role: "img", name: "The picture you chose" });
      await ann.press(button("Send it"));
      await bob.press(button("Open once", LOG));
      await bob.see({ role: "img", name: "Picture, shown once" });
      await bob.press(button("Close"));
      await ann.see(inLog(/^Opened/));

      for (const [from, to] of [
        [ann, bob],
        [bob, ann],
      ] as const)
        await sendVoice(from, to);

      for (const tab of [ann, bob]) {
        await tab.goto("/chat/broadcast");
        // The second read follows the socket's opening.
        const reads = () => tab.proxy.requests.filter((line) => line.includes("messages.area")).length;
        await tab.until("the area's socket", async () => reads() > 1);
        tab.proxy.refuse(READS);
      }
      const call = `coffee, ${first}?`;
      await ann.fill(FIELD, call);
      await ann.press(button("Send"));
      for (const tab of [ann, bob]) await tab.see(text(call, { role: "article" }));
      await ann.close();
      await bob.close();
    }),
);
