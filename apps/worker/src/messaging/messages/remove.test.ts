import type { Message } from "@lambda/contract/messages";
import { createMember, type TestMember } from "@lambda/testing/member";
import { findStoredMessage } from "@lambda/testing/stored-messages";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";

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
