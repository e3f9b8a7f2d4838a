import { DAY_MS, MINUTE_MS } from "@lambda/contract/limits";
import { workerWith } from "@lambda/testing/harness";
import { startSeparateWorker, type TestWorker } from "@lambda/testing/worker";
import { afterAll, beforeAll, expect, it } from "vitest";
import { metricsOf } from "../metrics/counts.ts";
import type { OpenIncident } from "../objects.ts";
import { toOutages } from "./status-page.ts";

const NOW = Date.UTC(2026, 10, 22, 12, 3);

let worker: TestWorker;
beforeAll(async () => {
  // The shared one counts what other test files upload and mail.
  worker = await startSeparateWorker([workerWith(0)]);
});

afterAll(() => worker.close());

const incident = (alert: OpenIncident["alert"], from: number, until: number | null): OpenIncident => ({
  alert,
  from,
  until,
  lastSeen: from,
  told: true,
  toldOver: false,
});

it("shows whether the site works, from the operator's alerts, without scripts or cookies", async () => {
  const read = async (now: number, language = "en") => {
    const response = await worker.fetch("/status", {
      headers: { "x-development-now": String(now), "accept-language": language },
    });
    return { response, text: await response.text() };
  };
  const { response, text } = await read(Date.now());
  expect([response.status, response.headers.get("cache-control"), response.headers.get("set-cookie")]).toEqual([
    200,
    "public, max-age=30",
    null,
  ]);
  expect(text).toContain("Everything works.");
  expect(text).not.toContain("<script");
  const metrics = metricsOf(worker.env);
  await metrics.tick({ backupAgeMs: 2 * DAY_MS }, Date.now());
  // The response is cached for half a minute.
  expect((await read(Date.now())).text).toContain("Everything works.");
  // An outside watcher reads the number: also where members notice nothing.
  const unnoticed = await read(Date.now() + MINUTE_MS);
  expect([unnoticed.response.status, unnoticed.text]).toEqual([
    503,
    expect.stringContaining("We're mending something you don't notice."),
  ]);
  await metrics.tick({ mailsRefused: 3 }, Date.now());
  const later = await read(Date.now() + 2 * MINUTE_MS, "es-ES,es;q=0.9");
  expect([later.response.status, later.text]).toEqual([
    503,
    expect.stringMatching(/Algo no funciona.*Correo: <strong>con problemas/s),
  ]);
  // The cron has stopped, and with it what would open an incident.
  await metrics.tick({}, Date.now() - 11 * MINUTE_MS);
  const silent = await read(Date.now() + 3 * MINUTE_MS);
  expect([silent.response.status, silent.text]).toEqual([503, expect.stringContaining("We can't tell")]);
});

it("shows what affects members, merged into outages with rounded times, for two weeks", () => {
  const at = (minutes: number) => NOW + minutes * MINUTE_MS;
  expect(
    toOutages(
      [
        incident("errors", at(-100), at(-80)),
        incident("slow", at(-90), at(-60)),
        incident("database-size", at(-50), null),
        incident("mail", at(-5), null),
        incident("queue", at(-20 * 24 * 60), at(-15 * 24 * 60)),
      ],
      NOW,
    ),
  ).toEqual([
    { component: "mail", from: Date.UTC(2026, 10, 22, 11, 50), until: null },
    { component: "site", from: Date.UTC(2026, 10, 22, 10, 20), until: Date.UTC(2026, 10, 22, 11, 10) },
  ]);
  expect(toOutages([incident("mail", NOW - 13 * DAY_MS, NOW - 13 * DAY_MS)], NOW)).toHaveLength(1);
});
