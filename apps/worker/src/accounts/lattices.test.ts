/**
 * Lattices belong to one account and stay: nobody gets another's with an address, an account's markers tell nothing
 * about another's, and a new key moves nobody.
 */
import { DAY_MS, HOUR_MS } from "@lambda/contract/limits";
import type { OwnPlaces, PositionReportResponse } from "@lambda/contract/positions";
import { cellAt } from "@lambda/geo/lattice";
import { createMember, logIn, type TestMember } from "@lambda/testing/member";
import { PHOENIX, queryRows, reportPosition } from "@lambda/testing/scenes/positions";
import { createVisitor, waitForMail } from "@lambda/testing/visitor";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, expect, it } from "vitest";
import { publishedKey } from "../places/positions/publish.ts";
import { publishPending } from "../places/positions/queries.ts";
import { renewLattices } from "../places/positions/renew-lattices.ts";
import { openDatabase } from "../platform/db/database.ts";
import type { Env } from "../platform/env.ts";
import { HOURLY } from "../schedule.ts";
import { latticesOf } from "./lattices.ts";

let worker: TestWorker;
beforeEach(async () => {
  worker = await startWorker();
});

/** Registers by mail, as every real member does. */
async function register(email: string): Promise<TestMember> {
  const visitor = createVisitor(worker);
  const asked = await visitor.send("POST", "/api/auth/register", {
    email,
    acknowledgements: "cookies; adult; geolocation",
  });
  const { text } = await waitForMail(worker, email, 0);
  const cookie = /plain_asked=[^;]+/.exec(asked.headers.get("set-cookie") ?? "")?.[0] ?? "";
  const opened = await visitor.fetch("/api/auth/token", {
    method: "POST",
    headers: { "content-type": "application/json", cookie },
    body: JSON.stringify({ token: /token=([\w-]+)/.exec(text)?.[1] }),
  });
  expect(opened.status).toBe(200);
  const [row] = await queryRows(worker, "select id from account where email = ?", email);
  return logIn(worker, Number(row?.id));
}

const latticeOf = async (member: TestMember) =>
  (await member.get<OwnPlaces>(`/api/profile-position/${member.id}/places`)).lattice;

async function storedLattices(member: TestMember, env: Pick<Env, "SITE_KEY"> = worker.env) {
  const rows = await queryRows(worker, "select id, email, lattice_seed, lattices from account where id = ?", member.id);
  return latticesOf(env, rows[0] as unknown as Parameters<typeof latticesOf>[1]);
}

it("no two accounts have the same cells, or related published points", async () => {
  const lattices = await Promise.all(
    ["ann@example.test", "anna@example.test"].map(async (email) => storedLattices(await register(email))),
  );
  const axes = lattices.flatMap(({ own, shown }) => [own.lat, own.lon, shown.lat, shown.lon]);
  expect(new Set(axes).size).toBe(8);
});

it("who registers an address that its member changed is told other cells, and the member keeps theirs", async () => {
  const member = await register("moved@example.test");
  await queryRows(worker, "update session set ts_proved = ? where account_id = ?", Date.now(), member.id);
  const before = await latticeOf(member);
  expect((await member.send("PUT", "/api/settings", { email: "new@example.test" })).status).toBe(200);
  const token = /confirm=([\w-]+)/.exec((await waitForMail(worker, "new@example.test")).text)?.[1];
  const confirmed = { token, email: "new@example.test" };
  expect((await member.send("POST", "/api/settings/email-confirmation", confirmed)).status).toBe(200);
  await queryRows(worker, "delete from login_code");
  expect(await latticeOf(await register("moved+again@example.test"))).not.toEqual(before);
  expect(await latticeOf(member)).toEqual(before);
});

it("who registers the mailbox of an account that was deleted for good is told other cells", async () => {
  const member = await register("gone@example.test");
  const before = await latticeOf(member);
  await queryRows(worker, "delete from account where id = ?", member.id);
  expect(await latticeOf(await register("gone+new@example.test"))).not.toEqual(before);
});

it("an account from before lattices were stored keeps its cells and its changed address's, and the job moves no marker", async () => {
  const member = await createMember(worker, { email: "old@example.test" });
  const moved = await createMember(worker, { email: "changed@example.test" });
  await queryRows(worker, "update account set lattice_seed = x'00112233' where id = ?", moved.id);
  const markerOf = async ({ id }: TestMember) =>
    (await queryRows(worker, "select key from position where profile_id = ?", id))[0];
  for (const each of [member, moved]) expect((await reportPosition(each, PHOENIX)).status).toBe(200);
  const before = await Promise.all([member, moved].map(async (each) => [await latticeOf(each), await markerOf(each)]));
  await worker.runCron(HOURLY);
  expect(
    await queryRows(worker, "select mailbox, length(lattices) as bytes, lattice_seed from account order by id"),
  ).toEqual([
    { mailbox: "old@example.test", bytes: 48, lattice_seed: null },
    { mailbox: "changed@example.test", bytes: 48, lattice_seed: null },
  ]);
  for (const each of [member, moved]) await reportPosition(each, PHOENIX);
  expect(await Promise.all([member, moved].map(async (each) => [await latticeOf(each), await markerOf(each)]))).toEqual(
    before,
  );
  // Known by address alone, this lattice was told to whoever registered the address next.
  expect(before[0]?.[0]).not.toEqual(before[1]?.[0]);
});

it("a marker that an earlier version published moves with the next report, once", async () => {
  const member = await register("mover@example.test");
  await reportPosition(member, PHOENIX);
  const markers = () => queryRows(worker, "select key from position");
  const [own] = await markers();
  await queryRows(worker, "update position set key = key + 1000");
  await reportPosition(member, PHOENIX);
  expect(await markers()).toEqual([own]);
  const response = await reportPosition(member, PHOENIX);
  expect(Number(response.headers.get("x-d1-rows-written"))).toBe(0);
});

it("a new key moves no marker and forgets no place", async () => {
  const member = await register("rotated@example.test");
  const now = Date.now();
  const gps = { use: "DEVICE_GPS" };
  await reportPosition(member, PHOENIX, gps, now);
  const atHome = await reportPosition(member, PHOENIX, gps, now + HOUR_MS);
  const { places } = (await atHome.json()) as PositionReportResponse;
  expect(places.remembered).toHaveLength(1);
  const marker = async () => (await queryRows(worker, "select key, cell from position"))[0];
  const before = { lattices: await storedLattices(member), marker: await marker(), stored: await rawLattices() };

  const withKey = (SITE_KEY: string) => ({ ...worker.env, DB: worker.env.DB, SITE_KEY });
  const withBoth = withKey(`2:new,1:${worker.env.SITE_KEY}`);
  const withNewKey = withKey("2:new");
  // At once readable together with the old key, and soon without it.
  expect(await storedLattices(member, withBoth)).toEqual(before.lattices);
  await renewLattices(withBoth, 1000);
  expect(await rawLattices()).not.toEqual(before.stored);
  expect(await storedLattices(member, withNewKey)).toEqual(before.lattices);
  await expect(storedLattices(member)).rejects.toThrow();
  const next = cellAt(before.lattices.own, { ...PHOENIX, lat: PHOENIX.lat + 0.1 }, "street");
  await queryRows(worker, "update position set pending_cell = ?", next);
  await publishPending(openDatabase(worker.env.DB), withNewKey, now + DAY_MS, () => Promise.resolve());
  expect(await marker()).toEqual({ cell: next, key: publishedKey(before.lattices, next) });

  // The running worker has the old key: the site returns to it.
  await renewLattices(withKey(`3:${worker.env.SITE_KEY},2:new`), 1000);
  const back = await reportPosition(member, PHOENIX, {}, now + DAY_MS + 1);
  expect(((await back.json()) as PositionReportResponse).places).toMatchObject(places);
  expect(await marker()).toEqual(before.marker);
});

async function rawLattices() {
  return queryRows(worker, "select hex(lattices) as lattices from account");
}
