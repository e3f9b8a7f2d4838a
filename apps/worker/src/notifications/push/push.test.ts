import { ALL_BRANDS_MASK } from "@lambda/brands";
import { PUSH_SUBSCRIPTIONS_MAX } from "@lambda/contract/limits";
import { notificationRules, PROTECTED_NOTIFICATION_KINDS } from "@lambda/contract/notification-kinds";
import { NotificationKind } from "@lambda/contract/notifications";
import { createMember, logIn, type TestMember } from "@lambda/testing/member";
import { quickHash } from "@lambda/testing/password";
import { uploadPicture } from "@lambda/testing/pictures";
import { type PushDevice, type PushService, startPushService } from "@lambda/testing/push-service";
import { createMemberAt, PHOENIX } from "@lambda/testing/scenes/positions";
import { openSocket } from "@lambda/testing/socket";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

let worker: TestWorker;
let service: PushService;

beforeAll(async () => {
  worker = await startWorker();
  service = await startPushService();
});
afterAll(() => service.close());
beforeEach(() => service.clear());

let devicesMade = 0;
async function subscribed(overrides = {}): Promise<{ member: TestMember; phone: PushDevice }> {
  const member = await createMember(worker, overrides);
  const phone = service.createDevice(`phone-${devicesMade++}`);
  const response = await member.send("POST", "/api/push-subscription", phone.subscription);
  expect(response.status, await response.clone().text()).toBe(201);
  return { member, phone };
}

const write = (from: TestMember, to: TestMember, bodyText = "SECRET TEXT") =>
  from.send("POST", "/api/message", { recipientProfileId: to.id, bodyText });

describe("push", () => {
  it("reaches an offline device: encrypted, signed, and without any content", async () => {
    const { member, phone } = await subscribed();
    const sender = await createMember(worker, { name: "Verysecretname" });
    expect((await write(sender, member)).status).toBe(201);
    const push = await service.waitForPush(phone.path);
    expect(push.headers).toMatchObject({ "content-encoding": "aes128gcm", urgency: "high" });
    expect(push.headers.authorization).toMatch(/^vapid t=.+, ?k=BGTx/);
    expect(phone.decrypt(push.body)).toEqual({
      kind: "message",
      title: "Ember",
      icon: "/icons/ember-192.png",
      body: "You have a new message",
      url: "/chat/personal",
    });
  });

  it("comes for each message, although those of one sender within minutes share a notification, which is written once", async () => {
    const { member, phone } = await subscribed();
    const sender = await createMember(worker);
    const ids: unknown[] = [];
    for (const count of [1, 2]) {
      expect((await write(sender, member)).status).toBe(201);
      await service.waitForPush(phone.path, count);
      const rows = await worker.env.DB.prepare("select id from notification where profile_id = ?")
        .bind(member.id)
        .all();
      ids.push(rows.results);
    }
    expect(ids[0]).toHaveLength(1);
    expect(ids[1]).toEqual(ids[0]);
  });

  it("shows a push service neither the kind nor the length of the content", async () => {
    const { member, phone } = await subscribed();
    const { member: other, phone: second } = await subscribed();
    const sender = await createMember(worker);
    await write(sender, member);
    await write(sender, other);
    const message = await service.waitForPush(phone.path);
    const elsewhere = await service.waitForPush(second.path);
    await sender.send("PUT", "/api/profile-like", { likedProfileId: member.id, likeType: "LIKE" });
    const like = await service.waitForPush(phone.path, 2);
    expect(phone.decrypt(like.body)).toMatchObject({ kind: "like" });
    const topics = [message, elsewhere, like].map(({ headers }) => String(headers.topic));
    expect(new Set(topics).size).toBe(3);
    for (const topic of topics) expect(topic).toMatch(/^[A-Za-z0-9_-]{32}$/);
    expect(like.body.length).toBe(message.body.length);
  });

  it("of every kind is as its table says, and no switch, open page or sister brand keeps an alarm from a device", async () => {
    const { member, phone } = await subscribed({ sharedOn: ALL_BRANDS_MASK });
    const harbor = await member.onBrand("harbor");
    const sister = service.createDevice(`phone-${devicesMade++}`);
    await harbor.send("POST", "/api/push-subscription", sister.subscription);
    const preferences = await member.send("PUT", "/api/notification-preferences", { off: NotificationKind.options });
    const { off } = (await preferences.json()) as { off: NotificationKind[] };
    expect(off).toHaveLength(NotificationKind.options.length - PROTECTED_NOTIFICATION_KINDS.length);
    expect(await member.get<string[]>("/api/notification-preferences")).toEqual({ off });
    // As stored when they could be turned off.
    await worker.run({
      query: "update account set preferences = json_object('notificationsOff', json(?)) where id = ?",
      values: [JSON.stringify(NotificationKind.options), member.id],
    });
    const page = await openSocket(worker, member);
    const expected = { [phone.path]: 0, [sister.path]: 0 };
    const pushed = async (device: PushDevice) => {
      expected[device.path] = (expected[device.path] ?? 0) + 1;
      const { headers, body } = await service.waitForPush(device.path, expected[device.path]);
      return { headers, payload: device.decrypt(body) };
    };
    const topics = new Set<unknown>();
    for (const seen of [true, false]) {
      if (!seen) {
        page.close();
        await member.send("PUT", "/api/notification-preferences", { off: [] });
      }
      for (const kind of NotificationKind.options) {
        const { alarm, urgency, ttlMs, url } = notificationRules(kind);
        await worker.run({
          query:
            "insert into notification (profile_id, kind, body_text, brand, ts_created) values (?, ?, '', 'ember', ?)",
          values: [member.id, kind, Date.now()],
        });
        await worker.env.PUSH_QUEUE.send({ profileId: member.id, kind, brand: "ember", created: Date.now() });
        if (seen && !alarm) continue;
        const { headers, payload } = await pushed(phone);
        expect([kind, headers]).toMatchObject([kind, { urgency, ttl: String(ttlMs / 1000) }]);
        topics.add(headers.topic);
        const shown = { kind, url, title: "Ember", ...(alarm && { alarm }) };
        expect(payload).toMatchObject(shown);
        if (alarm) expect((await pushed(sister)).payload).toMatchObject({ ...shown, title: "Harbor" });
      }
    }
    expect(topics.size).toBe(NotificationKind.options.length);
    for (const device of [phone, sister])
      expect(service.received.filter(({ path }) => path === device.path)).toHaveLength(expected[device.path] ?? 0);
  });

  it("of a message comes unless a visible page gets it, and what takes it away comes in any case", async () => {
    const { member, phone } = await subscribed();
    const page = await openSocket(worker, member, { path: "/ws" });
    const received = async (bodyText: string) => {
      const sender = await createMember(worker);
      const { id } = (await (await write(sender, member, bodyText)).json()) as { id: number };
      await page.waitFor("message", ({ message }) => message.id === id);
      return { sender, id };
    };
    const { sender, id } = await received("To a forgotten tab");
    await service.waitForPush(phone.path);
    page.send({ type: "visible", visible: true });
    // Read by the object before the next message, as both pass through it in this order.
    await received("To a visible page");
    expect((await sender.send("DELETE", `/api/message/${id}`)).status).toBe(204);
    expect(phone.decrypt((await service.waitForPush(phone.path, 2)).body)).toMatchObject({
      kind: "message",
      gone: true,
    });
    page.send({ type: "visible", visible: false });
    await received("To a tab behind others");
    expect(phone.decrypt((await service.waitForPush(phone.path, 3)).body)).toMatchObject({ kind: "message" });
    page.close();
  });

  it("reaches a member who is connected on another brand, or by a session that ended", async () => {
    const sender = await createMember(worker);
    const { member, phone } = await subscribed({ sharedOn: ALL_BRANDS_MASK });
    const elsewhere = await openSocket(worker, await member.onBrand("harbor"));
    expect((await write(sender, member)).status).toBe(201);
    await service.waitForPush(phone.path);
    elsewhere.close();

    const { member: other, phone: second } = await subscribed();
    const laptop = await other.onBrand("ember");
    const left = await openSocket(worker, laptop);
    await laptop.send("POST", "/api/auth/logout");
    expect((await write(sender, other)).status).toBe(201);
    await service.waitForPush(second.path);
    left.close();
  });

  it("reaches the devices of the brand whose game or jury calls, also while the member is connected on a sister brand", async () => {
    const member = await createMemberAt(worker, PHOENIX, { sharedOn: ALL_BRANDS_MASK });
    const phone = service.createDevice(`phone-${devicesMade++}`);
    await member.send("POST", "/api/push-subscription", phone.subscription);
    const carrier = await createMemberAt(worker, PHOENIX, { sharedOn: ALL_BRANDS_MASK });
    for (const player of [member, carrier]) await player.send("PUT", "/api/games/cooties", { playing: true });
    await worker.run({
      query: "update cooties_player set carrier = (profile_id = ?), ts_caught = null",
      values: [carrier.id],
    });
    const harbor = await member.onBrand("harbor");
    const elsewhere = await openSocket(worker, harbor);
    expect((await carrier.send("POST", "/api/games/cooties/tag", { profileId: member.id })).status).toBe(200);
    expect(phone.decrypt((await service.waitForPush(phone.path)).body)).toMatchObject({ kind: "game", title: "Ember" });
    expect(elsewhere.events.map(({ type }) => type)).not.toContain("notification");
    elsewhere.close();
  });

  it("of staff's decisions reaches the member's own brand, on whichever a network admin is", async () => {
    const { member, phone } = await subscribed();
    const admin = await (await createMember(worker, { adminBrand: "*" })).onBrand("harbor");
    const draft = { subjectProfileId: member.id, kind: "warn", rule: "spam", reason: "Too much of it" };
    const response = await admin.send("POST", "/api/admin/action", draft);
    const { id, brand } = (await response.json()) as { id: number; brand: string };
    expect([response.status, brand]).toEqual([201, "ember"]);
    expect(phone.decrypt((await service.waitForPush(phone.path)).body)).toMatchObject({ kind: "standing" });
    expect((await admin.send("POST", `/api/admin/action/${id}/lift`)).status).toBe(200);
    await service.waitForPush(phone.path, 2);
    const [rows] = await worker.run({
      query:
        "select brand from report where subject_id = ?1 union all select brand from notification where profile_id = ?1",
      values: [member.id],
    });
    expect(rows).toEqual([{ brand: "ember" }, { brand: "ember" }, { brand: "ember" }]);
  });

  it("deletes a subscription that returns 410, and retries one that recovers", async () => {
    const { member, phone } = await subscribed();
    const second = service.createDevice(`phone-${devicesMade++}`);
    await member.send("POST", "/api/push-subscription", second.subscription);
    service.nextStatuses.set(phone.path, [410]);
    service.nextStatuses.set(second.path, [503]);
    await write(await createMember(worker), member);
    await service.waitForPush(second.path, 2);
    const left = await member.get<{ deviceName: string }[]>("/api/push-subscriptions");
    expect(left.map((entry) => entry.deviceName)).toEqual([second.subscription.deviceName]);
    expect(service.received.filter((item) => item.path === phone.path)).toHaveLength(1);
  });

  it("tells a device that the member removed it, until it subscribes again, and not that it was given up or renewed", async () => {
    const { member, phone } = await subscribed();
    const list = () => member.get<{ id: number }[]>("/api/push-subscriptions");
    const isRemoved = async () => (await member.get<{ tsRemoved: number | null }>("/api/push-key")).tsRemoved !== null;
    const subscribe = async ({ subscription }: PushDevice) =>
      expect((await member.send("POST", "/api/push-subscription", subscription)).status).toBe(201);
    const removeFirst = async () =>
      expect((await member.send("DELETE", `/api/push-subscription/${(await list())[0]?.id}`)).status).toBe(204);
    const renewed = service.createDevice(`phone-${devicesMade++}`);
    await subscribe(renewed);
    await removeFirst();
    expect(await isRemoved()).toBe(false);
    await removeFirst();
    expect([await list(), await isRemoved()]).toEqual([[], true]);
    await subscribe(phone);
    expect(await isRemoved()).toBe(false);
    service.nextStatuses.set(phone.path, [410]);
    await write(await createMember(worker), member);
    await service.waitForPush(phone.path);
    await expect.poll(list).toEqual([]);
    expect(await isRemoved()).toBe(false);
  });

  it("removes another device of the member only with a fresh proof, the session's own without", async () => {
    const { member: phone } = await subscribed();
    const laptop = await logIn(worker, phone.id);
    const second = service.createDevice(`phone-${devicesMade++}`);
    expect((await laptop.send("POST", "/api/push-subscription", second.subscription)).status).toBe(201);
    const devices = await laptop.get<{ id: number; thisDevice: boolean }[]>("/api/push-subscriptions");
    const idOf = (own: boolean) => devices.find(({ thisDevice }) => thisDevice === own)?.id;
    const remove = async (own: boolean) => {
      const response = await laptop.send("DELETE", `/api/push-subscription/${idOf(own)}`);
      return [response.status, response.ok ? "" : ((await response.json()) as { error: { code: string } }).error.code];
    };
    expect(await remove(false)).toEqual([403, "CONFIRMATION_NEEDED"]);
    expect(await remove(true)).toEqual([204, ""]);
    await worker.run({
      query: "update session set ts_proved = ? where account_id = ?",
      values: [Date.now(), phone.id],
    });
    expect(await remove(false)).toEqual([204, ""]);
    expect(await remove(false)).toEqual([404, "NOT_FOUND"]);
    expect(await phone.get("/api/push-key")).toMatchObject({ tsRemoved: expect.any(String) });
  });

  it("keeps a device whose service refused one push, or knows none of the site's keys any more", async () => {
    const { member, phone } = await subscribed();
    const other = service.createDevice(`phone-${devicesMade++}`, "another-key");
    expect((await member.send("POST", "/api/push-subscription", other.subscription)).status).toBe(201);
    const sender = await createMember(worker);
    const refusals = [400, 401, 402, 413];
    service.nextStatuses.set(phone.path, [...refusals]);
    for (let count = 1; count <= refusals.length + 1; count += 1) {
      expect((await write(sender, member)).status).toBe(201);
      await service.waitForPush(phone.path, count);
    }
    expect(await member.get<unknown[]>("/api/push-subscriptions")).toHaveLength(2);
  });

  it("skips a kind that is turned off", async () => {
    const { member, phone } = await subscribed();
    const { member: other, phone: otherPhone } = await subscribed();
    await member.send("PUT", "/api/notification-preferences", { off: ["message"] });
    const sender = await createMember(worker);
    await write(sender, member);
    await write(sender, other);
    await service.waitForPush(otherPhone.path);
    expect(service.received.some((item) => item.path === phone.path)).toBe(false);
    expect(await member.get(`/api/notifications/${member.id}`)).toEqual([]);
  });

  it("tells nothing of an act by somebody out of sight, even if there is an older notification of the kind", async () => {
    const { member, phone } = await subscribed();
    const [hiding, discreet, seen] = [
      await createMember(worker),
      await createMember(worker),
      await createMember(worker),
    ];
    const picture = (await uploadPicture(member)).id;
    const like = (by: TestMember) =>
      by.send("PUT", "/api/profile-pic-like", { profilePicId: picture, likeType: "LIKE" });
    expect((await like(seen)).status).toBe(200);
    await service.waitForPush(phone.path);
    await worker.env.DB.prepare("update profile set hidden = 1 where id = ?").bind(hiding.id).run();
    await discreet.send("PUT", "/api/settings/discreet", { discreet: true });
    for (const by of [hiding, discreet]) expect((await like(by)).status).toBe(200);
    const later = await createMember(worker);
    await write(later, member);
    await service.waitForPush(phone.path, 2);
    await like(later);
    const last = await service.waitForPush(phone.path, 3);
    expect(phone.decrypt(last.body)).toMatchObject({ kind: "like" });
    const kinds = service.received.map(({ body }) => (phone.decrypt(body) as { kind: string }).kind);
    expect(kinds).toEqual(["like", "message", "like"]);
  });

  it("takes its notification along when the news are unsent, taken back or blocked, but not while others of the kind are left", async () => {
    const { member, phone } = await subscribed();
    const [one, two] = [await createMember(worker), await createMember(worker)];
    const pushes = async (count: number) => {
      await service.waitForPush(phone.path, count);
      return service.received.map(({ body }) => phone.decrypt(body) as { kind: string; gone?: true; body: string });
    };
    const idOf = async (response: Response) => ((await response.json()) as { id: number }).id;
    const first = await idOf(await write(one, member));
    await pushes(1);
    const second = await idOf(await write(two, member));
    await pushes(2);
    expect((await one.send("DELETE", `/api/message/${first}`)).status).toBe(204);
    expect((await two.send("DELETE", `/api/message/${second}`)).status).toBe(204);
    expect((await pushes(3)).slice(2)).toMatchObject([{ kind: "message", gone: true, body: "Nothing new" }]);
    expect(new Set(service.received.map(({ body }) => body.length)).size).toBe(1);

    const like = (likeType: string) => one.send("PUT", "/api/profile-like", { likedProfileId: member.id, likeType });
    await like("LIKE");
    await pushes(4);
    await like("UNDETERMINED");
    expect((await pushes(5)).slice(3)).toMatchObject([{ kind: "like" }, { kind: "like", gone: true }]);

    await write(two, member);
    await pushes(6);
    await member.send("PUT", "/api/profile-like", { likedProfileId: two.id, blocked: true });
    expect((await pushes(7)).slice(5)).toMatchObject([{ kind: "message" }, { kind: "message", gone: true }]);

    // Out of sight, taking back a like tells nothing.
    const third = await createMember(worker);
    const likeOf = (by: TestMember, likeType: string) =>
      by.send("PUT", "/api/profile-like", { likedProfileId: member.id, likeType });
    await likeOf(third, "LIKE");
    await pushes(8);
    await worker.env.DB.prepare("update profile set hidden = 1 where id = ?").bind(third.id).run();
    await likeOf(third, "UNDETERMINED");
    await write(one, member);
    expect((await pushes(9)).slice(8)).toMatchObject([{ kind: "message" }]);
  });

  it("ends with the session, and stays the device's when its own member logs in over it, not when another does", async () => {
    const password = "correct horse battery";
    const passwordHash = quickHash(password);
    const { member } = await subscribed();
    const { member: again } = await subscribed({ passwordHash });
    const { member: replaced } = await subscribed();
    await member.send("POST", "/api/auth/logout");
    for (const over of [again, replaced])
      expect((await over.send("POST", "/api/auth", { username: again.email, password })).status).toBe(200);
    const [rows] = await worker.run({
      query: `select profile_id, (select count(*) from session s where s.account_id = profile_id and s.id > session_id) as later
        from push_subscription where profile_id in (?, ?, ?)`,
      values: [member.id, again.id, replaced.id],
    });
    // The second login of this member came on another device.
    expect(rows).toEqual([{ profile_id: again.id, later: 1 }]);
  });

  it("renews a device of a member at the limit, and accepts no further one", async () => {
    const { member, phone } = await subscribed();
    for (let count = 1; count < PUSH_SUBSCRIPTIONS_MAX - 1; count += 1) {
      const other = service.createDevice(`phone-${devicesMade++}`);
      expect((await member.send("POST", "/api/push-subscription", other.subscription)).status).toBe(201);
    }
    const last = [1, 2, 3].map(() =>
      member.send("POST", "/api/push-subscription", service.createDevice(`phone-${devicesMade++}`).subscription),
    );
    expect((await Promise.all(last)).map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const renewed = { ...phone.subscription, deviceName: "Renewed" };
    const response = await member.send("POST", "/api/push-subscription", renewed);
    expect([response.status, await response.json()]).toMatchObject([201, { deviceName: "Renewed" }]);
  });

  it("takes no keys that cannot work, from a member or a friend with a plan's link, and names them", async () => {
    const { member, phone } = await subscribed();
    const { auth_base64, p256dh_base64: key } = phone.subscription;
    const padded = { auth_base64: `${auth_base64}==`, p256dh_base64: `${key.replace(/-/g, "+").replace(/_/g, "/")}=` };
    const renewed = await member.send("POST", "/api/push-subscription", { ...phone.subscription, ...padded });
    expect(renewed.status, await renewed.clone().text()).toBe(201);
    const raw = Buffer.from(key, "base64url");
    const last = raw.length - 1;
    const moved = Buffer.from(raw.with(last, (raw[last] ?? 0) ^ 1)).toString("base64url");
    const unknownForm = Buffer.from(raw.with(0, 5)).toString("base64url");
    for (const [field, value] of [
      ["auth_base64", "a"],
      ["auth_base64", auth_base64.slice(1)],
      ["auth_base64", "A".repeat(32)],
      ["p256dh_base64", "b"],
      ["p256dh_base64", key.slice(2)],
      ["p256dh_base64", "B".repeat(87)],
      ["p256dh_base64", moved],
      ["p256dh_base64", unknownForm],
      ["p256dh_base64", `${key.slice(0, 40)}${"_".repeat(47)}`],
    ] as const) {
      const { subscription } = service.createDevice(`phone-${devicesMade++}`);
      const response = await member.send("POST", "/api/push-subscription", { ...subscription, [field]: value });
      expect([value, response.status]).toEqual([value, 400]);
      expect(await response.json()).toMatchObject({ error: { code: "BAD_INPUT", field } });
      const device = { endpoint: subscription.endpoint, auth_base64, p256dh_base64: key, locale: "en", [field]: value };
      const plan = { id: "A".repeat(22), reader: "A".repeat(43), device };
      const friend = await member.send("POST", "/api/meet/subscribe", plan);
      expect([value, friend.status]).toEqual([value, 400]);
      expect((await friend.json()) as object).toMatchObject({ error: { field: expect.stringMatching(field) } });
    }
    expect(await member.get<unknown[]>("/api/push-subscriptions")).toHaveLength(1);
  });

  it("calls only push services, and rejects another member's device", async () => {
    const { member, phone } = await subscribed();
    const inside = { ...phone.subscription, endpoint: "https://10.0.0.1/push" };
    expect((await member.send("POST", "/api/push-subscription", inside)).status).toBe(400);
    const thief = await createMember(worker);
    const stolen = { ...service.createDevice("x").subscription, endpoint: phone.subscription.endpoint };
    expect((await thief.send("POST", "/api/push-subscription", stolen)).status).toBe(409);
    const [entry] = await member.get<{ id: number }[]>("/api/push-subscriptions");
    expect(JSON.stringify(entry)).not.toContain(phone.subscription.auth_base64);
    expect((await thief.send("DELETE", `/api/push-subscription/${entry?.id}`)).status).toBe(404);
    expect((await member.send("DELETE", `/api/push-subscription/${entry?.id}`)).status).toBe(204);
  });
});
