import { DAY_MS, MET_COUNT_MS, MET_JOINED_PERIOD_MS } from "@lambda/contract/limits";
import type { Message } from "@lambda/contract/messages";
import type { ProfileRelation } from "@lambda/contract/profiles";
import { createMember, type TestMember } from "@lambda/testing/member";
import { uploadPicture } from "@lambda/testing/pictures";
import { queryMessageDatabases } from "@lambda/testing/stored-messages";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { strFromU8, unzipSync } from "fflate";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { NIGHTLY } from "../../schedule.ts";

let worker: TestWorker;
let bob: TestMember;
const LONG_AGO = Date.now() - 400 * DAY_MS;

beforeAll(async () => {
  worker = await startWorker();
});
beforeEach(async () => {
  bob = await createPictured(LONG_AGO);
});

const run = (query: string, ...values: unknown[]) =>
  worker.env.DB.prepare(query)
    .bind(...values)
    .run();

async function createPictured(created: number, network: number | null = null): Promise<TestMember> {
  const member = await createMember(worker, { created, network, freshProof: true });
  await uploadPicture(member);
  return member;
}

/** A member who joined in a period of their own and has talked with others. */
async function createMan(
  period: number,
  { network = period, conversations = 8, others = null as number | null } = {},
): Promise<TestMember> {
  const man = await createPictured(LONG_AGO + period * MET_JOINED_PERIOD_MS, network);
  for (let talked = 0; talked < conversations; talked += 1) {
    const { id } = await createMember(worker, { network: others });
    await run(
      "insert into message_pair (low_id, high_id, low_count, high_count) values (?, ?, 3, 3)",
      Math.min(id, man.id),
      Math.max(id, man.id),
    );
  }
  return man;
}

const send = async (from: TestMember, to: TestMember, text = `Hello ${Math.random()}`) =>
  (await (await from.send("POST", "/api/message", { recipientProfileId: to.id, bodyText: text })).json()) as Message;

/** Three messages each, the first of them some days ago. */
async function talk(one: TestMember, other: TestMember, days = 2, each = 3): Promise<number[]> {
  const ids: number[] = [];
  for (let sent = 0; sent < each; sent += 1)
    for (const message of [await send(one, other), await send(other, one)]) ids.push(message.id);
  await queryMessageDatabases(
    worker,
    "update message set ts_created = ts_created - ? where id = ? returning 1",
    days * DAY_MS,
    ids[0],
  );
  return ids;
}

const say = async (member: TestMember, other: TestMember) =>
  (await member.send("PUT", `/api/met/${other.id}`, {})).status;
const readExport = async (member: TestMember) => {
  const archive = await (await member.send("POST", "/api/account/export")).arrayBuffer();
  return strFromU8(unzipSync(new Uint8Array(archive))["data.json"]!).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME");
};
const state = (member: TestMember, other: TestMember) => member.get(`/api/met/${other.id}`);
const seen = async (viewer: TestMember, member: TestMember) =>
  (await viewer.get<ProfileRelation>(`/api/profile/${member.id}/relation`)).metBy;

async function meet(one: TestMember, other: TestMember): Promise<void> {
  await talk(one, other);
  expect(await say(one, other)).toBe(200);
  expect(await say(other, one)).toBe(200);
}

/** Lets everybody's day come. */
async function count(): Promise<void> {
  await run("update met_shown set ts_next = 1 where ts_next is not null");
  await worker.runCron(NIGHTLY);
}

describe("saying it", () => {
  it("needs two days and three messages each, as the member himself sees them, and a picture", async () => {
    const ann = await createPictured(LONG_AGO);
    expect(await state(ann, bob)).toEqual({ said: false, canSay: false });
    expect(await say(ann, bob)).toBe(403);
    const ids = await talk(ann, bob, 2, 2);
    expect(await say(ann, bob)).toBe(403);
    await send(ann, bob);
    const last = await send(bob, ann);
    expect(await state(ann, bob)).toEqual({ said: false, canSay: true });
    // One who took a message back has no longer said it.
    await bob.send("DELETE", `/api/message/${last.id}?both=true`);
    expect(await state(ann, bob)).toEqual({ said: false, canSay: false });
    await send(bob, ann);
    await queryMessageDatabases(
      worker,
      "update message set ts_created = ts_created + ? where id = ? returning 1",
      DAY_MS,
      ids[0],
    );
    expect(await say(ann, bob)).toBe(403);
    await queryMessageDatabases(
      worker,
      "update message set ts_created = ts_created - ? where id = ? returning 1",
      DAY_MS,
      ids[0],
    );
    await run("update profile set pics_public = '[]' where id = ?", bob.id);
    expect(await say(ann, bob)).toBe(403);
  });

  it("does not tell a sender that a filter withheld his messages", async () => {
    const ann = await createPictured(LONG_AGO);
    const ids = await talk(ann, bob);
    await queryMessageDatabases(worker, "update message set filtered = 1 where id = ? returning 1", ids[2]);
    expect(await state(ann, bob)).toMatchObject({ canSay: true });
    expect(await state(bob, ann)).toMatchObject({ canSay: false });
  });

  it("is refused about oneself, about members out of sight, and in a country that punishes", async () => {
    const ann = await createPictured(LONG_AGO);
    expect(await say(ann, ann)).toBe(404);
    await talk(ann, bob);
    await run("update profile set hidden = 1 where id = ?", bob.id);
    expect(await say(ann, bob)).toBe(404);
    await run("update profile set hidden = 0 where id = ?", bob.id);
    await run(
      "insert into travel_stay (profile_id, country, hid_member, ts_seen, chosen, shown) values (?, 'EG', 0, ?, 1, 'usual')",
      ann.id,
      Date.now(),
    );
    expect(await say(ann, bob)).toBe(403);
  });

  it("changes no answer to the other, tells him nothing, and can be taken back and exported", async () => {
    const ann = await createPictured(LONG_AGO);
    await talk(ann, bob);
    const read = async () => [
      await state(bob, ann),
      await bob.get("/api/met"),
      await bob.get(`/api/notifications/${bob.id}`),
      await bob.get(`/api/profile/${ann.id}`),
      await bob.get(`/api/profile/${ann.id}/relation`),
      await readExport(bob),
    ];
    const before = await read();
    expect(await say(ann, bob)).toBe(200);
    expect(await state(ann, bob)).toEqual({ said: true, canSay: true });
    expect(await read()).toEqual(before);
    await count();
    expect(await read()).toEqual(before);
    const { results } = await run("select ts_said % 86400000 as rest from met where author_id = ?", ann.id);
    expect(results).toEqual([{ rest: 0 }]);
    for (let time = 0; time < 2; time += 1) expect((await ann.send("DELETE", `/api/met/${bob.id}`)).status).toBe(204);
    expect(await state(ann, bob)).toEqual({ said: false, canSay: true });
  });
});

describe("the number", () => {
  it("shows from three on, rounded down, from the member's day on, only while it is mutual", async () => {
    const viewer = await createMember(worker);
    const men = [];
    for (let period = 0; period < 5; period += 1) men.push(await createMan(period));
    const [first, second, third, fourth, fifth] = men as [TestMember, TestMember, TestMember, TestMember, TestMember];
    for (const man of [first, second]) await meet(bob, man);
    // The third did not answer.
    await talk(third, bob);
    expect(await say(bob, third)).toBe(200);
    await count();
    expect(await seen(viewer, bob)).toBe(0);
    expect(await say(third, bob)).toBe(200);
    expect(await seen(viewer, bob)).toBe(0);
    await worker.runCron(NIGHTLY);
    expect(await seen(viewer, bob)).toBe(0);
    await count();
    expect(await seen(viewer, bob)).toBe(3);
    expect(await bob.get("/api/met")).toEqual({ metBy: 3 });
    await meet(bob, fourth);
    await count();
    expect(await seen(viewer, bob)).toBe(3);
    await meet(bob, fifth);
    await count();
    expect(await seen(viewer, bob)).toBe(5);
    // Whoever is counted sees the number without their own word: saying it changes nothing that they see.
    expect(await seen(first, bob)).toBe(3);
    await first.send("DELETE", `/api/met/${bob.id}`);
    expect(await seen(viewer, bob)).toBe(5);
    expect(await seen(first, bob)).toBe(3);
    await count();
    expect(await seen(viewer, bob)).toBe(3);
    expect(await seen(first, bob)).toBe(3);

    const { results } = await run(
      "select ts_next from met_shown where profile_id = ? and viewer_id = ?",
      bob.id,
      bob.id,
    );
    const next = (results[0] as { ts_next: number }).ts_next;
    expect(next - Date.now()).toBeGreaterThan(0);
    expect(next - Date.now()).toBeLessThanOrEqual(MET_COUNT_MS);
  });

  it("counts no word of those who talk with one another more than with others", async () => {
    const viewer = await createMember(worker);
    const circle = [0, 1, 2].map((period) => createMan(period, { conversations: 7 }));
    const [one, two, three] = (await Promise.all(circle)) as [TestMember, TestMember, TestMember];
    for (const pair of [
      [one.id, two.id],
      [one.id, three.id],
      [two.id, three.id],
    ])
      await run(
        "insert into message_pair (low_id, high_id, low_count, high_count) values (?, ?, 3, 3)",
        Math.min(...pair),
        Math.max(...pair),
      );
    for (const man of [one, two, three]) await meet(bob, man);
    await count();
    expect(await seen(viewer, bob)).toBe(0);
  });

  describe("of a man whom three met", () => {
    let viewer: TestMember;
    let men: TestMember[];
    beforeEach(async () => {
      viewer = await createMember(worker);
      men = [await createMan(0), await createMan(1), await createMan(2)];
      for (const man of men) await meet(bob, man);
      await count();
      expect(await seen(viewer, bob)).toBe(3);
    });

    it("is gone with another first picture at once, and back with the one that they saw", async () => {
      const old = (await bob.get<{ id: number }[]>(`/api/profile-pics/${bob.id}`))[0]!.id;
      const other = await uploadPicture(bob);
      await bob.send("PUT", "/api/profile", { profilePicIds: [other.id, old] });
      expect(await seen(viewer, bob)).toBe(0);
      await count();
      expect(await seen(viewer, bob)).toBe(0);
      await bob.send("PUT", "/api/profile", { profilePicIds: [old, other.id] });
      await count();
      expect(await seen(viewer, bob)).toBe(3);
      await run("update picture set version = version + 1 where id = ?", old);
      expect(await seen(viewer, bob)).toBe(0);
    });

    it.each([
      [
        "one of them blocks him",
        (man: TestMember) => man.send("PUT", "/api/profile-like", { likedProfileId: bob.id, blocked: true }),
      ],
      [
        "he blocks one of them",
        (man: TestMember) => bob.send("PUT", "/api/profile-like", { likedProfileId: man.id, blocked: true }),
      ],
      ["one of them hides", (man: TestMember) => run("update profile set hidden = 1 where id = ?", man.id)],
      ["one of them is banned", (man: TestMember) => run("update profile set status = 'banned' where id = ?", man.id)],
      ["one of them is purged", (man: TestMember) => run("delete from account where id = ?", man.id)],
      ["the word is a year old", (man: TestMember) => run("update met set ts_said = 0 where author_id = ?", man.id)],
    ])("falls on his next day, not before, when %s", async (_, act) => {
      const result = await act(men[0]!);
      if (result instanceof Response) expect(result.ok).toBe(true);
      expect(await seen(viewer, bob)).toBe(3);
      await count();
      expect(await seen(viewer, bob)).toBe(0);
    });

    it("is not shown while he is in a country that punishes, nor while he hides", async () => {
      await run(
        "insert into travel_stay (profile_id, country, hid_member, ts_seen, chosen, shown) values (?, 'EG', 0, ?, 1, 'usual')",
        bob.id,
        Date.now(),
      );
      expect(await seen(viewer, bob)).toBe(0);
      await run("delete from travel_stay");
      expect(await seen(viewer, bob)).toBe(3);
      await run("update profile set hidden = 1 where id = ?", bob.id);
      expect((await viewer.fetch(`/api/profile/${bob.id}/relation`)).status).toBe(404);
    });
  });

  it.each([
    ["joined within two months", (account: number) => createMan(3, { network: account })],
    ["joined from one network", (account: number) => createMan(account, { network: 7 })],
    ["talk with new ones of one network", (account: number) => createMan(account, { others: 9 })],
    ["talk with each other alone", (account: number) => createMan(account, { conversations: 0 })],
  ])("is not made by accounts that %s", { tags: "slow" }, async (_, create) => {
    const accounts = [];
    for (let account = 0; account < 4; account += 1) accounts.push(await create(account));
    for (const account of accounts) await meet(bob, account);
    for (const [index, one] of accounts.entries())
      for (const other of accounts.slice(index + 1)) await meet(one, other);
    await count();
    expect(await seen(await createMember(worker), bob)).toBe(0);
  });
});
