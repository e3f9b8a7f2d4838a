/**
 * Measures the time from pressing Enter to the message appearing in another real browser, with its parts. `--requests` sets the number
 * of messages. Both ends run on this machine and share its clock.
 */
import { loadavg } from "node:os";
import { openSite, type TestSite } from "@lambda/testing/browser";
import type { Page } from "playwright-core";
import { logInAsNewMember } from "./browser-session.ts";
import { type BenchOptions, formatSpread, printGoal, printLine, quantile } from "./figures.ts";

/** Durations of one message in milliseconds. */
interface Exchange {
  /** From the key press to the text in the other page's document. */
  readonly shown: number;
  readonly keyToRequest: number;
  readonly requestToFrame: number;
  readonly frameToShown: number;
  readonly requestToAnswer: number;
  /** From the key press to the other page's next painted frame. */
  readonly painted: number;
}

interface Watch {
  pressed: number;
  readonly frames: { at: number; text: string }[];
  readonly shown: Map<string, { at: number; painted: number }>;
}

type Watched = typeof globalThis & { watch: Watch };

/** Runs in each page before its own scripts. Must be self-contained, because it is serialized. */
function watchPage(): void {
  const clock = () => performance.timeOrigin + performance.now();
  const watch: Watch = { pressed: 0, frames: [], shown: new Map() };
  (globalThis as Watched).watch = watch;
  addEventListener(
    "keydown",
    (event) => {
      if (event.key === "Enter") watch.pressed = clock();
    },
    { capture: true },
  );
  const Native = WebSocket;
  globalThis.WebSocket = class extends Native {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      this.addEventListener("message", ({ data }) => watch.frames.push({ at: clock(), text: String(data) }));
    }
  };
  new MutationObserver(() => {
    const at = clock();
    for (const bubble of document.querySelectorAll('[role="log"] *')) {
      const text = bubble.firstChild?.nodeType === Node.TEXT_NODE ? (bubble.firstChild.nodeValue ?? "") : "";
      if (!text.startsWith("message ") || watch.shown.has(text)) continue;
      const entry = { at, painted: 0 };
      watch.shown.set(text, entry);
      requestAnimationFrame(() => setTimeout(() => (entry.painted = clock())));
    }
  }).observe(document, { childList: true, subtree: true, characterData: true });
}

/** Sends `text` in one page, waits until it appears in the other, and returns the durations. */
async function exchange(from: Page, to: Page, text: string, timeout: number): Promise<Exchange> {
  await from.getByRole("textbox", { name: "Message" }).fill(text);
  await from.keyboard.press("Enter");
  const arrival = await to.waitForFunction(
    (expected) => {
      const { shown, frames } = (globalThis as Watched).watch;
      const entry = shown.get(expected);
      return entry?.painted
        ? { ...entry, frame: frames.find((frame) => frame.text.includes(expected))?.at ?? 0 }
        : null;
    },
    text,
    { timeout, polling: 20 },
  );
  const { at, painted, frame } = (await arrival.jsonValue()) as { at: number; painted: number; frame: number };
  const sending = await from.waitForFunction(
    () => {
      const { pressed } = (globalThis as Watched).watch;
      const requests = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
      const pressedAt = pressed - performance.timeOrigin;
      const call = requests.findLast((entry) => entry.name.includes("messages.send") && entry.startTime >= pressedAt);
      if (!call) return null;
      if (requests.length > 150) performance.clearResourceTimings();
      return { pressed, request: call.startTime + performance.timeOrigin, answer: call.responseEnd - call.startTime };
    },
    undefined,
    { timeout, polling: 20 },
  );
  const { pressed, request, answer } = (await sending.jsonValue()) as {
    pressed: number;
    request: number;
    answer: number;
  };
  return {
    shown: at - pressed,
    keyToRequest: request - pressed,
    requestToFrame: frame - request,
    frameToShown: at - frame,
    requestToAnswer: answer,
    painted: painted - pressed,
  };
}

/** Messages per pair and direction; including the warm-up, this stays below the rate limit per minute. */
const MESSAGES_PER_SIDE = 50;
/** The first messages of a pair create the conversation and its objects and load the code of both pages. */
const WARM_UP = 5;
/** Messages that have not arrived after this time count as lost. */
const LOST_AFTER_MS = 15_000;

export async function run({ requests = 300 }: BenchOptions): Promise<void> {
  const site = await openSite();
  const load = () => loadavg()[0]?.toFixed(1);
  printLine("load average of the last minute, before", `${load()}`);
  await measureBrowsers(site, requests);
  printLine("load average after the two browsers", `${load()}`);
  await site.close();
}

async function measureBrowsers(site: TestSite, count: number): Promise<void> {
  const seen: Exchange[] = [];
  while (seen.length < count) {
    const [left, right] = [await openMemberPage(site), await openMemberPage(site)];
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
  const times = seen.map(({ shown }) => shown);
  printGoal("p99, ms", quantile(times, 0.99), 50);
}

/** Opens an instrumented page in a browser that is logged in as a new member. */
async function openMemberPage(site: TestSite) {
  const { page, context } = await site.open({ viewport: { width: 1000, height: 800 } });
  await context.addInitScript(watchPage);
  return { id: await logInAsNewMember(site.run, context, site.url("")), page };
}
