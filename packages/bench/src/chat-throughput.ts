/**
 * Measures the time from pressing Enter to the message appearing in another real browser, with its parts; and broadcasts in an area
 * with 1,000 sockets, where nothing may be lost. `--members` sets the number of sockets, `--requests` that of messages. Both ends run on
 * this machine and share its clock.
 */
import { loadavg } from "node:os";
import { openSite, type TestSite } from "@lambda/testing/browser";
import { insertMember, insertMembers, insertSession, insertSessions } from "@lambda/testing/members";
import { chatFrames, type Exchange, exchange, watchPage } from "./chat-pages.ts";
import { formatSpread, printGoal, printLine, quantile } from "./figures.ts";
import type { BenchOptions } from "./options.ts";

const BROADCASTS = 20;
const OPENED_AT_ONCE = 25;
/** Messages per pair and direction; including the warm-up, this stays below the rate limit per minute. */
const MESSAGES_PER_SIDE = 50;
/** The first messages of a pair create the conversation and its objects and load the code of both pages. */
const WARM_UP = 5;
/** Messages that have not arrived after this time count as lost. */
const LOST_AFTER_MS = 15_000;

export async function run({ members = 1000, requests = 300 }: BenchOptions): Promise<void> {
  const site = await openSite();
  const load = () => loadavg()[0]?.toFixed(1);
  printLine("load average of the last minute, before", `${load()}`);
  await measureBrowsers(site, requests);
  printLine("load average after the two browsers", `${load()}`);
  await measureArea(site, members);
  printLine("load average after the area", `${load()}`);
  await site.close();
}

async function measureBrowsers(site: TestSite, count: number): Promise<void> {
  const seen: Exchange[] = [];
  while (seen.length < count) {
    const [left, right] = [await openMemberPage(site, "Left"), await openMemberPage(site, "Right")];
    await left.page.goto(`/chat/personal?with=${right.id}`);
    await right.page.goto(`/chat/personal?with=${left.id}`);
    for (const { page } of [left, right]) await page.getByRole("textbox", { name: "Message" }).waitFor();
    const remaining = Math.min(2 * MESSAGES_PER_SIDE, count - seen.length);
    for (let index = -WARM_UP * 2; index < remaining; index += 1) {
      const [from, to] = index % 2 === 0 ? [left, right] : [right, left];
      const measured = await exchange(
        from.page,
        to.page,
        `message ${index + WARM_UP * 2} of ${left.id}.`,
        LOST_AFTER_MS,
      );
      if (index >= 0) seen.push(measured);
    }
    await left.page.context().close();
    await right.page.context().close();
  }
  printLine(`Enter to text in the other, ${seen.length} messages, ms`, formatSpread(seen.map(({ shown }) => shown)));
  for (const part of ["keyToRequest", "requestToFrame", "frameToShown", "requestToAnswer", "painted"] as const) {
    printLine(`  ${part}`, formatSpread(seen.map((one) => one[part])));
  }
  printGoal(
    "p99, ms",
    quantile(
      seen.map(({ shown }) => shown),
      0.99,
    ),
    50,
  );
}

async function measureArea(site: TestSite, count: number): Promise<void> {
  const port = new URL(site.url("/")).port;
  const cookies = await createListeners(site, count);
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
  const sent: { id: number; at: number; responseMs: number }[] = [];
  for (const cookie of cookies.slice(0, BROADCASTS)) {
    const all = new Promise<void>((resolve) => {
      expected.done = resolve;
      setTimeout(resolve, LOST_AFTER_MS).unref();
    });
    expected.broadcasts += 1;
    const at = performance.now();
    const response = await fetch(`${origin}/api/message`, {
      method: "POST",
      headers: { origin, cookie, "content-type": "application/json" },
      body: JSON.stringify({ bodyText: "to everybody around" }),
    });
    if (response.status !== 201)
      throw new Error(`a broadcast responded with ${response.status}: ${await response.text()}`);
    sent.push({ id: ((await response.json()) as { id: number }).id, at, responseMs: performance.now() - at });
    await all;
  }
  const received = frames.map((mine) =>
    chatFrames(mine.map(({ text }) => text)).flatMap((event) => (event.type === "broadcast" ? [event.message.id] : [])),
  );
  const exact = received.filter((ids) => ids.length === sent.length && new Set(ids).size === sent.length).length;
  const times = sent.flatMap(({ at }, index) => frames.flatMap((mine) => (mine[index] ? [mine[index].at - at] : [])));
  const firsts = sent.map(({ at }, index) => Math.min(...frames.map((mine) => (mine[index]?.at ?? Infinity) - at)));
  printLine(`${count} sockets in one area, ${sent.length} broadcasts, ms`, formatSpread(times));
  printLine("  answer to the sender", formatSpread(sent.map(({ responseMs }) => responseMs)));
  printLine("  first of the sockets", formatSpread(firsts));
  printLine("sockets that got each broadcast once", `${exact} of ${count} ${exact === count ? "met" : "MISSED"}`);
  for (const socket of sockets) socket.close();
}

/** Opens a map chat socket and passes on each frame except the first, which only says that it is ready. */
function openListener(url: string, headers: Record<string, string>, onFrame: (text: string) => void) {
  return new Promise<WebSocket>((resolve, reject) => {
    // Node's WebSocket accepts headers, which the DOM types do not include.
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

/** Creates members with sessions, and returns their Cookie headers. */
async function createListeners(site: TestSite, count: number): Promise<string[]> {
  const listeners = await insertMembers(
    site.run,
    Array.from({ length: count }, (_, index) => ({ name: `Listener ${index}`, randomOrder: index })),
  );
  const tokens = await insertSessions(
    site.run,
    listeners.map(({ id }) => id),
  );
  return tokens.map((token) => `__Host-session=${token}`);
}

/** Opens an instrumented page in a browser that is logged in as a new member. */
async function openMemberPage(site: TestSite, name: string) {
  const { id } = await insertMember(site.run, { name, sharingChosen: Date.now() });
  const token = await insertSession(site.run, id);
  const { page, context } = await site.open({ viewport: { width: 1000, height: 800 } });
  await context.addInitScript(watchPage);
  const url = site.url("/").replace("http:", "https:");
  await context.addCookies([
    { name: "__Host-session", value: token, url, httpOnly: true, secure: true, sameSite: "Lax" },
    { name: "logged_in", value: "1", url, secure: true, sameSite: "Lax" },
  ]);
  return { id, page };
}
