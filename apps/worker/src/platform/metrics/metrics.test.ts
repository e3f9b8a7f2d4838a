import { request } from "node:http";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@lambda/contract/limits";
import { Alert } from "@lambda/contract/site-health";
import { createMember } from "@lambda/testing/member";
import { uploadPicture } from "@lambda/testing/pictures";
import { seededRandom } from "@lambda/testing/random";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { EVERY_MINUTE } from "../../schedule.ts";
import type { Env } from "../env.ts";
import { isLogged } from "../log.ts";
import type { Counts, Minute, OpenIncident } from "../objects.ts";
import { findAlerts } from "./alerts.ts";
import { metricsOf } from "./counts.ts";
import { findDeniedRoutes } from "./engines.ts";
import { fillGaps, readSiteHealth } from "./health.ts";
import { listUnreported, markReported, updateIncidents } from "./incidents.ts";
import { mergeCounts } from "./merge.ts";
import { countTimed, latencyBucket, percentile } from "./percentiles.ts";

const NOW = 1_800_000_000_000 - (1_800_000_000_000 % DAY_MS);

describe("latencies", () => {
  it("give percentiles within the precision of the buckets", () => {
    const counts: Record<string, number> = {};
    for (let ms = 1; ms <= 1000; ms += 1) counts[latencyBucket(ms)] = (counts[latencyBucket(ms)] ?? 0) + 1;
    expect(percentile(counts, 0.5)).toBeCloseTo(500, -1);
    expect(percentile(counts, 0.99)).toBeCloseTo(990, -1);
    expect(percentile({}, 0.5)).toBeNull();
    expect(percentile({ [latencyBucket(25_000)]: 1 }, 0.99)).toBe(10_000);
  });

  it("add up over isolates, while gauges keep the largest value", () => {
    const one: Counts = { requests: 1, queueAgeMs: 5 };
    expect(mergeCounts(one, { requests: 2, errors: 1, queueAgeMs: 3 })).toEqual({
      requests: 3,
      errors: 1,
      queueAgeMs: 5,
    });
  });
});

const DENIED: Counts = { "denied WebKit /ws": 10, "answered WebKit /trpc/*": 5, "answered Firefox /ws": 5 };

describe("alerts", () => {
  const at = (minutesAgo: number, counts: Counts): Minute => ({ ts: NOW - minutesAgo * MINUTE_MS, counts });
  const alertsFor = (minutes: readonly Minute[], lastTick = NOW) => findAlerts({ minutes, now: NOW, lastTick });

  it.each<[Alert, readonly Minute[]]>([
    ["errors", [at(3, { requests: 100, errors: 5 })]],
    ["errors", [at(50, { requests: 4, errors: 1 }), at(3, { requests: 6, errors: 1 })]],
    ["slow", [at(3, { [latencyBucket(100)]: 98, [latencyBucket(9_000)]: 2 })]],
    ["slow", [at(3, { [latencyBucket(1_000, "bytesMs")]: 17, [latencyBucket(9_000, "bytesMs")]: 3 })]],
    ["database", [at(0, { databaseFailed: 1 }), at(1, { databaseFailed: 1 }), at(2, { databaseFailed: 1 })]],
    ["database-size", [at(1, { databaseBytes: 7.1e9 })]],
    ["database-size", [at(1, { messageBytes1: 1e9, messageBytes2: 7.1e9 })]],
    ["message-databases", [at(1, { messageBytes1: 3.1e9, messageBytes2: 4.2e9 })]],
    ["jobs", [at(50, { longJobsFailed: 1 })]],
    ["mail", [at(1, { mailsSent: 5, mailsRefused: 3 })]],
    ["queue", [at(29, { pushesQueued: 20 })]],
    ["queue", [at(55, { pushesQueued: 2 }), at(20, { pushesQueued: 1 })]],
    ["dead-letters", [at(59, { deadLetters: 1 })]],
    ["images", [at(40, { imagesFailed: 3 })]],
    ["image-budget", [at(40, { imagesOverHalf: 1 })]],
    ["bucket", [at(40, { bucketRefused: 1 })]],
    ["missing-objects", [at(40, { objectsMissing: 10 })]],
    ["denied-route", [at(40, DENIED)]],
    ["backup", [at(2, { backupAgeMs: 1.6 * DAY_MS })]],
  ])("%s", (alert, minutes) => {
    expect(alertsFor(minutes)).toEqual([alert]);
    // Nothing is raised once the window has passed.
    expect(alertsFor(minutes.map(({ ts, counts }) => ({ ts: ts - 2 * HOUR_MS, counts })))).toEqual([]);
  });

  it("schedule, when the minute cron stopped running", () => {
    expect(alertsFor([], NOW - 11 * MINUTE_MS)).toEqual(["schedule"]);
  });

  it.each<[string, Counts]>([
    ["a few refusals", { "denied WebKit /ws": 9 }],
    ["an engine that is answered there too", { "answered WebKit /ws": 1 }],
    ["an engine that nothing answers, as a program with its name", { "answered WebKit /trpc/*": 4 }],
    ["a route that nobody reaches", { "answered Firefox /ws": 0 }],
  ])("no denied route is %s", (_what, counts) => expect(findDeniedRoutes({ ...DENIED, ...counts })).toEqual([]));

  it("are not raised by a quiet site or single errors", () => {
    const quiet = [at(1, { requests: 3, errors: 1, mailsSent: 1, mailsRefused: 1, databaseFailed: 1, jobsFailed: 1 })];
    expect(alertsFor(quiet)).toEqual([]);
    expect(alertsFor([at(1, { requests: 10_000, errors: 20 })])).toEqual([]);
    expect(alertsFor([at(1, { messageBytes1: 4.1e9, messageBytes2: 1e6 })])).toEqual([]);
  });

  it("are not raised in a week of a site with 50 members", () => {
    const random = seededRandom(7);
    const weekMs = 7 * DAY_MS;
    const counts = (ts: number): Counts => {
      const isNight = ts % DAY_MS < 6 * HOUR_MS;
      const busy = isNight ? 0.1 : 1;
      const happens = (timesADay: number) => (random.next() < (timesADay * MINUTE_MS) / DAY_MS ? 1 : 0);
      const requests = Math.floor(random.next() * 8 * busy);
      const pushes = happens(60 * busy);
      // The nightly export keeps the databases from answering.
      const isExported = ts % DAY_MS >= 103 * MINUTE_MS && ts % DAY_MS < 105 * MINUTE_MS;
      return {
        ...{ requests, errors: happens(2), refused: happens(5) },
        ...{ [latencyBucket(80)]: requests, [latencyBucket(7_000)]: happens(4) },
        ...{ [latencyBucket(1_500, "bytesMs")]: happens(40), [latencyBucket(7_000, "bytesMs")]: happens(3) },
        ...{ mailsSent: happens(15), mailsRefused: happens(0.5) },
        ...{ pushesQueued: pushes, pushesHandled: pushes, queueAgeMs: 2_000 * pushes },
        ...{ databaseFailed: isExported ? 1 : 0, jobsFailed: isExported ? 2 : 0, databaseBytes: 5e7 },
        ...{ imagesFailed: happens(1), objectsMissing: happens(3), backupAgeMs: (ts - 2 * HOUR_MS) % DAY_MS },
      };
    };
    const minutes: Minute[] = [];
    for (let ts = NOW; ts < NOW + weekMs; ts += MINUTE_MS) {
      minutes.push({ ts, counts: counts(ts) });
      if (ts % (15 * MINUTE_MS) > 0) continue;
      expect(findAlerts({ minutes: minutes.slice(-65), now: ts, lastTick: ts }), new Date(ts).toISOString()).toEqual(
        [],
      );
    }
  });
});

describe("incidents", () => {
  const open = (list: readonly OpenIncident[]) => list.filter(({ until }) => until === null);

  it("start once, are reported once, and end after a quiet quarter of an hour", () => {
    let list = updateIncidents([], ["mail"], NOW);
    expect(listUnreported(list)).toHaveLength(1);
    list = list.map(markReported);
    // The alert is intermittent.
    for (let minute = 1; minute <= 40; minute += 1) {
      list = updateIncidents(list, minute % 10 === 0 ? ["mail"] : [], NOW + minute * MINUTE_MS);
      expect([open(list).length, listUnreported(list).length]).toEqual([1, 0]);
    }
    list = updateIncidents(list, [], NOW + 55 * MINUTE_MS);
    expect(listUnreported(list)).toMatchObject([{ alert: "mail", until: NOW + 55 * MINUTE_MS }]);
    list = list.map(markReported);
    expect(listUnreported(list)).toEqual([]);
    expect(open(updateIncidents(list, ["mail"], NOW + 60 * MINUTE_MS))).toHaveLength(1);
  });

  it("whose start was not reported are not reported when they end", () => {
    const ended = updateIncidents(updateIncidents([], ["queue"], NOW), [], NOW + HOUR_MS);
    expect(listUnreported(ended)).toEqual([]);
  });
});

describe("the metrics", () => {
  let worker: TestWorker;
  let env: Env;
  beforeAll(async () => {
    worker = await startWorker();
    ({ env } = worker);
  });
  const object = (name: string) => env.METRICS.getByName(name);

  it("are kept by minute and by hour without counting twice", async () => {
    const metrics = object("hours");
    for (const minutes of [0, 0, 1, 59, 60, 61]) await metrics.add({ requests: 1 }, NOW + minutes * MINUTE_MS);
    await metrics.tick({ requests: 1 }, NOW + 61 * MINUTE_MS);
    await metrics.tick({ requests: 1 }, NOW + 62 * MINUTE_MS);
    const requests = async (step: number) =>
      (await metrics.read(NOW, step)).map(({ ts, counts }) => [(ts - NOW) / step, counts.requests]);
    expect(await requests(MINUTE_MS)).toEqual([
      [0, 2],
      [1, 1],
      [59, 1],
      [60, 1],
      [61, 2],
      [62, 1],
    ]);
    expect(await requests(HOUR_MS)).toEqual([
      [0, 4],
      [1, 4],
    ]);
    // Minutes are deleted after two days, hours are kept longer.
    await metrics.tick({}, NOW + 3 * DAY_MS);
    expect(await requests(6 * HOUR_MS)).toEqual([
      [0, 8],
      [12, undefined],
    ]);
    expect(await metrics.read(NOW, MINUTE_MS)).toHaveLength(1);
  });

  it("track open connections, and never go below zero after a lost count", async () => {
    const metrics = object("sockets");
    const open = async () => (await metrics.read(NOW, MINUTE_MS)).map(({ counts }) => counts.socketsOpen);
    await metrics.add({ socketsOpened: 5, socketsClosed: 1 }, NOW);
    await metrics.tick({}, NOW + MINUTE_MS);
    await metrics.add({ socketsClosed: 3 }, NOW + 2 * MINUTE_MS);
    await metrics.add({ socketsClosed: 9 }, NOW + 3 * MINUTE_MS);
    await metrics.tick({ socketsOpened: 2 }, NOW + 4 * MINUTE_MS);
    expect(await open()).toEqual([4, 4, 1, 0, 2]);
  });

  it("include quiet hours in the chart", () => {
    const at = (steps: number, requests: number) => ({ ts: NOW + steps * HOUR_MS, counts: { requests } });
    const points = fillGaps([at(0, 1), at(3, 2)], HOUR_MS, NOW + 4 * HOUR_MS + 5);
    expect(points.map(({ counts }) => counts.requests)).toEqual([1, undefined, undefined, 2, undefined]);
    expect(fillGaps([], HOUR_MS, NOW)).toEqual([]);
  });

  it("raise an incident from the cron, or from requests when the cron stops", async () => {
    const metrics = object("incident");
    await metrics.tick({ deadLetters: 2 }, NOW);
    await metrics.tick({}, NOW + MINUTE_MS);
    expect(await metrics.incidents()).toMatchObject([{ alert: "dead-letters", until: null }]);
    await metrics.add({ requests: 1 }, NOW + 20 * MINUTE_MS);
    expect((await metrics.incidents()).map(({ alert }) => alert)).toEqual(["dead-letters", "schedule"]);
  });

  it("count requests, rows and database size, and identify nobody", async () => {
    const before = await metricsOf(env).read(0, MINUTE_MS);
    const requests = (minutes: readonly Minute[]) =>
      minutes.reduce((sum, { counts }) => sum + (counts.requests ?? 0), 0);
    await worker.fetch("/api/ping");
    await worker.fetch("/api/transparency");
    await worker.runCron(EVERY_MINUTE, Date.now());
    let after: readonly Minute[] = [];
    const readRequests = async () => {
      after = await metricsOf(env).read(0, MINUTE_MS);
      return requests(after);
    };
    // Requests are counted after their responses.
    await expect.poll(readRequests).toBeGreaterThanOrEqual(requests(before) + 2);
    const highest = (name: "rowsRead" | "databaseBytes") => Math.max(...after.map(({ counts }) => counts[name] ?? 0));
    expect(highest("rowsRead")).toBeGreaterThan(0);
    expect(highest("databaseBytes")).toBeGreaterThan(100_000);
    for (const value of after.flatMap(({ counts }) => Object.values(counts))) expect(typeof value).toBe("number");
    // A quarter of an hour that has just begun has no size yet, rather than none at all.
    const { points } = await readSiteHealth(env, "day", Date.now() + 20 * MINUTE_MS);
    expect(points.at(-1)?.databaseBytes).toBeNull();
  });

  it("time a request from the last byte of its body, and those of bytes by themselves", { tags: "slow" }, async () => {
    const timed = async () => {
      await worker.runCron(EVERY_MINUTE, Date.now());
      const minutes = await metricsOf(env).read(0, MINUTE_MS);
      const { bytesMs60000 = 0, ...counts } = minutes.reduce<Counts>((all, each) => mergeCounts(all, each.counts), {});
      return { all: countTimed({ bytesMs60000, ...counts }, "bytesMs"), slowest: bytesMs60000 + (counts.ms60000 ?? 0) };
    };
    const before = await timed();
    await new Promise<void>((resolve, reject) => {
      const headers = { "content-type": "multipart/form-data; boundary=x", origin: `http://localhost:${worker.port}` };
      const upload = request({ port: worker.port, method: "POST", path: "/api/profile-pic", headers });
      upload.once("response", (response) => response.resume().once("end", resolve)).once("error", reject);
      upload.write("--x");
      // A slow line: longer than the last bound of the counts.
      setTimeout(() => upload.end("--\r\n"), 10_500);
    });
    await expect.poll(timed).toEqual({ all: before.all + 1, slowest: before.slowest });
  });

  it("count an engine's requests to a route by their outcome, and no program's", async () => {
    const member = await createMember(worker);
    const ask = (agent: string, upgrade?: string) =>
      member.fetch("/ws/map?lat=48&lon=16", { headers: { "user-agent": agent, ...(upgrade && { upgrade }) } });
    const iphone =
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 CriOS/131.0 Mobile Safari/604.1";
    await ask(iphone);
    await ask("Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0", "websocket");
    await ask("curl/8.5");
    const routes = async () => {
      await worker.runCron(EVERY_MINUTE, Date.now());
      const minutes = await metricsOf(env).read(0, MINUTE_MS);
      const counts = minutes.reduce<Counts>((all, each) => mergeCounts(all, each.counts), {});
      return Object.entries(counts).filter(([name]) => name.endsWith(" /ws/map"));
    };
    await expect.poll(routes).toEqual([
      ["denied WebKit /ws/map", 1],
      ["answered Firefox /ws/map", 1],
    ]);
  });

  it("count pictures whose objects are gone", async () => {
    const missing = async () => {
      await worker.runCron(EVERY_MINUTE, Date.now());
      const minutes = await metricsOf(env).read(0, MINUTE_MS);
      return minutes.reduce((sum, { counts }) => sum + (counts.objectsMissing ?? 0), 0);
    };
    const before = await missing();
    const member = await createMember(worker);
    const { id } = await uploadPicture(member);
    const { objects } = await env.PICTURES.list();
    await env.PICTURES.delete(objects.map(({ key }) => key));
    // Fewer than raise an incident, which other test files on this worker would meet.
    for (let times = 0; times < 3; times += 1) expect((await member.fetch(`/api/profile-pic/${id}`)).status).toBe(404);
    await expect.poll(missing).toBe(before + 3);
  });
});

describe("request logging", () => {
  beforeEach(() => expect(Alert.options.length).toBeGreaterThan(0));

  it("keeps all errors and slow requests, and a share of the others", () => {
    const ids = Array.from({ length: 256 }, (_, at) => `${at.toString(16).padStart(2, "0")}00000000000000`);
    const kept = (status: number, ms: number, LOG_SHARE?: string) =>
      ids.filter((id) => isLogged(LOG_SHARE === undefined ? {} : { LOG_SHARE }, id, status, ms)).length;
    expect([kept(200, 5, "0.25"), kept(500, 5, "0"), kept(200, 2_000, "0"), kept(200, 5, "0"), kept(200, 5)]).toEqual([
      64, 256, 256, 0, 256,
    ]);
  });
});
