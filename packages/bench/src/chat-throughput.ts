/**
 * Measures the time from pressing Enter to the message appearing in another real browser, with its parts. `--requests` sets the number
 * of messages. Both ends run on this machine and share its clock.
 */
import { loadavg } from "node:os";
import { openSite, type TestSite } from "@lambda/testing/browser";
import { logInAsNewMember } from "./browser-session.ts";
import { type Exchange, exchange, watchPage } from "./chat-pages.ts";
import { formatSpread, printGoal, printLine, quantile } from "./figures.ts";
import type { BenchOptions } from "./options.ts";

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
