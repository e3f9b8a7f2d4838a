/**
 * P6: from pressing Enter to the message standing in another browser's page, in two real browsers; and a broadcast area
 * with 1,000 sockets, where nothing may be lost. `--members` changes the number of sockets.
 */

import { createHash, randomBytes } from "node:crypto";
import type { BrandId } from "@lambda/brands";
import { openSite, type TestSite } from "@lambda/testing/browser";
import { openSocket } from "@lambda/testing/socket";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import type { Page } from "playwright-core";
import { goal, line, quantile, spread } from "./figures.ts";
import type { BenchOptions } from "./main.ts";

const SENDERS = 20;
/** Below the cap of a minute, for each of the pairs. */
const MESSAGES_A_PAIR = 50;
const PAIRS = 4;
const OPENED_AT_ONCE = 10;

export async function run({ members = 1000 }: BenchOptions): Promise<void> {
  await area(members);
  await browsers();
}

async function area(count: number): Promise<void> {
  const worker = await startWorker();
  const listeners = await makeListeners(worker, count);
  const sockets = [];
  for (let opened = 0; opened < count; opened += OPENED_AT_ONCE) {
    const some = listeners.slice(opened, opened + OPENED_AT_ONCE);
    sockets.push(...(await Promise.all(some.map((member) => openSocket(worker, member, { path: "/ws/area" })))));
  }
  const sent: { id: number; at: number }[] = [];
  const latencies: number[] = [];
  for (const sender of listeners.slice(0, SENDERS)) {
    const at = performance.now();
    const origin = `http://${sender.brand}.localhost`;
    const answer = await worker.fetch(`${origin}/api/message`, {
      method: "POST",
      headers: { origin, cookie: sender.cookie, "content-type": "application/json" },
      body: JSON.stringify({ bodyText: "to everybody around" }),
    });
    const { id } = (await answer.json()) as { id: number };
    sent.push({ id, at });
    const arrivals = await Promise.all(
      sockets.map(async (socket) => {
        await socket.until("broadcast", (event) => event.message.id === id);
        return performance.now() - at;
      }),
    );
    latencies.push(...arrivals);
  }
  const exact = sockets.every((socket) => {
    const ids = socket.events.flatMap((event) => (event.type === "broadcast" ? [event.message.id] : []));
    return ids.length === sent.length && new Set(ids).size === sent.length;
  });
  line(`${count} sockets in one area, ${SENDERS} broadcasts, ms`, spread(latencies));
  line("each socket got each broadcast once", exact ? "yes" : "NO");
  for (const socket of sockets) socket.close();
  await worker.harness.close();
}

/** Many members by three statements. */
async function makeListeners(worker: TestWorker, count: number): Promise<{ brand: BrandId; cookie: string }[]> {
  const tokens = Array.from({ length: count }, () => randomBytes(32).toString("base64url"));
  const hashes = tokens.map((token) => createHash("sha256").update(token).digest("hex"));
  const now = Date.now();
  const { DB } = worker.env;
  await DB.batch([
    DB.prepare(
      "insert into account (id, email, home_brand, ts_created) select key + 1, 'l' || key || '@x.test', 'ember', ?2 from json_each(?1)",
    ).bind(JSON.stringify(hashes), now),
    DB.prepare(
      `insert into profile (id, profile_name, birthdate, shared_on, tie_key, ts_seen, ts_updated)
       select key + 1, 'Listener ' || key, '1990-01-01', 1, key, ?2, ?2 from json_each(?1)`,
    ).bind(JSON.stringify(hashes), now),
    DB.prepare(
      `insert into session (token_hash, account_id, brand, ts_created, ts_last_used, ts_expires)
       select unhex(value), key + 1, 'ember', ?2, ?2, ?2 + 86400000 from json_each(?1)`,
    ).bind(JSON.stringify(hashes), now),
  ]);
  return tokens.map((token) => ({ brand: "ember", cookie: `__Host-session=${token}` }));
}

async function browsers(): Promise<void> {
  const site = await openSite();
  const latencies: number[] = [];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const [left, right] = [await visitor(site, "Left"), await visitor(site, "Right")];
    await left.page.goto(`/chat/personal?with=${right.id}`);
    await right.page.goto(`/chat/personal?with=${left.id}`);
    const field = left.page.getByRole("textbox", { name: "Message" });
    await field.waitFor();
    await right.page.getByRole("textbox", { name: "Message" }).waitFor();
    for (let count = 0; count < MESSAGES_A_PAIR; count += 1)
      latencies.push(await exchange(left.page, right.page, `m ${pair} ${count}`));
    await left.page.context().close();
    await right.page.context().close();
  }
  // The first message of a pair opens the conversation's objects.
  line(`Enter in one browser to text in the other, ${latencies.length} messages, ms`, spread(latencies));
  goal("p99, ms", quantile(latencies, 0.99), 50);
  await site.close();
}

/** Milliseconds from the key to the text, by the clock that both browsers share. */
async function exchange(from: Page, to: Page, text: string): Promise<number> {
  const shown = to.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        const look = () => {
          if (!document.querySelector('[role="log"]')?.textContent?.includes(wanted)) return;
          observer.disconnect();
          resolve(performance.timeOrigin + performance.now());
        };
        const observer = new MutationObserver(look);
        observer.observe(document.body, { childList: true, subtree: true, characterData: true });
        look();
      }),
    `${text}.`,
  );
  await from.getByRole("textbox", { name: "Message" }).fill(`${text}.`);
  const pressed = from.evaluate(
    () =>
      new Promise<number>((resolve) =>
        addEventListener("keydown", () => resolve(performance.timeOrigin + performance.now()), {
          once: true,
          capture: true,
        }),
      ),
  );
  await from.keyboard.press("Enter");
  return (await shown) - (await pressed);
}

async function visitor(site: TestSite, name: string): Promise<{ id: number; page: Page }> {
  const brand: BrandId = "ember";
  const now = Date.now();
  const token = randomBytes(32).toString("base64url");
  const hash = createHash("sha256").update(token).digest("hex");
  const [account] = await site.sql<{ id: number }>(
    "insert into account (email, home_brand, ts_sharing_chosen, ts_created) values (?, ?, ?, ?) returning id",
    ...[`${token.toLowerCase()}@x.test`, brand, now, now],
  );
  const id = account?.id ?? 0;
  await site.sql(
    "insert into profile (id, profile_name, birthdate, shared_on, tie_key, ts_seen, ts_updated) values (?, ?, '1990-01-01', 1, ?, ?, ?)",
    ...[id, name, id, now, now],
  );
  await site.sql(
    "insert into session (token_hash, account_id, brand, remember, ts_created, ts_last_used, ts_expires) values (unhex(?), ?, ?, 1, ?, ?, ?)",
    ...[hash, id, brand, now, now, now + 86_400_000],
  );
  const { page, context } = await site.open({ viewport: { width: 1000, height: 800 } });
  const url = site.url("/", brand).replace("http:", "https:");
  await context.addCookies([
    { name: "__Host-session", value: token, url, httpOnly: true, secure: true, sameSite: "Lax" },
    { name: "logged_in", value: "1", url, secure: true, sameSite: "Lax" },
  ]);
  return { id, page };
}
