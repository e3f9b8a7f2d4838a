import type { Conversation, Message } from "@lambda/contract/messages";
import { createMember, type TestMember } from "@lambda/testing/member";
import { priorMessagesSql } from "@lambda/testing/prior-messages";
import { readHistory, sendText, textsOf } from "@lambda/testing/scenes/messages";
import { findStoredMessage } from "@lambda/testing/stored-messages";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";

let worker: TestWorker;
let ann: TestMember;
let bob: TestMember;
beforeAll(async () => {
  worker = await startWorker();
});
beforeEach(async () => {
  [ann, bob] = [await createMember(worker, { name: "Ansel" }), await createMember(worker, { name: "Bob" })];
});

let clientIds = 0;
const clientId = () => `client-${String(clientIds++).padStart(8, "0")}`;

describe("sending", () => {
  it("stores a trimmed message before it responds, and both members can read it", async () => {
    const message = await sendText(ann, bob, "  hello  ");
    expect(message).toMatchObject({ senderProfileId: ann.id, recipientProfileId: bob.id, bodyText: "hello" });
    const row = await findStoredMessage(worker, "body_text, ts_recipient_read", message.id);
    expect(row).toEqual({ body_text: "hello", ts_recipient_read: null });
    expect(textsOf(await readHistory(ann, bob))).toEqual(["hello"]);
    expect(textsOf(await readHistory(bob, ann))).toEqual(["hello"]);
    expect((await readHistory(bob, ann))[0]).not.toHaveProperty("clientId");
  });

  it("returns the first message to retries, even to concurrent ones", async () => {
    const body = { recipientProfileId: bob.id, bodyText: "once", clientId: clientId() };
    const responses = await Promise.all([1, 2, 3].map(() => ann.send("POST", "/api/message", body)));
    const ids = await Promise.all(responses.map(async (response) => ((await response.json()) as Message).id));
    expect(new Set(ids).size).toBe(1);
    expect(textsOf(await readHistory(bob, ann))).toEqual(["once"]);
    const [conversation] = await bob.get<Conversation[]>("/api/conversations");
    expect(conversation?.unread).toBe(1);
  });

  it("rejects messages that are empty, too long, or in another member's name", async () => {
    const statusOf = async (body: object) => (await ann.send("POST", "/api/message", body)).status;
    expect(await statusOf({ recipientProfileId: bob.id, bodyText: "   " })).toBe(400);
    expect(await statusOf({ recipientProfileId: bob.id, bodyText: "x".repeat(4001) })).toBe(400);
    expect(await statusOf({ recipientProfileId: bob.id, bodyText: `${"x".repeat(4000)} \n` })).toBe(201);
    expect(await statusOf({ recipientProfileId: bob.id, bodyText: "x", senderProfileId: bob.id })).toBe(403);
    expect(await statusOf({ recipientProfileId: ann.id, bodyText: "to myself" })).toBe(404);
    expect(await statusOf({ recipientProfileId: 999_999, bodyText: "to nobody" })).toBe(404);
  });
});

describe("reading", () => {
  it("pages by since and before", async () => {
    await worker.env.DB.prepare(priorMessagesSql([ann.id, bob.id])).run();
    const sent: Message[] = [];
    for (let index = 0; index < 25; index += 1) sent.push(await sendText(ann, bob, `m${index}`));
    const newest = await readHistory(bob, ann);
    expect(textsOf(newest)).toEqual(
      sent
        .slice(5)
        .map((message) => message.bodyText)
        .reverse(),
    );
    const older = await readHistory(bob, ann, `?beforeMessageId=${newest[newest.length - 1]?.id}`);
    expect(textsOf(older)).toEqual(["m4", "m3", "m2", "m1", "m0"]);
    const since = await bob.get<Message[]>(`/api/messages/most-recent-with/${ann.id}?sinceMessageId=${sent[22]?.id}`);
    expect(textsOf(since)).toEqual(["m23", "m24"]);
  });

  it("lists conversations newest first with unread counts, and marks them read", async () => {
    const others = await Promise.all(Array.from({ length: 22 }, () => createMember(worker)));
    for (const other of others) await sendText(other, bob, `from ${other.id}`);
    await sendText(bob, others[0]!, "mine is the latest");
    const list = await bob.get<Conversation[]>("/api/conversations");
    expect(list).toHaveLength(20);
    // His first answer has read what came before it.
    expect(list[0]).toMatchObject({ unread: 0, other: { profileId: others[0]?.id } });
    expect(list[1]).toMatchObject({ unread: 1, other: { profileId: others[21]?.id } });
    const latest = await bob.get<Message[]>(`/api/messages/most-recent-with/${bob.id}`);
    expect(latest.map((message) => message.id)).toEqual(list.map((item) => item.message.id));
    const read = await bob.send("PUT", "/api/messages/read", {
      profileId: others[1]?.id,
      upToMessageId: list[0]?.message.id,
    });
    expect(await read.json()).toEqual({ unread: 0 });
  });

  it("goes on with the next look where marking very many was cut off", async () => {
    await worker.run({ query: priorMessagesSql([ann.id, bob.id]) });
    await worker.run({
      query: `with recursive n(i) as (select 1 union all select i + 1 from n where i < 700)
        insert into message (sender_id, recipient_id, low_id, high_id, client_id, brand, ts_created, ts_delivered)
        select ?1, ?2, ?1, ?2, 'many-' || i, 'ember', i, 1 from n`,
      values: [ann.id, bob.id],
    });
    const countRead = async () => {
      const row = await worker.env.DB.prepare(
        "select count(*) as n from message where sender_id = ? and ts_recipient_read > 1",
      )
        .bind(ann.id)
        .first<{ n: number }>();
      return row?.n;
    };
    // Another batch fails, as if the request had been ended after its answer.
    await worker.run({
      query: `create trigger cut before update of ts_recipient_read on message when new.client_id like 'many-%'
        and (select count(*) from message where client_id like 'many-%' and ts_recipient_read is not null) >= 500
        begin select raise(ignore); end`,
    });
    const look = async () => {
      const [newest] = await readHistory(bob, ann);
      if (newest?.tsRecipientRead === null)
        await bob.send("PUT", "/api/messages/read", { profileId: ann.id, upToMessageId: newest.id });
    };
    await look();
    expect(await countRead()).toBe(500);
    await worker.run({ query: "drop trigger cut" });
    await look();
    expect(await countRead()).toBe(700);
  });
});

describe("searching", () => {
  it("finds a text as long as a query may be, and treats no character as a wildcard", async () => {
    const long = `${"Señor ".repeat(15)}100%_\\`;
    await sendText(ann, bob, `so: ${long} and on`);
    await sendText(ann, bob, "another");
    for (const query of [long, "señor 100%", "R 100%_\\", "%r", "__"]) {
      const hits = await bob.get<Conversation[]>(`/api/messages/search?query=${encodeURIComponent(query)}`);
      expect(hits, query).toHaveLength(query === "%r" || query === "__" ? 0 : 1);
    }
  });
});

describe("the unread count", () => {
  const unread = async () => (await bob.get<Conversation[]>("/api/conversations"))[0]?.unread;
  const remove = async (member: TestMember, { id }: Message) =>
    expect((await member.send("DELETE", `/api/message/${id}`)).status).toBe(204);
  const read = (upTo: Message) => bob.send("PUT", "/api/messages/read", { profileId: ann.id, upToMessageId: upTo.id });

  it("falls once when the reader deletes a message that the sender later unsends", async () => {
    const [first] = [await sendText(ann, bob, "first"), await sendText(ann, bob, "second")];
    await remove(bob, first);
    expect(await unread()).toBe(1);
    await remove(ann, first);
    expect(await unread()).toBe(1);
  });

  it("falls once when a message is unsent several times at once", async () => {
    const [first] = [
      await sendText(ann, bob, "first"),
      await sendText(ann, bob, "second"),
      await sendText(ann, bob, "third"),
    ];
    await Promise.all([1, 2, 3].map(() => ann.send("DELETE", `/api/message/${first.id}`)));
    expect(await unread()).toBe(2);
  });

  it("does not fall when a message that was read without a receipt is unsent", async () => {
    const first = await sendText(ann, bob, "first");
    const hide = (hidden: number) =>
      worker.env.DB.prepare("update profile set hidden = ?2 where id = ?1").bind(ann.id, hidden).run();
    await hide(1);
    expect(await (await read(first)).json()).toEqual({ unread: 0 });
    await hide(0);
    const second = await sendText(ann, bob, "second");
    await remove(ann, first);
    expect(await unread()).toBe(1);
    await remove(ann, second);
    expect(await unread()).toBeUndefined();
  });

  it("does not rise when a device that is behind reports what it has read", async () => {
    const [first, second] = [await sendText(ann, bob, "first"), await sendText(ann, bob, "second")];
    await worker.env.DB.prepare("update profile set hidden = 1 where id = ?").bind(ann.id).run();
    await read(second);
    expect(await (await read(first)).json()).toEqual({ unread: 0 });
  });

  it("is right when a message is unsent while the reader reads it", async () => {
    await worker.env.DB.prepare(priorMessagesSql([ann.id, bob.id])).run();
    for (let round = 0; round < 10; round += 1) {
      const [first, second] = [await sendText(ann, bob, `${round} first`), await sendText(ann, bob, `${round} second`)];
      const [taken] = await Promise.all([ann.send("DELETE", `/api/message/${first.id}`), read(first)]);
      expect(taken.status).toBe(204);
      expect(await unread()).toBe(1);
      await read(second);
    }
  });
});
