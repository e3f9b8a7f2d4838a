/** Reads across conversations whose messages are in several databases. */
import { SEARCH_SCAN_MAX } from "@lambda/contract/limits";
import { createMember, type TestMember } from "@lambda/testing/member";
import { uploadPicture } from "@lambda/testing/pictures";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, expect, it } from "vitest";

interface Sent {
  readonly id: number;
  readonly attachment?: { readonly tsOpened: string | null };
}
const DATABASES = 3;
const SHARDS = 64;
const IDS_PER_SECOND = 1000 * 64 * SHARDS;

let worker: TestWorker;
let me: TestMember;
/** Keyed by the database that holds their messages with `me`. */
let others: Map<number, TestMember>;

async function send(from: TestMember, to: TestMember, bodyText: string): Promise<Sent> {
  const response = await from.send("POST", "/api/message", { recipientProfileId: to.id, bodyText });
  expect(response.ok, await response.clone().text()).toBe(true);
  return (await response.json()) as Sent;
}

beforeEach(async () => {
  worker = await startWorker({ messageDatabases: DATABASES });
  me = await createMember(worker);
  others = new Map();
  // New pairs are spread over the databases, which are equally full.
  while (others.size < DATABASES) {
    const other = await createMember(worker);
    others.set((await send(other, me, "Hello")).id % SHARDS, other);
  }
  expect([...others.keys()].sort()).toEqual([1, 2, 3]);
});

/** Stores a message as a database would whose clock is behind or whose batch was slow. */
async function store(database: number, id: number, count = 1, bodyText = "Late"): Promise<void> {
  const other = others.get(database)!;
  const [low, high] = [me.id, other.id].sort((a, b) => a - b);
  await worker.run({
    query: `insert into message (id, sender_id, recipient_id, low_id, high_id, client_id, body_text, brand, ts_created)
      with recursive n(i) as (select 0 union all select i + 1 from n where i < ${count - 1})
      select ${id} + i * ${SHARDS}, ${other.id}, ${me.id}, ${low}, ${high}, '${id}-' || i, '${bodyText}', 'ember', 1 from n`,
    database,
  });
}

it("lists as missed what another database numbered a few seconds earlier, but nothing older", async () => {
  const newest = await send(others.get(2)!, me, "The newest that the device has");
  const before = (seconds: number) => {
    const id = newest.id - seconds * IDS_PER_SECOND;
    return id - (id % SHARDS) + 1;
  };
  const [late, old] = [before(3), before(20)];
  await store(1, late);
  await store(1, old);
  // The arrival of a message updates the conversation like this.
  await worker.run({
    query: `update conversation set last_message_id = ${late} where other_id = ${others.get(1)!.id}`,
  });
  const ids = (await me.get<Sent[]>(`/api/messages/missed?sinceMessageId=${newest.id}`)).map(({ id }) => id);
  expect(ids).toContain(late);
  expect(ids).not.toContain(old);
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
});

it("lists as missed what the main database numbered a few seconds earlier", async () => {
  const stranger = await createMember(worker);
  const newest = await send(others.get(2)!, me, "The newest that the device has");
  const before = newest.id - 3 * IDS_PER_SECOND;
  const late = before - (before % SHARDS);
  others.set(0, stranger);
  await worker.run({ query: `insert into message_pair (low_id, high_id) values (${me.id}, ${stranger.id})` });
  await store(0, late);
  await worker.run({
    query: `insert into conversation (profile_id, other_id, last_message_id, unread)
      values (${me.id}, ${stranger.id}, ${late}, 1) on conflict do nothing`,
  });
  const ids = (await me.get<Sent[]>(`/api/messages/missed?sinceMessageId=${newest.id}`)).map(({ id }) => id);
  expect(ids).toContain(late);
});

it("finds messages from many members page by page, each once", async () => {
  const writers: TestMember[] = [];
  for (let count = 0; count < 120; count += 1) writers.push(await createMember(worker));
  const [{ id }] = [await send(me, others.get(1)!, "Hello")];
  await worker.run(
    ...writers.map((writer, at) => ({
      query: `insert into message (id, sender_id, recipient_id, low_id, high_id, client_id, body_text, brand, ts_created)
        values (${id + (at + 1) * SHARDS}, ${writer.id}, ${me.id}, ${me.id}, ${writer.id}, 'w-${at}', 'A raincoat', 'ember', 1)`,
      database: 1,
    })),
  );
  const found: number[] = [];
  for (let next: string | null = ""; next !== null; ) {
    const page: Response = await me.fetch(`/api/messages/search?query=raincoat${next}`);
    found.push(...((await page.json()) as { message: { id: number } }[]).map(({ message }) => message.id));
    const cursor = page.headers.get("x-next-cursor");
    next = cursor && `&beforeMessageId=${cursor}`;
  }
  expect(found).toEqual(writers.map((_, at) => id + (at + 1) * SHARDS).toReversed());
});

/** Makes every query of messages in one database fail during `act`. */
async function without(database: number, act: () => Promise<void>): Promise<void> {
  const rename = (from: string, to: string) => worker.run({ query: `alter table ${from} rename to ${to}`, database });
  await rename("message", "message_away");
  try {
    await act();
  } finally {
    await rename("message_away", "message");
  }
}

it("serves members whose messages are in other databases while one is down", async () => {
  const alone = await createMember(worker);
  await worker.run({ query: `insert into message_pair (low_id, high_id, shard) values (${me.id}, ${alone.id}, 1)` });
  await worker.run({ query: `insert into message_pair (low_id, high_id) values (${me.id}, ${alone.id})`, database: 1 });
  const { id } = await send(alone, me, "From the first database");
  expect(id % SHARDS).toBe(1);
  await without(2, async () => {
    expect(await alone.get<Sent[]>(`/api/messages/between/${me.id}/${alone.id}`)).toMatchObject([{ id }]);
    expect(await alone.get<Sent[]>("/api/messages/search?query=first")).toHaveLength(1);
    expect(await alone.get<Sent[]>("/api/conversations")).toHaveLength(1);
    // A member whose messages are in it gets an error, not an empty list.
    expect((await me.fetch("/api/messages/search?query=first")).status).toBe(500);
  });
});

it("runs scheduled jobs in the other databases while one is down", async () => {
  const [hider, reader] = [others.get(3)!, me];
  const { id } = await send(hider, reader, "Taken back while hidden");
  await worker.run({ query: `update profile set hidden = 1 where id = ${hider.id}` });
  expect((await hider.send("DELETE", `/api/message/${id}`)).ok).toBe(true);
  await worker.run({ query: `update profile set hidden = 0 where id = ${hider.id}` });
  await without(1, async () => {
    await worker.runCron("* * * * *").catch(() => undefined);
    const texts = (await reader.get<{ bodyText: string }[]>(`/api/messages/between/${reader.id}/${hider.id}`)).map(
      ({ bodyText }) => bodyText,
    );
    expect(texts).not.toContain("Taken back while hidden");
  });
});

it("does not notify the recipient again when a delivered message is retried", async () => {
  const other = others.get(2)!;
  await send(other, me, "Hello you");
  const draft = { recipientProfileId: other.id, bodyText: "Once is enough", clientId: "repeated-00001" };
  const { id } = (await (await me.send("POST", "/api/message", draft)).json()) as Sent;
  await other.send("PUT", "/api/messages/delivered", { messageIds: [id] });
  await worker.run({ query: "delete from notification" });
  expect(((await (await me.send("POST", "/api/message", draft)).json()) as Sent).id).toBe(id);
  expect(await worker.run({ query: "select kind from notification" })).toEqual([[]]);
});

it("continues a long search by its cursor, and finds every hit in every database exactly once", async () => {
  const found = [
    await send(others.get(3)!, me, "An umbrella, far back"),
    await send(others.get(1)!, me, "My umbrella is yours"),
  ].map(({ id }) => id);
  const last = Math.max(...found);
  const above = last - (last % SHARDS) + IDS_PER_SECOND;
  await store(1, above + 1, SEARCH_SCAN_MAX + 100, "Nothing of it");
  await store(2, above + 2, 10, "The umbrella again");
  const ids: number[] = [];
  let cursor: string | null = "";
  let pages = 0;
  while (cursor !== null) {
    const before: string = cursor === "" ? "" : `&beforeMessageId=${cursor}`;
    const page: Response = await me.fetch(`/api/messages/search?query=umbrella${before}`);
    for (const { message } of (await page.json()) as { message: Sent }[]) ids.push(message.id);
    cursor = page.headers.get("x-next-cursor");
    pages += 1;
  }
  expect(pages).toBeGreaterThan(1);
  expect(ids).toEqual(ids.toSorted((a, b) => b - a));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(expect.arrayContaining(found));
  expect(ids).toHaveLength(found.length + 10);
});

it("marks a picture as opened for its sender even if the worker stopped before it updated the message's database", async () => {
  const other = others.get(2)!;
  await send(me, other, "Hello you");
  const picture = await uploadPicture(me, { audience: "once" });
  const { id } = (await (
    await me.send("POST", "/api/message", {
      recipientProfileId: other.id,
      attachment: { type: "once", pictureId: picture.id },
    })
  ).json()) as Sent;
  expect(id % SHARDS).toBe(2);
  const opened = await other.send("POST", `/api/message/${id}/open`, { opening: "a-word-of-this-device" });
  expect(opened.status).toBe(200);
  await opened.arrayBuffer();
  await worker.run({
    query: `update message set attachment = json_set(attachment, '$.tsOpened', null) where id = ${id}`,
    database: 2,
  });
  const attachment = async () =>
    (await me.get<Sent[]>(`/api/messages/between/${me.id}/${other.id}`)).find((message) => message.id === id)
      ?.attachment;
  expect(await attachment()).toMatchObject({ tsOpened: null });
  expect((await other.send("PUT", `/api/message/${id}/close`, {})).status).toBe(200);
  expect(await attachment()).toMatchObject({ tsOpened: expect.any(String) });
});

it("opens and deletes content that opens once while its message's database is down, and marks it afterwards", async () => {
  const other = others.get(2)!;
  await send(me, other, "Hello you");
  const picture = await uploadPicture(me, { audience: "once" });
  const attachment = { type: "once", pictureId: picture.id };
  const { id } = (await (
    await me.send("POST", "/api/message", { recipientProfileId: other.id, attachment })
  ).json()) as Sent;
  const objects = async () => (await worker.env.PICTURES.list({ prefix: "once/" })).objects.length;
  expect(await objects()).toBeGreaterThan(0);
  await without(2, async () => {
    const opened = await other.send("POST", `/api/message/${id}/open`, { opening: "a-word-of-this-device" });
    expect(opened.status).toBe(200);
    await opened.arrayBuffer();
    expect((await other.send("PUT", `/api/message/${id}/close`, {})).status).toBe(200);
    expect(await objects()).toBe(0);
  });
  await worker.runCron("* * * * *");
  const message = (await me.get<Sent[]>(`/api/messages/between/${me.id}/${other.id}`)).find((sent) => sent.id === id);
  expect(message?.attachment).toMatchObject({ tsOpened: expect.any(String) });
  expect(await worker.run({ query: "select id from once_view" })).toEqual([[]]);
});
