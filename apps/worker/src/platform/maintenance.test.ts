import {
  ACTS_PREFIX,
  MAINTENANCE_KEY,
  MAINTENANCE_PASS_HEADER,
  type Maintenance,
  type ProtectiveAct,
} from "@lambda/contract/backup";
import { SOCKET_PING } from "@lambda/contract/events";
import { WORKER_NAME } from "@lambda/testing/harness";
import { createMember } from "@lambda/testing/member";
import { openSocket } from "@lambda/testing/socket";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, expect, it, vi } from "vitest";
import { consumeQueue } from "../notifications/push/consume.ts";
import { EVERY_MINUTE, runSchedule } from "../schedule.ts";
import type { Env } from "./env.ts";
import { readMaintenance } from "./maintenance.ts";

const HOURLY = "7 * * * *";

let worker: TestWorker;
beforeAll(async () => {
  vi.stubGlobal("__DEVELOPMENT__", true);
  worker = await startWorker();
});

const set = (state: Maintenance) => worker.env.BACKUPS.put(MAINTENANCE_KEY, JSON.stringify(state));

it("keeps everybody out of a site that is restored, in both languages, stops its jobs and pushes, and then says to which hour it went back", async () => {
  const [me, other] = [await createMember(worker), await createMember(worker)];
  const socket = await openSocket(worker, me);
  expect((await me.send("PUT", "/api/profile-like", { likedProfileId: other.id, blocked: true })).status).toBe(200);
  const storedActs = async () => {
    const { objects } = await worker.env.BACKUPS.list({ prefix: ACTS_PREFIX });
    const files = await Promise.all(
      objects.map(async ({ key }) => (await worker.env.BACKUPS.get(key))!.json<ProtectiveAct[]>()),
    );
    return files.flat().filter(({ kind }) => kind === "block");
  };

  await set({ on: true, pass: "secret" });
  for (const path of ["/", "/login", "/tiles/archives.json", "/visitor-map/ember.json"])
    for (const [language, text] of [
      ["en", "is being restored"],
      ["es", "Estamos recuperando"],
    ] as const) {
      const page = await worker.fetch(path, { headers: { "accept-language": language } });
      expect([page.status, page.headers.get("retry-after"), page.headers.get("cache-control")]).toEqual([
        503,
        "300",
        "private, no-store",
      ]);
      expect(await page.text()).toContain(text);
    }
  for (const path of ["/api/session", "/api/%73ession", "/trpc/accounts.session"]) {
    const refused = await me.fetch(path);
    expect([refused.status, await refused.json()]).toMatchObject([
      503,
      { error: { code: "MAINTENANCE", retryAfterSeconds: 300 } },
    ]);
  }
  expect((await me.send("POST", "/api/message", { recipientProfileId: other.id, bodyText: "kept" })).status).toBe(503);
  await expect(openSocket(worker, me)).rejects.toThrow("503");
  // The keep-alive wakes no object; the first frame ends the socket.
  socket.send(SOCKET_PING);
  socket.send({ type: "typing", toProfileId: other.id });
  expect(await socket.closed).toBe(1012);
  for (const path of ["/sw.js", "/api/version"]) expect((await worker.fetch(path)).status, path).not.toBe(503);
  const mine = await worker.fetch("/api/sessions", { headers: { [MAINTENANCE_PASS_HEADER]: "secret" } });
  expect(mine.status).toBe(401);
  await worker.runCron(HOURLY);
  expect(await storedActs()).toEqual([]);
  const retryAll = vi.fn();
  const execution = { waitUntil: () => undefined };
  await consumeQueue({ queue: "lambda-push", messages: [], retryAll } as never, worker.env, execution);
  expect(retryAll).toHaveBeenCalledOnce();

  const restored = { restoredTo: "2026-11-27T18:00:00.000Z", restoredAt: new Date().toISOString() };
  await set({ on: false, ...restored });
  // The consumer ran in this process, which other files share, and remembers the state.
  await readMaintenance(worker.env);
  expect((await me.fetch("/api/session")).status).toBe(200);
  expect(await (await worker.fetch("/login")).text()).toContain(`data-restored="${restored.restoredTo}"`);
  await set({ on: false, ...restored, restoredAt: "2026-01-01T00:00:00.000Z" });
  expect(await (await worker.fetch("/login")).text()).not.toContain("data-restored");
  await worker.runCron(HOURLY);
  expect(await storedActs()).toMatchObject([{ kind: "block", member: me.id, other: other.id, detail: "1" }]);
  expect(await worker.env.DB.prepare("select count(*) as n from protective_act").first("n")).toBe(0);
});

/** The worker's bindings, whose switch answers this to each question, the last answer again and again. */
async function withSwitch(...answers: readonly (Maintenance | Error)[]): Promise<Env> {
  const left = [...answers];
  const get = async () => {
    const answer = left.length > 1 ? left.shift()! : left[0]!;
    if (answer instanceof Error) throw answer;
    return { json: async () => answer };
  };
  const bindings = await worker.miniflare.getBindings<Env>(WORKER_NAME);
  return Object.assign(Object.create(bindings) as Env, { BACKUPS: { get } });
}

const marks = () => worker.env.DB.prepare("select count(*) as n from bucket_mark").first("n");

it("begins no further job once a restore keeps members out, and none while nobody knows whether it does", async () => {
  const errors = vi.spyOn(console, "error").mockReturnValue();
  await worker.env.DB.exec("delete from bucket_mark");
  await runSchedule(EVERY_MINUTE, await withSwitch({ on: false }, { on: true }), Date.now());
  expect(await marks()).toBe(0);
  const unreadable = await withSwitch({ on: false }, new Error("unreachable"));
  await readMaintenance(unreadable);
  await expect(runSchedule(EVERY_MINUTE, unreadable, Date.now())).rejects.toThrow(
    "jobs failed: the maintenance switch cannot be read",
  );
  expect(await marks()).toBe(0);
  const me = await createMember(worker);
  const pushed = (kind: string) => {
    const body = { profileId: me.id, kind, brand: "ember", created: Date.now() };
    return { attempts: 2, body, ack: vi.fn(), retry: vi.fn() };
  };
  const messages = [pushed("like"), pushed("plan")];
  await consumeQueue({ queue: "lambda-push", messages } as never, unreadable, { waitUntil: () => undefined });
  // A friend's alarm does not wait for the switch.
  expect(messages.map(({ retry, ack }) => [retry.mock.calls, ack.mock.calls])).toEqual([
    [[[{ delaySeconds: 12 }]], []],
    [[], [[]]],
  ]);
  // A bucket that fails must not close the site.
  expect((await readMaintenance(unreadable)).on).toBe(false);
  await runSchedule(EVERY_MINUTE, await withSwitch({ on: false }), Date.now());
  expect(await marks()).toBe(1);
  errors.mockRestore();
});
