/** Messages in a database of their own, whose nearby replica lags behind. */
import { createMember, type TestMember } from "@lambda/testing/member";
import { type ReplicaWorker, startReplicaWorker } from "@lambda/testing/replica/worker";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";

let site: ReplicaWorker;
let me: TestMember;
let other: TestMember;

beforeAll(async () => {
  site = await startReplicaWorker("lagging-shard", { messageDatabases: 2 });
});
afterAll(() => site.close());
beforeEach(async () => {
  [me, other] = [await createMember(site.worker), await createMember(site.worker)];
  await sendMessage(me, "Hello there, are you at the lake tonight?");
  await sendMessage(other, "I am, until the sun sets.");
  await site.configure({ sync: true, watermark: "up", replica: "lags" });
});

async function sendMessage(member: TestMember, bodyText: string): Promise<{ readonly id: number }> {
  const to = member === me ? other : me;
  const response = await member.send("POST", "/api/message", { recipientProfileId: to.id, bodyText });
  expect(response.ok, await response.clone().text()).toBe(true);
  return (await response.json()) as { id: number };
}
const history = async (member: TestMember) =>
  JSON.stringify(await member.get(`/api/messages/between/${me.id}/${other.id}`));

it("reads history from the replica, and shows members their own messages at once", async () => {
  const [[row]] = (await site.worker.run({ query: "select shard from message_pair" })) as [[{ shard: number }]];
  expect(row.shard).toBeGreaterThan(0);
  expect(await history(me)).toContain("until the sun sets");
  const costOfReading = async () => {
    await site.takeCounts();
    await history(me);
    const { primary, waits } = await site.takeCounts();
    return [primary, waits];
  };
  // The counts include what runs in queues meanwhile.
  await expect.poll(costOfReading).toEqual([0, 0]);
  await sendMessage(me, "See you there");
  expect(await history(me)).toContain("See you there");
});

it("takes two round trips for a history, and for queries that start in the main database", async () => {
  await site.configure({ replicaMs: 30 });
  const costOf = async (path: string) => {
    const response = await me.fetch(path);
    expect(await response.clone().json(), path).not.toEqual([]);
    return [Number(response.headers.get("x-d1-rounds")), Number(response.headers.get("x-d1-crossings"))];
  };
  const costs = {
    history: await costOf(`/api/messages/between/${me.id}/${other.id}`),
    search: await costOf("/api/messages/search?query=lake"),
    list: await costOf("/api/conversations"),
    missed: await costOf("/api/messages/missed?sinceMessageId=1"),
  };
  await site.configure({ replicaMs: 0 });
  // The first call reads the session too.
  expect(costs).toEqual({ history: [2, 0], search: [2, 0], list: [2, 0], missed: [2, 0] });
});

it("hides unsent messages at once, which a replica would show without the watermark", async () => {
  const { id } = await sendMessage(me, "A thing I should not have said");
  await site.configure({ sync: true });
  expect(await history(other)).toContain("should not have");
  const gone = await me.send("DELETE", `/api/message/${id}`);
  expect(gone.ok, await gone.clone().text()).toBe(true);
  expect(await history(other)).not.toContain("should not have");
  await site.configure({ watermark: "stale" });
  expect(await history(other)).toContain("should not have");
});

it("misses nothing when the replica of the main database is newer than the one of the messages", async () => {
  const { id } = await sendMessage(me, "Newer than the copy");
  await site.configure({ sync: "DB" });
  // As in another region, which is not told of changes that hide nothing.
  await site.configure({ watermark: "stale" });
  expect(JSON.stringify(await other.get("/api/conversations"))).toContain("Newer than the copy");
  expect(await history(other)).toContain("Newer than the copy");
  expect(JSON.stringify(await other.get(`/api/messages/missed?sinceMessageId=${id - 1}`))).toContain(
    "Newer than the copy",
  );
});
