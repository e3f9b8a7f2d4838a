/** Kept-away addresses: their effect on a later account, what nobody learns from them, and how they end. */
import { getBrand } from "@lambda/brands";
import { ACCOUNT_DELETION_GRACE_MS, KEPT_AWAY_ADDRESSES_MAX } from "@lambda/contract/limits";
import { keyOfPoint } from "@lambda/geo/curve";
import { readEverything } from "@lambda/testing/adversary/read-everything";
import { createSubject, SUBJECT_NAME } from "@lambda/testing/adversary/secrets";
import { createMember, logIn, type TestMember } from "@lambda/testing/member";
import { openSocket } from "@lambda/testing/socket";
import { listTraces } from "@lambda/testing/traces";
import { createVisitor, waitForMail } from "@lambda/testing/visitor";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { strFromU8, unzipSync } from "fflate";
import { beforeEach, describe, expect, it } from "vitest";
import { appRouter } from "../../router.ts";

const NIGHTLY = "17 3 * * *";
const { lat, lon } = getBrand("ember").firstCity;

let worker: TestWorker;
beforeEach(async () => {
  worker = await startWorker();
});

const all = async <Row>(sql: string, ...values: unknown[]) =>
  (
    await worker.env.DB.prepare(sql)
      .bind(...values)
      .all<Row>()
  ).results;
const keepAway = (member: TestMember, email: string) => member.send("POST", "/api/kept-away-address", { email });
const list = (member: TestMember) => member.get<{ items: { id: number }[] }>("/api/kept-away-addresses");
const statusOfProfile = async (by: TestMember, other: TestMember) =>
  (await by.fetch(`/api/profile/${other.id}`)).status;

/** Joins by mail, and gives the account what makes a member visible. */
async function join(email: string, name: string): Promise<TestMember> {
  const visitor = createVisitor(worker);
  await visitor.send("POST", "/api/auth/register", { email, acknowledgements: "cookies; adult; geolocation" });
  const token = /token=([\w-]+)/.exec((await waitForMail(worker, email)).text)?.[1];
  expect((await visitor.send("POST", "/api/auth/token", { token, confirmed: true })).status).toBe(200);
  const [account] = await all<{ id: number }>("select id from account where email = ?", email);
  const member = await logIn(worker, account!.id);
  await all("update profile set profile_name = ?, birthdate = '1990-01-01' where id = ?", name, member.id);
  await all(
    `insert into position (profile_id, use, precision, cell, key, ts_published, ts_effective_until)
     values (?, 'OVERRIDE', 'street', 0, ?, 0, ?)`,
    member.id,
    keyOfPoint({ lat, lon }),
    Date.now() + 3_600_000,
  );
  return member;
}

describe("a kept-away address", () => {
  it("blocks a later account in every spelling, both ways and on every call, without being listed", {
    timeout: 120_000,
  }, async () => {
    const [match, third] = [await createMember(worker), await createMember(worker)];
    const { member: me, caseRef } = await createSubject(worker, match, third);
    const added = await keepAway(me, "ExFriend@gmail.com");
    expect(added.status).toBe(201);
    const { id } = (await added.json()) as { id: number };
    const ex = await join("ex.fri.end+new@googlemail.com", "Bexleyunmet");

    const readCallsNaming = async (by: TestMember, about: TestMember, name: string) => {
      const seen = await readEverything(appRouter, by, about.id, { lat, lon, caseRef, text: name });
      expect(seen.filter(({ status }) => status >= 500)).toEqual([]);
      return seen.filter(({ text }) => text.includes(name)).map((call) => call.name);
    };
    expect(await readCallsNaming(ex, me, SUBJECT_NAME)).toEqual([]);
    expect(await readCallsNaming(me, ex, "Bexleyunmet")).toEqual([]);
    expect(await readCallsNaming(third, ex, "Bexleyunmet")).toContain("positions.nearest");
    for (const [by, other] of [
      [ex, me],
      [me, ex],
    ] as const) {
      expect(await statusOfProfile(by, other)).toBe(404);
      expect((await by.send("POST", "/api/message", { recipientProfileId: other.id, bodyText: "hi" })).status).toBe(
        404,
      );
      expect(await by.get("/api/blocks")).toEqual([]);
      // Undoing a block that one never made has no effect.
      await by.send("DELETE", `/api/block/${other.id}`);
      await by.send("PUT", "/api/profile-like", { likedProfileId: other.id, blocked: false });
      expect(await statusOfProfile(by, other)).toBe(404);
    }
    const [mine, theirs] = [await openSocket(worker, me), await openSocket(worker, ex)];
    mine.send({ type: "typing", toProfileId: ex.id });
    theirs.send({ type: "typing", toProfileId: me.id });
    await third.send("POST", "/api/message", { recipientProfileId: ex.id, bodyText: "hi" });
    await theirs.waitFor("message");
    for (const socket of [mine, theirs]) {
      expect(socket.events.filter(({ type }) => type === "typing")).toEqual([]);
      socket.close();
    }

    // Only the member who added it can remove it, which ends the block in both directions.
    expect((await ex.send("DELETE", `/api/kept-away-address/${id}`)).status).toBe(404);
    expect((await me.send("DELETE", `/api/kept-away-address/${id}`)).status).toBe(204);
    expect([await statusOfProfile(ex, me), await statusOfProfile(me, ex)]).toEqual([200, 200]);
    expect(await all("select * from block")).toEqual([]);
  });

  it("leaves a block that one of the two members made", async () => {
    const me = await createMember(worker);
    const { id } = (await (await keepAway(me, "later@example.test")).json()) as { id: number };
    const later = await join("later@example.test", "Later");
    await all("update block set blocked_by_profile = 1 where profile_id = ?", later.id);
    await all("update block set blocked_by_other = 1 where profile_id = ?", me.id);
    await me.send("DELETE", `/api/kept-away-address/${id}`);
    expect(await statusOfProfile(me, later)).toBe(404);
    expect(await later.get("/api/blocks")).toHaveLength(1);
  });

  it("does not reveal whether it is a member's, and affects no existing account", async () => {
    const [me, here] = [await createMember(worker), await createMember(worker, { email: "here@example.test" })];
    const addNormalized = async (email: string) => {
      const added = await keepAway(me, email);
      const text = (await added.text())
        .replace(/"id":\d+/, '"id":0')
        .replace(/"tsCreated":"[^"]+"/, '"tsCreated":"then"');
      return [added.status, [...added.headers.keys()], text];
    };
    expect(await addNormalized("here@example.test")).toEqual(await addNormalized("nobody@example.test"));
    expect([await statusOfProfile(me, here), await statusOfProfile(here, me)]).toEqual([200, 200]);
    // Changing one's address has no effect either: a member who vanished would reveal whose it is.
    const other = await createMember(worker, { freshProof: true });
    expect((await other.send("PUT", "/api/settings", { email: "nobody@example.test" })).status).toBe(200);
    const confirm = /confirm=([\w-]+)/.exec((await waitForMail(worker, "nobody@example.test")).text)?.[1];
    expect((await other.send("POST", "/api/settings/email-confirmation", { token: confirm })).status).toBe(200);
    expect([await statusOfProfile(me, other), await statusOfProfile(other, me)]).toEqual([200, 200]);
    // One's own address, and the same address in another spelling.
    expect((await keepAway(me, me.email)).status).toBe(201);
    expect((await keepAway(me, "HERE+again@example.test")).status).toBe(201);
    expect((await list(me)).items ?? (await list(me))).toHaveLength(3);
    expect(await all("select * from block")).toEqual([]);
  });

  it("is stored unreadably, limited to fifty, exported, and deleted with the account", async () => {
    const me = await createMember(worker, { freshProof: true });
    for (let count = 0; count < KEPT_AWAY_ADDRESSES_MAX; count += 1) await keepAway(me, `unmet-${count}@example.test`);
    const full = await keepAway(me, "one-more@example.test");
    expect([full.status, await full.json()]).toMatchObject([400, { error: { field: "email" } }]);
    expect((await keepAway(me, "unmet-7@example.test")).status).toBe(201);
    expect(await (await keepAway(me, "no address")).json()).toMatchObject({ error: { field: "email" } });
    for (let count = 0; count < 10; count += 1) await keepAway(me, "no-more@example.test");
    expect((await keepAway(me, "unmet-7@example.test")).status).toBe(429);
    expect(JSON.stringify(await all("select * from kept_away_address"))).not.toMatch(/unmet|example/);
    const ex = await join("unmet-7@example.test", "Unmet");

    const response = await me.send("POST", "/api/account/export");
    expect(response.status).toBe(200);
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
    const data = JSON.parse(strFromU8(files["data.json"]!));
    expect(data.keptAwayAddresses).toHaveLength(KEPT_AWAY_ADDRESSES_MAX);
    expect(Object.keys(data.keptAwayAddresses[0])).toEqual(["id", "tsCreated"]);
    expect(data.blocks).toEqual([]);
    expect(JSON.stringify(data)).not.toContain(`${ex.id},`);
    expect((await keepAway(ex, "one-more@example.test")).status).toBe(201);

    expect((await me.send("POST", "/api/account/deletion", {})).status).toBe(200);
    await all("update account set ts_deleted = ? where id = ?", Date.now() - ACCOUNT_DELETION_GRACE_MS - 1, me.id);
    await worker.runCron(NIGHTLY);
    expect(await all("select * from kept_away_address where profile_id = ?", me.id)).toEqual([]);
    expect(await all("select * from block")).toEqual([]);
    expect(await listTraces(worker, me.id, me.email)).toEqual([]);
  });
});
