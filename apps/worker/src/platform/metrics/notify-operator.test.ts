import { DAY_MS, HOUR_MS, MINUTE_MS } from "@lambda/contract/limits";
import type { Alert } from "@lambda/contract/site-health";
import { configuredWorker } from "@lambda/testing/harness";
import { startPushService } from "@lambda/testing/push-service";
import { startSeparateWorker, type TestWorker } from "@lambda/testing/worker";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Env } from "../env.ts";
import type { Counts } from "../objects.ts";
import { metricsOf } from "./counts.ts";
import { readSiteHealth } from "./health.ts";
import { tickMetrics } from "./tick.ts";

const NOW = 1_800_000_000_000;

let service: Awaited<ReturnType<typeof startPushService>>;
let worker: TestWorker;
beforeAll(async () => {
  service = await startPushService();
  const topic = service.createDevice("topic").subscription.endpoint.replace("https:", "http:");
  const vars = { ALERT_ADDRESS: "operator@mail.test", ALERT_PUSH_URL: topic };
  worker = await startSeparateWorker([{ ...configuredWorker(), vars }]);
});
afterAll(async () => {
  await worker.close();
  service.close();
});

const pushes = () => service.received.map(({ body }) => body.toString());

it("reports the start and end of an incident once each, by mail and push, even if one of them fails", async () => {
  const metrics = metricsOf(worker.env);
  const printed: string[] = [];
  const mails = () => {
    printed.push(...worker.takePrinted());
    return printed.filter((message) => message.includes("To: operator@mail.test"));
  };
  // The push fails at first, but the mail arrives: reported.
  service.nextStatuses.set("/topic", [500]);
  await metrics.tick({ deadLetters: 1, mailsRefused: 9 }, NOW);
  expect(pushes()).toEqual([
    expect.stringMatching(/^Mails are refused .*Alert: mail\)\nPushes were given up .*Alert: dead-letters\)$/),
  ]);
  await expect.poll(mails).toHaveLength(1);
  expect(mails()[0]).toMatch(/Mails are refused .*and 1 more/);
  expect((await metrics.incidents()).map(({ told }) => told)).toEqual([true, true]);
  await metrics.tick({}, NOW + MINUTE_MS);
  expect(pushes()).toHaveLength(1);
  await metrics.tick({}, NOW + 90 * MINUTE_MS);
  expect(pushes()[1]).toMatch(/^Over: Mails are refused/);
  await metrics.tick({}, NOW + 91 * MINUTE_MS);
  expect(pushes()).toHaveLength(2);
  await expect.poll(mails).toHaveLength(2);
  const refused = { "denied WebKit /ws": 10, "answered WebKit /trpc/*": 5, "answered Firefox /ws": 5 };
  await metrics.tick(refused, NOW + 92 * MINUTE_MS);
  expect(pushes()[2]).toMatch(/one browser engine: \/ws in WebKit \(.*Alert: denied-route\)$/);
});

/** What happens in each minute, as the parts that fail count it; `cron` says whether the minute's jobs run. */
interface Outage {
  readonly minutes: readonly Counts[];
  readonly cron?: false;
  readonly alerts: readonly Alert[];
  readonly members: RegExp;
}

const repeat = (times: number, counts: Counts): Counts[] => Array.from({ length: times }, () => counts);

const SITE = /The site: <strong>having problems/;
const OUTAGES: Readonly<Record<string, Outage>> = {
  "the bucket does not respond": {
    minutes: repeat(5, { requests: 40, errors: 12, jobsFailed: 1 }),
    alerts: ["errors", "jobs"],
    members: SITE,
  },
  "the queue is stuck": {
    minutes: [{ pushesQueued: 3 }, ...repeat(30, {})],
    alerts: ["queue"],
    members: /Push notifications: <strong>having problems/,
  },
  "mail is refused": {
    minutes: repeat(3, { mailsRefused: 1 }),
    alerts: ["mail"],
    members: /Mail: <strong>having problems/,
  },
  "a class of object fails": { minutes: repeat(5, { requests: 9, errors: 2 }), alerts: ["errors"], members: SITE },
  "the cron stopped an hour ago": {
    minutes: repeat(60, { requests: 5 }),
    cron: false,
    alerts: ["schedule"],
    members: SITE,
  },
};

it("tells an outside watcher, a phone and the dashboard what is down, and that it is over", async () => {
  const metrics = metricsOf(worker.env);
  let now = NOW + DAY_MS;
  const check = async (name: string, alerts: readonly Alert[], members: RegExp, pushed: string[]) => {
    const response = await worker.fetch("/status", { headers: { "x-development-now": String(now) } });
    const { incidents } = await readSiteHealth(worker.env, "day", now);
    const open = incidents.filter(({ tsUntil }) => tsUntil === null);
    expect([response.status, open.map(({ alert, told }) => [alert, told])], name).toEqual([
      alerts.length > 0 ? 503 : 200,
      alerts.length > 0 ? expect.arrayContaining(alerts.map((alert) => [alert, true])) : [],
    ]);
    expect(await response.text(), name).toMatch(members);
    for (const alert of alerts) expect(pushed.join("\n"), name).toContain(`Alert: ${alert})`);
  };
  const end = async (name: string) => {
    now += 2 * HOUR_MS;
    await metrics.tick({}, now);
    now += HOUR_MS;
    await metrics.tick({}, now);
    await check(`${name}, over`, [], /Everything works/, []);
    expect(pushes().at(-1), name).toMatch(/^Over: /);
  };
  const before = pushes().length;
  const broken: Env = Object.create(worker.env, { DB: { value: {} } }) as Env;
  for (let minute = 0; minute < 4; minute += 1) {
    now += MINUTE_MS;
    await tickMetrics(broken, now, false);
  }
  await check("the database does not respond", ["database"], SITE, pushes().slice(before));
  await end("the database does not respond");
  for (const [name, { minutes, cron = true, alerts, members }] of Object.entries(OUTAGES)) {
    const sent = pushes().length;
    for (const counts of minutes) {
      now += MINUTE_MS;
      await (cron ? metrics.tick(counts, now) : metrics.add(counts, now));
    }
    await check(name, alerts, members, pushes().slice(sent));
    await end(name);
  }
});
