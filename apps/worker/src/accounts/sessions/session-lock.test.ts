/** A locked session: what its cookie opens without the secret of the unlocked device, and how the lock begins and ends. */
import { SOCKET_CLOSE_ENDED } from "@lambda/contract/events";
import { createMember, type TestMember } from "@lambda/testing/member";
import { quickHash } from "@lambda/testing/password";
import { uploadPicture } from "@lambda/testing/pictures";
import { openSocket } from "@lambda/testing/socket";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";
import { newToken } from "./tokens.ts";

let worker: TestWorker;
beforeAll(async () => {
  worker = await startWorker();
});

const unlockedBy = (member: TestMember, secret = newToken()) => member.withCookie(`__Host-unlocked=${secret}`);
const setLock = (member: TestMember, on: boolean) => member.send("PUT", "/api/session/lock", { on });

/** A member whose session is locked, as seen from the unlocked device and with the session cookie alone. */
async function lockedMember(): Promise<{ locked: TestMember; unlocked: TestMember }> {
  const locked = await createMember(worker);
  const unlocked = unlockedBy(locked);
  expect((await setLock(unlocked, true)).status).toBe(200);
  return { locked, unlocked };
}

async function write(from: TestMember, to: TestMember | null): Promise<void> {
  const response = await from.send("POST", "/api/message", { recipientProfileId: to?.id, bodyText: "Good evening" });
  expect(response.status, await response.clone().text()).toBe(201);
}

it("ends a session at once, though its row was read a moment before", async () => {
  const member = await createMember(worker);
  const elsewhere = await member.onBrand("ember");
  expect((await elsewhere.fetch("/api/settings")).status).toBe(200);
  const sessions = await member.get<{ id: number; current: boolean }[]>("/api/sessions");
  const other = sessions.find(({ current }) => !current);
  expect((await elsewhere.fetch("/api/settings")).status).toBe(200);
  expect((await member.send("DELETE", `/api/session/${other?.id}`)).status).toBe(204);
  expect((await elsewhere.fetch("/api/settings")).status).toBe(401);
});

describe("a locked session", () => {
  it("opens only with the secret it was locked with, on this device alone, until the lock is turned off", async () => {
    const { locked, unlocked } = await lockedMember();
    const elsewhere = await locked.onBrand("ember");
    const statuses = async () => {
      const callers = [locked, unlockedBy(locked), unlocked, elsewhere];
      return Promise.all(callers.map(async (caller) => (await caller.fetch("/api/settings")).status));
    };
    expect(await statuses()).toEqual([401, 401, 200, 200]);
    // Without the secret the lock can neither be turned off nor replaced.
    expect((await setLock(locked, false)).status).toBe(401);
    expect((await setLock(unlockedBy(locked), true)).status).toBe(401);
    expect((await setLock(elsewhere, true)).status).toBe(400);
    expect(await statuses()).toEqual([401, 401, 200, 200]);
    // Repeated after each unlock.
    expect((await setLock(unlocked, true)).headers.get("clear-site-data")).toBeNull();
    expect((await setLock(unlocked, false)).status).toBe(200);
    expect(await statuses()).toEqual([200, 200, 200, 200]);
  });

  it("is not extended, and does not look active, through calls that are refused", async () => {
    const { locked, unlocked } = await lockedMember();
    const readTimes = () =>
      worker.run({
        query: "select s.ts_expires, p.ts_seen from session s join profile p on p.id = s.account_id where p.id = ?",
        values: [locked.id],
      });
    const before = await readTimes();
    const headers = { "x-development-now": String(Date.now() + 3_600_000) };
    expect((await locked.fetch("/api/settings", { headers })).status).toBe(401);
    expect(await readTimes()).toEqual(before);
    expect((await unlocked.fetch("/api/settings", { headers })).status).toBe(200);
    await expect.poll(readTimes).not.toEqual(before);
  });

  it("leaves nothing in the browser's cache, and gets no picture from cached rights", async () => {
    const [me, other] = [await createMember(worker), await createMember(worker)];
    const { id } = await uploadPicture(other);
    const unlocked = unlockedBy(me);
    const see = async (member: TestMember) => {
      const response = await member.fetch(`/api/profile-pic/${id}?scale_x=256`);
      await response.arrayBuffer();
      return [response.status, Number(response.headers.get("x-d1-trips")), response.headers.get("cache-control")];
    };
    await see(me);
    expect(await see(me)).toEqual([200, 0, "private, no-cache"]);
    expect((await setLock(unlocked, true)).headers.get("clear-site-data")).toBe('"cache"');
    expect((await see(me))[0]).toBe(401);
    await see(unlocked);
    expect(await see(unlocked)).toEqual([200, 0, "private, no-store"]);
    expect((await see(me))[0]).toBe(401);
  });

  it("closes sockets that were opened without the secret, before they receive anything", async () => {
    const [me, other] = [await createMember(worker), await createMember(worker)];
    const place = { use: "OVERRIDE", overrideLat: 48.2, overrideLon: 16.3, hide: false };
    for (const member of [me, other])
      await member.send("PUT", `/api/profile-position/${member.id}`, { profileId: member.id, ...place });
    const paths = ["/ws", "/ws/area", "/ws/map?lat=48&lon=16"];
    const open = (member: TestMember) => Promise.all(paths.map((path) => openSocket(worker, member, { path })));
    const before = await open(me);
    const unlocked = unlockedBy(me);
    await setLock(unlocked, true);
    // On a slow machine the map may have told of the positions above before.
    const known = before.map(({ events }) => events.length);
    const after = await open(unlocked);
    for (const path of paths) await expect(openSocket(worker, me, { path })).rejects.toThrow("refused with 401");
    await write(other, me);
    await write(other, null);
    await other.send("PUT", `/api/profile-position/${other.id}`, { profileId: other.id, ...place, hide: true });
    expect(await Promise.all(before.map(({ closed }) => closed))).toEqual(paths.map(() => SOCKET_CLOSE_ENDED));
    expect(before.flatMap(({ events }, index) => events.slice(known[index]))).toEqual([]);
    await Promise.all([after[0]?.waitFor("message"), after[1]?.waitFor("broadcast"), after[2]?.waitFor("around")]);
    for (const socket of after) socket.close();
  });

  it("is what a login on an unlocked device starts", async () => {
    const member = await createMember(worker, { passwordHash: quickHash("a long password 17") });
    const unlocked = unlockedBy(member);
    await setLock(unlocked, true);
    expect((await unlocked.send("POST", "/api/auth/logout")).status).toBe(204);
    const secret = `__Host-unlocked=${newToken()}`;
    const response = await worker.fetch("http://ember.localhost/api/auth", {
      method: "POST",
      headers: { "content-type": "application/json", origin: "http://ember.localhost", cookie: secret },
      body: JSON.stringify({ username: member.email, password: "a long password 17" }),
    });
    expect(response.status).toBe(200);
    const session = /plain_session=[^;]+/.exec(response.headers.get("set-cookie") ?? "")?.[0] ?? "";
    const read = async (cookie: string) =>
      (await worker.fetch("http://ember.localhost/api/settings", { headers: { cookie } })).status;
    expect([await read(session), await read(`${session}; ${secret}`)]).toEqual([401, 200]);
  });
});
