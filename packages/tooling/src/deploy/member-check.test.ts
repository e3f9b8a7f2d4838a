import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getBrand } from "@lambda/brands";
import { type PushDevice, type PushService, startPushService } from "@lambda/testing/push-service";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { afterEach, beforeEach, expect, it } from "vitest";
import { checkAsMember } from "./member-check.ts";

let worker: TestWorker;
let server: Server;
let origin: string;
let broken: RegExp;
let status: number;
let lines: string[];
let service: PushService;
let phone: PushDevice;
beforeEach(async () => {
  service = await startPushService();
  phone = service.createDevice("phone");
  service.nextStatuses.set(phone.path, [410]);
  worker = await startWorker();
  [broken, status, lines] = [/^$/, 500, []];
  // The worker picks the brand by the host, and answers only its own origin.
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "", url = "", headers } = request;
    if (broken.test(`${method} ${url}`)) return response.writeHead(status).end("broken on purpose");
    const answer = await worker.fetch(`http://ember.localhost${url}`, {
      method,
      headers: { ...(headers as Record<string, string>), origin: "http://ember.localhost" },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const own = { ...Object.fromEntries(answer.headers), "set-cookie": answer.headers.getSetCookie() };
    response.writeHead(answer.status, own).end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.close();
  service.close();
});

const rows = async (query: string) => (await worker.run({ query }))[0] ?? [];
const check = () =>
  checkAsMember({
    origin,
    brand: getBrand("ember"),
    device: phone.subscription,
    retryDelayMs: 100,
    run: (sql) => rows(sql),
    say: (line) => void lines.push(line),
  });

it("logs in, stores and reads everything, and leaves nobody behind", { tags: "slow" }, async () => {
  await check();
  expect(lines).toEqual([]);
  expect(service.received.map(({ body }) => phone.decrypt(body))).toEqual([
    expect.objectContaining({ kind: "message", title: "Ember" }),
  ]);
  expect(await rows("select count(*) as n from account where ts_deleted is null")).toEqual([{ n: 0 }]);
  expect(await rows("select count(*) as n from session")).toEqual([{ n: 0 }]);
  expect(await rows("select count(*) as n from message")).toEqual([{ n: 1 }]);
  // The mark of the bucket, without which nothing is erased, comes with the first.
  for (const cron of ["* * * * *", "7 * * * *"]) await worker.runCron(cron);
  for (const table of ["account", "profile", "picture", "message", "push_subscription", "position"])
    expect.soft(await rows(`select count(*) as n from ${table}`), table).toEqual([{ n: 0 }]);
});

it.each([
  ["POST /api/auth", "cannot log in: it answered 500 broken"],
  ["PUT /api/profile-position", "cannot report a position"],
  ["POST /api/profile-pic", "cannot upload a picture"],
  ["GET /api/profile-pic", "cannot read a picture"],
  ["POST /api/push-subscription", "cannot subscribe to push"],
  ["POST /api/message", "cannot write a message"],
])("names what failed at %s, and deletes the members all the same", async (call, message) => {
  broken = new RegExp(`^${call}`);
  await expect(check()).rejects.toThrow(message);
  expect(await rows("select count(*) as n from account where ts_deleted is null")).toEqual([{ n: 0 }]);
});

it("only says that no picture can be uploaded where the plan or the day allows none", async () => {
  [broken, status] = [/^POST .api.profile-pic/, 503];
  await check();
  expect(lines).toEqual([expect.stringContaining("no picture can be uploaded now")]);
});
