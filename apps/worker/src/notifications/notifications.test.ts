import { ALL_BRANDS_MASK } from "@lambda/brands";
import { MINUTE_MS } from "@lambda/contract/limits";
import { type Notification, NotificationKind } from "@lambda/contract/notifications";
import { createMember, type TestMember } from "@lambda/testing/member";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";

let worker: TestWorker;
beforeAll(async () => {
  worker = await startWorker();
});

/** A row as notify() writes it. */
async function insert(member: TestMember, about: TestMember | null, text: string): Promise<void> {
  await worker.env.DB.prepare(
    "insert into notification (profile_id, kind, about_id, body_text, url, brand, ts_created) values (?, 'match', ?, ?, '/x', 'ember', ?)",
  )
    .bind(member.id, about?.id ?? null, text, Date.now())
    .run();
}
const list = (member: TestMember) => member.get<Notification[]>(`/api/notifications/${member.id}`);

describe("notifications", () => {
  it("are listed and deleted by their recipient, newest first", async () => {
    const [member, other] = [await createMember(worker), await createMember(worker)];
    await insert(member, null, "first");
    await insert(member, other, "second");
    const items = await list(member);
    expect(items.map((item) => item.bodyText)).toEqual(["second", "first"]);
    expect((await other.fetch(`/api/notifications/${member.id}`)).status).toBe(403);
    const remove = async (by: TestMember) => (await by.send("DELETE", `/api/notification/${items[0]?.id}`)).status;
    expect(await remove(other)).toBe(404);
    expect(await list(member)).toHaveLength(2);
    expect([await remove(member), await remove(member)]).toEqual([204, 404]);
    expect((await list(member)).map((item) => item.bodyText)).toEqual(["first"]);
  });

  it("name the member who liked or wrote, who can be seen then, and nobody for any other kind", async () => {
    const [member, other] = [await createMember(worker), await createMember(worker)];
    for (const kind of NotificationKind.options) {
      await insert(member, other, kind);
      await worker.run({ query: "update notification set kind = body_text where body_text = ?", values: [kind] });
    }
    const named = (await list(member)).filter(({ aboutProfileId }) => aboutProfileId !== null);
    expect(new Set(named.map(({ aboutProfileId }) => aboutProfileId))).toEqual(new Set([other.id]));
    expect(named.map(({ kind }) => kind).sort()).toEqual(["album", "like", "match", "message"]);
  });

  it("are not shown while the member whom they are about is hidden", async () => {
    const [member, other] = [await createMember(worker), await createMember(worker)];
    await insert(member, other, "about the other");
    await worker.env.DB.prepare("update profile set hidden = 1 where id = ?").bind(other.id).run();
    expect(await list(member)).toEqual([]);
    const session = await member.get<{ notifications: number }>("/api/session");
    expect(session.notifications).toBe(0);
  });

  it("of a jury or a game are listed, counted and pushed on its brand alone, and all others on every brand", async () => {
    const member = await createMember(worker, { sharedOn: ALL_BRANDS_MASK });
    for (const kind of NotificationKind.options) {
      await insert(member, null, kind);
      await worker.run({ query: "update notification set kind = body_text where body_text = ?", values: [kind] });
    }
    const harbor = await member.onBrand("harbor");
    const seenOn = async (viewer: TestMember) => {
      const kinds = (await list(viewer)).map(({ kind }) => kind);
      const { notifications } = await viewer.get<{ notifications: number }>("/api/session");
      return { kinds: new Set(kinds), notifications };
    };
    expect(await seenOn(member)).toEqual({
      kinds: new Set(NotificationKind.options),
      notifications: NotificationKind.options.length,
    });
    const shared = NotificationKind.options.filter((kind) => kind !== "jury" && kind !== "game");
    expect(await seenOn(harbor)).toEqual({ kinds: new Set(shared), notifications: shared.length });
  });

  it("do not tell that a hidden member took back what they were about", async () => {
    const [member, other] = [await createMember(worker), await createMember(worker)];
    const like = (likeType: string) => other.send("PUT", "/api/profile-like", { likedProfileId: member.id, likeType });
    await like("LIKE");
    const [item] = await list(member);
    const remove = async () => (await member.send("DELETE", `/api/notification/${item?.id}`)).status;
    await worker.env.DB.prepare("update profile set hidden = 1 where id = ?").bind(other.id).run();
    expect(await remove()).toBe(404);
    expect((await like("DISLIKE")).status).toBe(200);
    expect(await remove()).toBe(404);
  });

  it("include one per sender for messages to an offline member, in the language of the reader, until they read them", async () => {
    const [member, sender] = [await createMember(worker), await createMember(worker)];
    let last = 0;
    let seen = 0;
    for (const minutes of [0, 6]) {
      const response = await sender.fetch("/api/message", {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "x-development-now": String(Date.now() + minutes * MINUTE_MS),
        },
        body: JSON.stringify({ recipientProfileId: member.id, bodyText: "Hello" }),
      });
      last = ((await response.json()) as { id: number }).id;
      await expect.poll(async () => (await list(member)).map(({ id }) => id > seen)).toEqual([true]);
      seen = (await list(member))[0]!.id;
    }
    expect((await list(member))[0]).toMatchObject({
      kind: "message",
      bodyText: "You have a new message",
      url: `/chat/personal?with=${sender.id}`,
    });
    const spanish = { bodyText: "Tienes un mensaje nuevo" };
    expect(await member.get(`/api/notifications/${member.id}?locale=es`)).toMatchObject([spanish]);
    const headers = { "accept-language": "es-MX,en;q=0.5" };
    const response = await member.fetch(`/api/notifications/${member.id}`, { headers });
    expect(await response.json()).toMatchObject([spanish]);
    expect((await member.fetch(`/api/notifications/${member.id}?locale=fr`)).status).toBe(400);
    await member.send("PUT", "/api/messages/read", { profileId: sender.id, upToMessageId: last });
    expect(await list(member)).toEqual([]);
  });
});
