import type { Conversation, Message } from "@lambda/contract/messages";
import { createMember, type TestMember } from "@lambda/testing/member";
import { priorMessagesInDatabases } from "@lambda/testing/prior-messages";
import { queryMessageDatabases } from "@lambda/testing/stored-messages";
import { waitFor } from "@lambda/testing/wait-for";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";

let worker: TestWorker;
let ann: TestMember;
let bob: TestMember;

beforeAll(async () => {
  worker = await startWorker({ messageDatabases: 3 });
});

beforeEach(async () => {
  [ann, bob] = [await createMember(worker), await createMember(worker)];
  await worker.run(...priorMessagesInDatabases([ann.id, bob.id], 3));
});

/** Makes the main database reject copies during `act`, which leaves the state of a crash between the two databases. */
async function withoutCopies(act: () => Promise<void>): Promise<void> {
  await worker.env.DB.exec(
    "create trigger cut before update of version on message_pair begin select raise(abort, 'cut'); end",
  );
  try {
    await act();
  } finally {
    await worker.env.DB.exec("drop trigger cut");
  }
}

const draft = (clientId: string, more: object = {}) => ({
  recipientProfileId: bob.id,
  bodyText: "hello",
  clientId,
  ...more,
});

async function sendWithoutCopy(clientId: string, more: object = {}): Promise<void> {
  await withoutCopies(async () => {
    expect((await ann.send("POST", "/api/message", draft(clientId, more))).status).toBe(500);
    expect(await queryMessageDatabases(worker, "select id from message where client_id = ?", clientId)).toHaveLength(1);
    expect(await bob.get("/api/conversations")).toEqual([]);
  });
}

const listed = async (member: TestMember) =>
  (await member.get<Conversation[]>("/api/conversations")).map(({ unread, message }) => [unread, message.bodyText]);

describe("a stored message that was not copied to the main database", () => {
  it("is returned once when it is retried, and is listed from then on", async () => {
    await sendWithoutCopy("again-000001");
    const responses = await Promise.all([1, 2].map(() => ann.send("POST", "/api/message", draft("again-000001"))));
    const [one, other] = await Promise.all(responses.map(async (response) => ((await response.json()) as Message).id));
    expect(one).toBe(other);
    expect(await listed(bob)).toEqual([[1, "hello"]]);
    expect(await listed(ann)).toEqual([[0, "hello"]]);
  });

  it("is listed after the pair's next message", async () => {
    await sendWithoutCopy("next-0000001");
    expect((await ann.send("POST", "/api/message", draft("next-0000002"))).status).toBe(201);
    expect(await listed(bob)).toEqual([[2, "hello"]]);
  });

  it("is listed after its history was read", async () => {
    await sendWithoutCopy("read-0000001");
    expect(await bob.get<Message[]>(`/api/messages/between/${ann.id}/${bob.id}`)).toMatchObject([
      { bodyText: "hello" },
    ]);
    await waitFor(async () => expect(await listed(bob)).toEqual([[1, "hello"]]));
  });

  it("is listed by the next minute, and its picture becomes readable", async () => {
    const [picture] = (
      await worker.env.DB.prepare(
        `insert into picture (profile_id, audience, width, height, bytes, ts_created, ts_updated)
          values (?, 'chat', 1, 1, 1, 1, 1) returning id`,
      )
        .bind(ann.id)
        .all<{ id: number }>()
    ).results;
    await sendWithoutCopy("minute-00001", { profilePicIds: [picture?.id] });
    await worker.runCron("* * * * *");
    expect(await listed(bob)).toEqual([[1, "hello"]]);
    const opened = await worker.run({
      query: "select reader_id from message_picture where picture_id = ?",
      values: [picture!.id],
    });
    expect(opened[0]).toEqual([{ reader_id: bob.id }]);
    expect(await queryMessageDatabases(worker, "select 1 from message_pair where version > synced_version")).toEqual(
      [],
    );
    expect(await queryMessageDatabases(worker, "select 1 from message where unsynced_version is not null")).toEqual([]);
  });

  it("does not overwrite a newer copy with one that arrives late", async () => {
    await ann.send("POST", "/api/message", draft("late-0000001"));
    await ann.send("POST", "/api/message", draft("late-0000002"));
    const before = await listed(bob);
    // As if an older state were still on its way.
    await worker.run(
      ...[1, 2, 3].map((database) => ({ query: "update message_pair set version = 2, synced_version = 0", database })),
      ...[1, 2, 3].map((database) => ({ query: "update conversation set unread = 0", database })),
    );
    await worker.runCron("* * * * *");
    expect(await listed(bob)).toEqual(before);
  });
});

it("unlists a message by the next minute if its unsending was not copied to the main database", async () => {
  const sent = (await (await ann.send("POST", "/api/message", draft("back-0000001"))).json()) as Message;
  await withoutCopies(async () => {
    expect((await ann.send("DELETE", `/api/message/${sent.id}`)).status).toBe(500);
  });
  await worker.runCron("* * * * *");
  expect(await bob.get("/api/conversations")).toEqual([]);
});

it("does not reopen a picture when a copy arrives late", async () => {
  const [picture] = (
    await worker.env.DB.prepare(
      `insert into picture (profile_id, audience, width, height, bytes, ts_created, ts_updated)
        values (?, 'chat', 1, 1, 1, 1, 1) returning id`,
    )
      .bind(ann.id)
      .all<{ id: number }>()
  ).results;
  const response = await ann.send("POST", "/api/message", draft("open-0000001", { profilePicIds: [picture!.id] }));
  const sent = (await response.json()) as Message;
  expect((await ann.send("DELETE", `/api/message/${sent.id}`)).ok).toBe(true);
  const readers = () =>
    worker.run({ query: "select reader_id from message_picture where picture_id = ?", values: [picture!.id] });
  expect(await readers()).toEqual([[]]);
  // As if the previous state were still on its way.
  await worker.run(
    ...[1, 2, 3].flatMap((database) => [
      { query: "update message_pair set version = 2, synced_version = 0", database },
      {
        query: `update message set ts_unsent = null, picture_ids = '[${picture!.id}]', unsynced_version = 2 where id = ${sent.id}`,
        database,
      },
    ]),
  );
  await worker.runCron("* * * * *");
  expect(await queryMessageDatabases(worker, "select 1 from message_pair where version > synced_version")).toEqual([]);
  expect(await readers()).toEqual([[]]);
});
