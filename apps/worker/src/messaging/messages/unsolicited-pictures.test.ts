import { DAY_MS, PICTURE_DECLINE_WINDOW_MS } from "@lambda/contract/limits";
import type { Message } from "@lambda/contract/messages";
import { createMember, type TestMember } from "@lambda/testing/member";
import { insertMembers } from "@lambda/testing/members";
import { uploadPicture } from "@lambda/testing/pictures";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, describe, expect, it } from "vitest";
import { NIGHTLY } from "../../schedule.ts";

let worker: TestWorker;
let sender: TestMember;
let picture: number;

beforeEach(async () => {
  worker = await startWorker();
  sender = await createMember(worker);
  picture = (await uploadPicture(sender, { audience: "chat" })).id;
});

const sendTo = (member: TestMember | null, more: object = { profilePicIds: [picture] }) =>
  sender.send("POST", "/api/message", { recipientProfileId: member?.id ?? null, ...more });
const sent = async (member: TestMember | null) => (await (await sendTo(member)).json()) as Message;
const decline = (member: TestMember, id: number) => member.send("PUT", `/api/message/${id}/decline-pictures`, {});
const seesPicture = async (member: TestMember) => (await member.fetch(`/api/profile-pic/${picture}`)).status;

/** Sends unsolicited pictures to this many members, who decline them. */
async function declineBy(count: number, joinedDaysAgo = 2): Promise<void> {
  for (let member = 0; member < count; member += 1) {
    const reader = await createMember(worker, { created: Date.now() - joinedDaysAgo * DAY_MS });
    expect((await decline(reader, (await sent(reader)).id)).ok).toBe(true);
  }
}

describe("an unsolicited picture", () => {
  it("is hidden from the reader who declines it, and the sender sees no difference", async () => {
    const reader = await createMember(worker);
    const message = await sent(reader);
    expect(await seesPicture(reader)).toBe(200);
    const before = await sender.get(`/api/messages/between/${sender.id}/${reader.id}`);
    expect((await decline(reader, message.id)).ok).toBe(true);
    expect(await seesPicture(reader)).toBe(404);
    expect(await reader.get(`/api/messages/between/${sender.id}/${reader.id}`)).toEqual([]);
    expect(await sender.get(`/api/messages/between/${sender.id}/${reader.id}`)).toEqual(before);
    expect(await seesPicture(sender)).toBe(200);
  });

  it("cannot be declined by other members, without a picture, or twice", async () => {
    const [reader, other] = [await createMember(worker), await createMember(worker)];
    const message = await sent(reader);
    expect((await decline(other, message.id)).status).toBe(404);
    expect((await decline(sender, message.id)).status).toBe(404);
    const text = (await (await sendTo(reader, { bodyText: "Hello" })).json()) as Message;
    expect((await decline(reader, text.id)).status).toBe(404);
    expect((await decline(reader, 999_999)).status).toBe(404);
    expect((await decline(reader, message.id)).ok).toBe(true);
    expect((await decline(reader, message.id)).status).toBe(404);
  });
});

describe("a sender whose pictures were declined by three members", () => {
  it("can send text, but pictures only to members who have replied", async () => {
    const friend = await createMember(worker);
    await friend.send("POST", "/api/message", { recipientProfileId: sender.id, bodyText: "Show me" });
    await declineBy(2);
    const stranger = await createMember(worker);
    expect((await sendTo(stranger)).status).toBe(201);
    await declineBy(1);
    const refused = await sendTo(stranger);
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ error: { code: "ASK_FIRST", field: "profilePicIds" } });
    const album = await sendTo(stranger, { attachment: { type: "album" } });
    expect(await album.json()).toMatchObject({ error: { code: "ASK_FIRST", field: "attachment" } });
    expect((await sendTo(stranger, { bodyText: "May I?" })).status).toBe(201);
    expect((await sendTo(friend)).status).toBe(201);
    await stranger.send("POST", "/api/message", { recipientProfileId: sender.id, bodyText: "Yes" });
    expect((await sendTo(stranger)).status).toBe(201);
  });

  it("has to ask first however many accounts that are too new declined later", async () => {
    await declineBy(3);
    await insertMembers(
      worker.run,
      Array.from({ length: 101 }, (_, index) => ({ id: 1000 + index })),
    );
    await worker.run({
      query: `insert into picture_decline (sender_id, decliner_id, broadcast, ts_sent) select ?1, id, 0, ?2 from account where id between 1000 and 1100`,
      values: [sender.id, Date.now() + 1000],
    });
    expect((await sendTo(await createMember(worker))).status).toBe(403);
  });

  it("is told until when, to the day, and can still post them to the map chat", async () => {
    await declineBy(3);
    const { error } = (await (await sendTo(await createMember(worker))).json()) as {
      error: { reason: string; retryAfterSeconds: number };
    };
    expect(error.reason).toBe("PERSONAL");
    const until = Date.now() + error.retryAfterSeconds * 1000;
    expect(Math.abs(until - Math.ceil((Date.now() + PICTURE_DECLINE_WINDOW_MS) / DAY_MS) * DAY_MS)).toBeLessThan(5000);
    expect((await sendTo(null)).status).toBe(201);
  });

  it("loses nothing to accounts made for it", async () => {
    await declineBy(5, 0.9);
    expect((await sendTo(await createMember(worker))).status).toBe(201);
  });

  it("is counted once per member, not for members who wrote to them, and only for a while", async () => {
    const friend = await createMember(worker);
    await friend.send("POST", "/api/message", { recipientProfileId: sender.id, bodyText: "Show me" });
    for (let time = 0; time < 3; time += 1) await decline(friend, (await sent(friend)).id);
    const reader = await createMember(worker, { created: Date.now() - 2 * DAY_MS });
    for (let time = 0; time < 3; time += 1) await decline(reader, (await sent(reader)).id);
    const stranger = await createMember(worker);
    expect((await sendTo(stranger)).status).toBe(201);
    await declineBy(2);
    expect((await sendTo(stranger)).status).toBe(403);
    await worker.env.DB.prepare("update picture_decline set ts_sent = ts_sent - ?")
      .bind(PICTURE_DECLINE_WINDOW_MS + DAY_MS)
      .run();
    expect((await sendTo(stranger)).status).toBe(201);
    await worker.runCron(NIGHTLY);
    const { results } = await worker.env.DB.prepare("select 1 from picture_decline").all();
    expect(results).toEqual([]);
  });
});

describe("a picture in the map chat", () => {
  const WEEK_MS = 7 * DAY_MS;
  /** Members who joined in this many different weeks, the youngest a month ago, each on a network of its own. */
  const grown = (count: number, network?: number) =>
    Promise.all(
      Array.from({ length: count }, (_, at) =>
        createMember(worker, { created: Date.now() - 30 * DAY_MS - at * WEEK_MS, network: network ?? 100 + at }),
      ),
    );
  /** Slow mode rejects a second post of the same minute with another code, after the declines were checked. */
  const mayPost = async () => (await sendTo(null)).status !== 403;
  const passDays = (days: number) =>
    worker.run(
      ...[
        "account set ts_created = ts_created",
        "message set ts_created = ts_created",
        "picture_decline set ts_sent = ts_sent",
      ].map((column) => ({ query: `update ${column} - ?`, values: [days * DAY_MS] })),
    );
  const refusal = async (response: Response) => {
    const { error } = (await response.json()) as {
      error?: { code: string; reason: string; retryAfterSeconds: number };
    };
    return error;
  };

  it("takes nothing from its sender when accounts made for it decline it, once or again weeks later", async () => {
    const fresh = await Promise.all([1, 2, 3].map((network) => createMember(worker, { network })));
    const stranger = await createMember(worker);
    const { id } = await sent(null);
    for (const days of [0, 25]) {
      await passDays(days);
      for (const member of fresh) expect((await decline(member, id)).ok).toBe(true);
      expect(await mayPost()).toBe(true);
      expect((await sendTo(stranger)).status).toBe(201);
    }
  });

  it.each([
    ["of one network", async () => grown(3, 7)],
    [
      "of one week",
      async () =>
        Promise.all([1, 2, 3].map((network) => createMember(worker, { created: Date.now() - 40 * DAY_MS, network }))),
    ],
    [
      "that joined two weeks ago",
      async () =>
        Promise.all(
          [1, 2, 3].map((at) => createMember(worker, { created: Date.now() - (14 - at) * DAY_MS, network: at })),
        ),
    ],
  ])("takes nothing from its sender when accounts %s decline it", async (_, decliners) => {
    const { id } = await sent(null);
    for (const member of await decliners()) expect((await decline(member, id)).ok).toBe(true);
    expect(await mayPost()).toBe(true);
  });

  it("limits its sender's pictures there alone when three grown accounts of other networks and weeks decline it", async () => {
    const { id } = await sent(null);
    for (const member of await grown(3)) await decline(member, id);
    expect(await refusal(await sendTo(null))).toMatchObject({ code: "ASK_FIRST", reason: "MAP_CHAT" });
    expect((await sendTo(await createMember(worker))).status).toBe(201);
    // It ends thirty days after the picture was posted, even if it is declined again until then.
    await passDays(29);
    const decliners = await grown(3);
    for (const member of decliners) await decline(member, id);
    const { retryAfterSeconds } = (await refusal(await sendTo(null)))!;
    expect(retryAfterSeconds).toBeLessThan(2 * 24 * 3600);
    await passDays(2);
    expect(await mayPost()).toBe(true);
  });
});

describe("an album", () => {
  it("counts as unsolicited until the member asks for it or writes", async () => {
    const reader = await createMember(worker);
    const status = async () => (await reader.get<{ asked: boolean }>(`/api/album/${sender.id}`)).asked;
    expect(await status()).toBe(false);
    await sender.send("PUT", "/api/album-grant", { memberProfileId: reader.id });
    expect(await status()).toBe(false);
    await reader.send("POST", "/api/message", { recipientProfileId: sender.id, bodyText: "Thank you" });
    expect(await status()).toBe(true);
    const asking = await createMember(worker);
    await asking.send("POST", "/api/album-request", { ownerProfileId: sender.id });
    await sender.send("PUT", "/api/album-grant", { memberProfileId: asking.id });
    expect((await asking.get<{ asked: boolean }>(`/api/album/${sender.id}`)).asked).toBe(true);
  });
});

describe("the preference for covering pictures", () => {
  it("covers strangers' pictures until the member chooses otherwise", async () => {
    const read = () => sender.get<{ coverPictures: string }>("/api/chat-preferences");
    expect((await read()).coverPictures).toBe("unknown");
    await sender.send("PUT", "/api/chat-preferences", { coverPictures: "never" });
    expect((await read()).coverPictures).toBe("never");
    const bad = await sender.send("PUT", "/api/chat-preferences", { coverPictures: "sometimes" });
    expect(await bad.json()).toMatchObject({ error: { code: "BAD_INPUT", field: "coverPictures" } });
  });
});
