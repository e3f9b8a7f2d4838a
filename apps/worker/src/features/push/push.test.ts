import { createDecipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { as, type TestMember } from "@lambda/testing/member";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

let worker: TestWorker;
let service: Server;
/** How the push service answers, by path. */
let answers: Map<string, number[]>;
let received: Received[];
let waiting: (() => void)[] = [];

beforeAll(async () => {
  worker = await startWorker();
  service = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const path = request.url ?? "";
      received.push({ path, headers: request.headers, body: Buffer.concat(chunks) });
      response.writeHead(answers.get(path)?.shift() ?? 201).end();
      for (const wake of waiting.splice(0)) wake();
    });
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
});
afterAll(() => service.close());
beforeEach(() => {
  received = [];
  answers = new Map();
  waiting = [];
});

/** Waits for the n-th request at a path. */
async function arrived(path: string, count = 1): Promise<Received> {
  for (;;) {
    const found = received.filter((item) => item.path === path);
    if (found.length >= count) return found[count - 1]!;
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
}

/** A browser's side of a subscription: its keys, and how it reads a push (RFC 8291, RFC 8188). */
function device(name: string) {
  const ecdh = createECDH("prime256v1");
  const publicKey = ecdh.generateKeys();
  const auth = randomBytes(16);
  const endpoint = `https://127.0.0.1:${(service.address() as AddressInfo).port}/${name}`;
  return {
    path: `/${name}`,
    draft: {
      deviceName: name,
      endpoint,
      auth_base64: auth.toString("base64url"),
      p256dh_base64: publicKey.toString("base64url"),
    },
    decrypt(body: Buffer): unknown {
      const salt = body.subarray(0, 16);
      const keyLength = body[20] ?? 0;
      const senderKey = body.subarray(21, 21 + keyLength);
      const shared = ecdh.computeSecret(senderKey);
      const info = Buffer.concat([Buffer.from("WebPush: info\0"), publicKey, senderKey]);
      const secret = Buffer.from(hkdfSync("sha256", shared, auth, info, 32));
      const key = Buffer.from(hkdfSync("sha256", secret, salt, "Content-Encoding: aes128gcm\0", 16));
      const nonce = Buffer.from(hkdfSync("sha256", secret, salt, "Content-Encoding: nonce\0", 12));
      const sealed = body.subarray(21 + keyLength);
      const decipher = createDecipheriv("aes-128-gcm", key, nonce);
      decipher.setAuthTag(sealed.subarray(-16));
      const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
      return JSON.parse(plain.subarray(0, plain.lastIndexOf(2)).toString());
    },
  };
}

let made = 0;
async function subscribed(overrides = {}): Promise<{ member: TestMember; phone: ReturnType<typeof device> }> {
  const member = await as(worker, overrides);
  const phone = device(`phone-${made++}`);
  const answer = await member.send("POST", "/api/push-subscription", phone.draft);
  expect(answer.status, await answer.clone().text()).toBe(201);
  return { member, phone };
}

const write = (from: TestMember, to: TestMember, bodyText = "SECRET TEXT") =>
  from.send("POST", "/api/message", { recipientProfileId: to.id, bodyText });

describe("push", () => {
  it("reaches a device that is away: encrypted, signed, and without any content", async () => {
    const { member, phone } = await subscribed();
    const sender = await as(worker, { name: "Verysecretname" });
    expect((await write(sender, member)).status).toBe(201);
    const push = await arrived(phone.path);
    expect(push.headers).toMatchObject({ "content-encoding": "aes128gcm", topic: "message", urgency: "high" });
    expect(push.headers.authorization).toMatch(/^vapid t=.+, ?k=BGTx/);
    expect(phone.decrypt(push.body)).toEqual({
      kind: "message",
      title: "Ember",
      icon: "/icons/ember-192.png",
      body: "You have a new message",
      url: "/chat/personal",
    });
  });

  it("forgets a subscription that answers 410, and keeps one that recovers, trying again", async () => {
    const { member, phone } = await subscribed();
    const second = device(`phone-${made++}`);
    await member.send("POST", "/api/push-subscription", second.draft);
    answers.set(phone.path, [410]);
    answers.set(second.path, [503]);
    await write(await as(worker), member);
    await arrived(second.path, 2);
    const left = await member.get<{ deviceName: string }[]>("/api/push-subscriptions");
    expect(left.map((entry) => entry.deviceName)).toEqual([second.draft.deviceName]);
    expect(received.filter((item) => item.path === phone.path)).toHaveLength(1);
  });

  it("leaves out a kind that is turned off", async () => {
    const { member, phone } = await subscribed();
    const { member: other, phone: otherPhone } = await subscribed();
    await member.send("PUT", "/api/notification-preferences", { off: ["message"] });
    const sender = await as(worker);
    await write(sender, member);
    await write(sender, other);
    await arrived(otherPhone.path);
    expect(received.some((item) => item.path === phone.path)).toBe(false);
    expect(await member.get(`/api/notifications/${member.id}`)).toEqual([]);
  });

  it("ends with the session", async () => {
    const { member } = await subscribed();
    await member.send("POST", "/api/auth/logout");
    const row = await worker.env.DB.prepare("select count(*) n from push_subscription where profile_id = ?")
      .bind(member.id)
      .first();
    expect(row).toEqual({ n: 0 });
  });

  it("calls push services alone, and takes nobody else's device", async () => {
    const { member, phone } = await subscribed();
    const inside = { ...phone.draft, endpoint: "https://10.0.0.1/push" };
    expect((await member.send("POST", "/api/push-subscription", inside)).status).toBe(400);
    const thief = await as(worker);
    const stolen = { ...device("x").draft, endpoint: phone.draft.endpoint };
    expect((await thief.send("POST", "/api/push-subscription", stolen)).status).toBe(409);
    const [entry] = await member.get<{ id: number }[]>("/api/push-subscriptions");
    expect(JSON.stringify(entry)).not.toContain(phone.draft.auth_base64);
    expect((await thief.send("DELETE", `/api/push-subscription/${entry?.id}`)).status).toBe(404);
    expect((await member.send("DELETE", `/api/push-subscription/${entry?.id}`)).status).toBe(204);
  });
});
