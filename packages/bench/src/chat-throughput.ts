/**
 * From pressing Enter to the message standing in another browser's page, in two real browsers, with where the time went; and
 * a broadcast area with 1,000 sockets, where nothing may be lost. `--members` changes the number of sockets, `--requests` that of
 * the messages. Both ends run on this machine and share its clock.
 */
import { loadavg } from "node:os";
import { openSite, type TestSite } from "@lambda/testing/browser";
import { createMember, createMembers, createSession, createSessions } from "@lambda/testing/members";
import { chatFrames, type Exchange, exchange, watchPage } from "./chat-pages.ts";
import { goal, line, quantile, spread } from "./figures.ts";
import type { BenchOptions } from "./options.ts";

const BROADCASTS = 20;
const OPENED_AT_ONCE = 25;
/** Of one pair and direction: with the warm-up below the cap of a minute. */
const MESSAGES_A_SIDE = 50;
/** The first ones of a pair open the conversation, its objects and the code of both pages. */
const WARM_UP = 5;
/** What has not arrived after this long counts as lost. */
const LOST_AFTER_MS = 15_000;

export async function run({ members = 1000, requests = 300 }: BenchOptions): Promise<void> {
  const site = await openSite();
  const load = () => loadavg()[0]?.toFixed(1);
  line("load average of the last minute, before", `${load()}`);
  await browsers(site, requests);
  line("load average after the two browsers", `${load()}`);
  await area(site, members);
  line("load average after the area", `${load()}`);
  await site.close();
}

async function browsers(site: TestSite, count: number): Promise<void> {
  const seen: Exchange[] = [];
  while (seen.length < count) {
    const [left, right] = [await visitor(site, "Left"), await visitor(site, "Right")];
    await left.page.goto(`/chat/personal?with=${right.id}`);
    await right.page.goto(`/chat/personal?with=${left.id}`);
    for (const { page } of [left, right]) await page.getByRole("textbox", { name: "Message" }).waitFor();
    const most = Math.min(2 * MESSAGES_A_SIDE, count - seen.length);
    for (let at = -WARM_UP * 2; at < most; at += 1) {
      const [from, to] = at % 2 === 0 ? [left, right] : [right, left];
      const one = await exchange(from.page, to.page, `message ${at + WARM_UP * 2} of ${left.id}.`, LOST_AFTER_MS);
      if (at >= 0) seen.push(one);
    }
    await left.page.context().close();
    await right.page.context().close();
  }
  line(`Enter to text in the other, ${seen.length} messages, ms`, spread(seen.map(({ shown }) => shown)));
  for (const part of ["keyToRequest", "requestToFrame", "frameToShown", "requestToAnswer", "painted"] as const) {
    line(`  ${part}`, spread(seen.map((one) => one[part])));
  }
  goal(
    "p99, ms",
    quantile(
      seen.map(({ shown }) => shown),
      0.99,
    ),
    50,
  );
}

async function area(site: TestSite, count: number): Promise<void> {
  const port = new URL(site.url("/")).port;
  const cookies = await makeListeners(site, count);
  const origin = `http://localhost:${port}`;
  const frames: { at: number; text: string }[][] = [];
  const sockets: WebSocket[] = [];
  const expected = { broadcasts: 0, arrived: 0, done: () => {} };
  for (let opened = 0; opened < count; opened += OPENED_AT_ONCE) {
    await Promise.all(
      cookies.slice(opened, opened + OPENED_AT_ONCE).map(async (cookie) => {
        const mine: (typeof frames)[number] = [];
        frames.push(mine);
        sockets.push(
          await openListener(`ws://localhost:${port}/ws/area`, { cookie, origin }, (text) => {
            mine.push({ at: performance.now(), text });
            expected.arrived += 1;
            if (expected.arrived === expected.broadcasts * count) expected.done();
          }),
        );
      }),
    );
  }
  const sent: { id: number; at: number; answered: number }[] = [];
  for (const cookie of cookies.slice(0, BROADCASTS)) {
    const all = new Promise<void>((resolve) => {
      expected.done = resolve;
      setTimeout(resolve, LOST_AFTER_MS).unref();
    });
    expected.broadcasts += 1;
    const at = performance.now();
    const answer = await fetch(`${origin}/api/message`, {
      method: "POST",
      headers: { origin, cookie, "content-type": "application/json" },
      body: JSON.stringify({ bodyText: "to everybody around" }),
    });
    if (answer.status !== 201) throw new Error(`a broadcast was answered ${answer.status}: ${await answer.text()}`);
    sent.push({ id: ((await answer.json()) as { id: number }).id, at, answered: performance.now() - at });
    await all;
  }
  const heard = frames.map((mine) =>
    chatFrames(mine.map(({ text }) => text)).flatMap((event) => (event.type === "broadcast" ? [event.message.id] : [])),
  );
  const exact = heard.filter((ids) => ids.length === sent.length && new Set(ids).size === sent.length).length;
  const times = sent.flatMap(({ at }, index) => frames.flatMap((mine) => (mine[index] ? [mine[index].at - at] : [])));
  const firsts = sent.map(({ at }, index) => Math.min(...frames.map((mine) => (mine[index]?.at ?? Infinity) - at)));
  line(`${count} sockets in one area, ${sent.length} broadcasts, ms`, spread(times));
  line("  answer to the sender", spread(sent.map(({ answered }) => answered)));
  line("  first of the sockets", spread(firsts));
  line("sockets that got each broadcast once", `${exact} of ${count} ${exact === count ? "met" : "MISSED"}`);
  for (const socket of sockets) socket.close();
}

/** An open socket of the map chat that hands over each frame but the first, which says that it stands. */
function openListener(url: string, headers: Record<string, string>, onFrame: (text: string) => void) {
  return new Promise<WebSocket>((resolve, reject) => {
    // Node's WebSocket takes headers, which the types of browsers do not know.
    const socket = new WebSocket(url, { headers } as never);
    let ready = false;
    socket.onerror = () => reject(new Error("a socket was refused"));
    socket.onmessage = ({ data }) => {
      if (ready) return onFrame(String(data));
      ready = true;
      resolve(socket);
    };
  });
}

/** Members with sessions. Answers their Cookie headers. */
async function makeListeners(site: TestSite, count: number): Promise<string[]> {
  const listeners = await createMembers(
    site.run,
    Array.from({ length: count }, (_, index) => ({ name: `Listener ${index}`, randomOrder: index })),
  );
  const tokens = await createSessions(
    site.run,
    listeners.map(({ id }) => id),
  );
  return tokens.map((token) => `__Host-session=${token}`);
}

/** A member in a browser that is logged in, with the page watched. */
async function visitor(site: TestSite, name: string) {
  const { id } = await createMember(site.run, { name, sharingChosen: Date.now() });
  const token = await createSession(site.run, id);
  const { page, context } = await site.open({ viewport: { width: 1000, height: 800 } });
  await context.addInitScript(watchPage);
  const url = site.url("/").replace("http:", "https:");
  await context.addCookies([
    { name: "__Host-session", value: token, url, httpOnly: true, secure: true, sameSite: "Lax" },
    { name: "logged_in", value: "1", url, secure: true, sameSite: "Lax" },
  ]);
  return { id, page };
}
