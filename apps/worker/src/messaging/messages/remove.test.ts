import type { Message } from "@lambda/contract/messages";
import { createD1 } from "@lambda/testing/d1";
import { createMember, type TestMember } from "@lambda/testing/member";
import { insertMembers } from "@lambda/testing/members";
import { queryRows } from "@lambda/testing/scenes/positions";
import type { Row } from "@lambda/testing/sql";
import { findStoredMessage } from "@lambda/testing/stored-messages";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";
import type { Env } from "../../platform/env.ts";
import { unsendJobs } from "./remove.ts";

let worker: TestWorker;
beforeAll(async () => {
  worker = await startWorker();
});

const set = (member: TestMember, change: string) =>
  worker.env.DB.prepare(`update profile set ${change} where id = ?`).bind(member.id).run();
const between = async (reader: TestMember, other: TestMember) => {
  const response = await reader.fetch(`/api/messages/between/${reader.id}/${other.id}`);
  return response.ok ? ((await response.json()) as Message[]).map(({ bodyText }) => bodyText) : response.status;
};
const unread = async (member: TestMember) =>
  (await member.get<{ unreadMessages: number }>("/api/session")).unreadMessages;

describe("a message unsent by an invisible member", () => {
  it.each([
    [
      "hiding",
      async (writer: TestMember) => void (await set(writer, "hidden = 1")),
      async (writer: TestMember) => void (await set(writer, "hidden = 0")),
    ],
    [
      "blocking",
      async (writer: TestMember, reader: TestMember) =>
        void (await writer.send("PUT", "/api/profile-like", { likedProfileId: reader.id, blocked: true })),
      async (writer: TestMember, reader: TestMember) => void (await writer.send("DELETE", `/api/block/${reader.id}`)),
    ],
  ])(
    "stays with the recipient while the sender is %s, and is erased when they are visible again",
    async (_, vanish, appear) => {
      const [writer, reader] = [await createMember(worker), await createMember(worker)];
      const ids: number[] = [];
      for (const bodyText of ["first", "second"]) {
        const response = await writer.send("POST", "/api/message", { recipientProfileId: reader.id, bodyText });
        ids.push(((await response.json()) as Message).id);
      }
      await vanish(writer, reader);
      expect((await writer.send("DELETE", `/api/message/${ids[1]}`)).status).toBe(204);
      await worker.runCron("* * * * *");
      expect(await between(reader, writer)).toEqual(["second", "first"]);
      expect(await unread(reader)).toBe(2);
      if (_ === "hiding") expect(await between(writer, reader)).toEqual(["first"]);

      await appear(writer, reader);
      await worker.runCron("* * * * *");
      expect(await between(reader, writer)).toEqual(["first"]);
      expect(await between(writer, reader)).toEqual(["first"]);
      expect(await unread(reader)).toBe(1);
      expect(await findStoredMessage(worker, "body_text, unsend_due", ids[1])).toEqual({
        body_text: "",
        unsend_due: 0,
      });
    },
  );
});

it("examines as many waiting messages a minute, however many wait, and those of each pair in turn", async () => {
  const reader = await createMember(worker);
  const crew = await insertMembers(
    worker.run,
    ["Hiding", "Visible"].map((name) => ({ name })),
  );
  const [hiding, visible] = [crew[0]!.id, crew[1]!.id];
  const wait = (sender: number, from: number, count: number) =>
    worker.run({
      query: `insert into message (sender_id, recipient_id, low_id, high_id, client_id, body_text, brand, unsend_due, ts_created)
        with recursive n(i) as (select 0 union all select i + 1 from n where i < ?3 - 1)
        select ?1, ?2 + i, min(?1, ?2 + i), max(?1, ?2 + i), hex(randomblob(8)), 'Hello', 'ember', 1, 1 from n`,
      values: [sender, from, count],
    });
  await worker.run({ query: "update profile set hidden = 1 where id = ?", values: [hiding] });
  let rowsRead = 0;
  const DB = createD1(async (list) => {
    const response = await worker.fetch("http://ember.localhost/dev/sql", {
      method: "POST",
      body: JSON.stringify({ batch: list }),
    });
    for (const rows of JSON.parse(response.headers.get("x-d1-rows-read") ?? "[]") as number[]) rowsRead += rows;
    return ((await response.json()) as Row[][]).map((results) => ({ results }));
  });
  const env = Object.assign(Object.create(worker.env) as Env, { DB });
  const runMinute = async () => {
    rowsRead = 0;
    for (const job of Object.values(unsendJobs(env, Date.now()))) await job();
    return rowsRead;
  };
  await wait(hiding, 1_000_000, 5000);
  await wait(visible, reader.id, 1);
  for (let minute = 0; minute < 6; minute += 1) expect(await runMinute()).toBeLessThan(6000);
  const [left] = await queryRows(
    worker,
    "select sum(sender_id = ?) as hiding, sum(sender_id = ?) as visible from message where unsend_due = 1",
    hiding,
    visible,
  );
  expect(left).toEqual({ hiding: 5000, visible: 0 });
  // Nothing waits behind the last pair, so it begins anew.
  await wait(hiding, reader.id, 1);
  await worker.run({ query: "update profile set hidden = 0 where id = ?", values: [hiding] });
  const isLeft = () =>
    queryRows(
      worker,
      "select 1 from message where unsend_due = 1 and sender_id = ? and recipient_id = ?",
      hiding,
      reader.id,
    );
  // What fails in one minute is tried in the next.
  for (let minute = 0; minute < 3 && (await isLeft()).length > 0; minute += 1) await runMinute();
  expect(await isLeft()).toEqual([]);
});

it("leaves no unread count behind when its reader answered before it was unsent", async () => {
  const [writer, reader] = [await createMember(worker), await createMember(worker)];
  const first = await writer.send("POST", "/api/message", { recipientProfileId: reader.id, bodyText: "Hello" });
  expect(await unread(reader)).toBe(1);
  await reader.send("POST", "/api/message", { recipientProfileId: writer.id, bodyText: "Hi" });
  expect(await unread(reader)).toBe(0);
  const { id } = (await first.json()) as Message;
  expect((await writer.send("DELETE", `/api/message/${id}`)).status).toBe(204);
  expect(await unread(reader)).toBe(0);
});

describe("the notification of a message", () => {
  const notifications = async (member: TestMember) =>
    (await member.get<{ notifications: number }>("/api/session")).notifications;

  it.each([
    ["unsends", (writer: TestMember, _: TestMember, id: number) => writer.send("DELETE", `/api/message/${id}`)],
    ["deletes", (_: TestMember, reader: TestMember, id: number) => reader.send("DELETE", `/api/message/${id}`)],
  ])("goes once somebody %s the last unread message", async (_, remove) => {
    const [writer, reader] = [await createMember(worker), await createMember(worker)];
    const ids: number[] = [];
    for (const bodyText of ["first", "second"]) {
      const response = await writer.send("POST", "/api/message", { recipientProfileId: reader.id, bodyText });
      ids.push(((await response.json()) as Message).id);
    }
    await expect.poll(() => notifications(reader)).toBe(1);
    await remove(writer, reader, ids[1] ?? 0);
    expect(await notifications(reader)).toBe(1);
    await remove(writer, reader, ids[0] ?? 0);
    expect(await notifications(reader)).toBe(0);
  });
});
