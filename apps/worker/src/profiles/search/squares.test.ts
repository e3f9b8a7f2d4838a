/** An open map is told of changed members whom the viewer may see, and of nobody else. */
import { createHash } from "node:crypto";
import { DAY_MS, LIVE_REFETCH_MS } from "@lambda/contract/limits";
import { keyOfPoint } from "@lambda/geo/curve";
import { createMember, type TestMember } from "@lambda/testing/member";
import { limiterOf } from "@lambda/testing/rate-limits";
import { openSocket, type TestSocket } from "@lambda/testing/socket";
import { createVisitor } from "@lambda/testing/visitor";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { cornerOf, squareObject, squaresOf } from "../../platform/map/squares.ts";
import { EVERY_MINUTE, HOURLY } from "../../schedule.ts";

const HERE = { lat: 48.2, lon: 16.3 };
const SQUARE = "/ws/map?lat=48&lon=16";
/** The interval of a development build. */
const TICK_MS = 500;

let worker: TestWorker;
let watcher: TestMember;
let other: TestMember;
let socket: TestSocket;
beforeAll(async () => {
  worker = await startWorker();
});
beforeEach(async () => {
  [watcher, other] = [await createMember(worker), await createMember(worker, { freshProof: true })];
  await report(other, HERE);
  await report(watcher, HERE);
  socket = await openSocket(worker, watcher, { path: SQUARE });
});
afterEach(() => socket.close());

const succeed = async (pending: Promise<Response>) => {
  const response = await pending;
  expect([response.ok, response.ok ? "" : await response.text()]).toEqual([true, ""]);
};

function report(member: TestMember, { lat, lon }: typeof HERE, hide?: boolean): Promise<void> {
  const body = {
    profileId: member.id,
    use: "OVERRIDE",
    overrideLat: lat,
    overrideLon: lon,
    ...(hide !== undefined && { hide }),
  };
  return succeed(member.send("PUT", `/api/profile-position/${member.id}`, body));
}

/** What the member's day was charged besides calls, which pay nothing here. */
async function spentBy({ id }: TestMember): Promise<number> {
  const none = new Uint8Array();
  const limiter = limiterOf(worker, `readings:${id}`);
  return (await limiter.mergeUsage({ opened: none, shown: none, changes: 0, spent: 0 }, DAY_MS)).spent;
}

const isAbout =
  (id: number) =>
  ({ profileIds }: { profileIds: number[] }) =>
    profileIds.includes(id);

/** The members reported to the watcher so far. Lets a new visible member appear, to know that earlier changes have arrived. */
async function reportedUntilNewcomer(by = socket): Promise<number[]> {
  const guest = await createMember(worker);
  await report(guest, HERE);
  await by.waitFor("around", isAbout(guest.id));
  const reported = by.events.flatMap((event) => (event.type === "around" ? event.profileIds : []));
  return [...new Set(reported)].filter((id) => id !== guest.id);
}

const briefsOf = async (id: number) =>
  (await watcher.get<{ profileId: number; profileName: string }[]>(`/api/profile-briefs/by-ids?profileIds=${id}`)).map(
    ({ profileId }) => profileId,
  );

/** Waits until the watcher knows of all changes so far. */
async function forgetReported(): Promise<void> {
  await reportedUntilNewcomer();
  socket.events.length = 0;
}

const createAdmin = () => createMember(worker, { adminBrand: "*", hidden: true });

async function suspendOther(): Promise<{ id: number }> {
  const action = { subjectProfileId: other.id, kind: "suspend", rule: "spam", reason: "Spam", days: 3 };
  const response = await (await createAdmin()).send("POST", "/api/admin/action", action);
  expect(response.status).toBe(201);
  return (await response.json()) as { id: number };
}

describe("a member who watches a square of the map", () => {
  it("is told who moves within it, and who leaves it for another one", async () => {
    expect(await reportedUntilNewcomer()).toEqual([]);
    const next = await openSocket(worker, watcher, { path: "/ws/map?lat=48.9&lon=17" });
    await report(other, { lat: 48.4, lon: 16.4 });
    await socket.waitFor("around", isAbout(other.id));
    socket.events.length = 0;
    await report(other, { lat: 48.4, lon: 17.4 });
    await Promise.all([socket.waitFor("around", isAbout(other.id)), next.waitFor("around", isAbout(other.id))]);
    next.close();
  });

  it("is told after its object was evicted between the change and the tick, and pays for nobody's listening", async () => {
    const before = await spentBy(other);
    await report(other, { lat: 48.4, lon: 16.4 });
    await worker.evict("SquareObject", `ember:${[...squaresOf([keyOfPoint(HERE)])][0]}`);
    await socket.waitFor("around", isAbout(other.id));
    await expect.poll(() => spentBy(other)).toBeGreaterThan(before);
    expect(await spentBy(watcher)).toBe(0);
  });

  const VISIBLE: Record<string, [act: () => Promise<unknown>, there: boolean]> = {
    "a name changes": [() => succeed(other.send("PUT", "/api/profile", { profilename: "New" })), true],
    "a member hides": [() => report(other, HERE, true), false],
    "a member blocks the watcher": [() => block(other, watcher), false],
    "the watcher blocks a member": [() => block(watcher, other), false],
    "an account is to be deleted": [() => succeed(other.send("POST", "/api/account/deletion", {})), false],
    "a member locks their account down": [
      async () => {
        const token = "t".repeat(43);
        const tokenHash = createHash("sha256").update(token).digest("hex");
        await succeed(other.send("POST", "/api/lockdown-signal", { tokenHash, hours: 1 }));
        await succeed(createVisitor(worker).send("POST", "/api/unlock", { token }));
      },
      false,
    ],
    "staff suspends a member": [() => suspendOther(), false],
    "staff lifts a suspension": [
      async () => {
        const { id } = await suspendOther();
        await forgetReported();
        await succeed((await createAdmin()).send("POST", `/api/admin/action/${id}/lift`));
      },
      true,
    ],
    "staff reverses a suspension on appeal": [
      async () => {
        await suspendOther();
        const { actions } = await other.get<{ actions: { reportId: number }[] }>("/api/standing");
        const appeal = { text: "I did nothing of the kind, please look again." };
        await succeed(other.send("POST", `/api/report/${actions[0]?.reportId}/appeal`, appeal));
        await forgetReported();
        const judge = await createAdmin();
        await succeed(judge.send("POST", `/api/admin/report/${actions[0]?.reportId}/appeal`, { reversed: true }));
      },
      true,
    ],
    "a position expires": [
      async () => {
        await worker.env.DB.prepare("update position set ts_effective_until = 1 where profile_id = ?")
          .bind(other.id)
          .run();
        await worker.runCron(EVERY_MINUTE, Date.now());
      },
      false,
    ],
  };
  it.each(Object.entries(VISIBLE))("is told when %s", async (_, [act, there]) => {
    await forgetReported();
    await act();
    await socket.waitFor("around", isAbout(other.id));
    expect(await briefsOf(other.id)).toEqual(there ? [other.id] : []);
  });

  it("is told nothing of hidden or blocked members, whatever they do", async () => {
    const blocker = await createMember(worker);
    await block(blocker, watcher);
    await report(other, HERE, true);
    await socket.waitFor("around", isAbout(other.id));
    await forgetReported();
    for (const member of [blocker, other]) {
      await succeed(member.send("PUT", "/api/profile", { profilename: "Elsewhere" }));
    }
    await report(blocker, { lat: 48.5, lon: 16.5 });
    await report(other, { lat: 48.5, lon: 16.5 }, true);
    expect(await reportedUntilNewcomer()).toEqual([]);
    expect(await briefsOf(other.id)).toEqual([]);
  });

  it("is told of somebody who hides and then blocks them", async () => {
    // Both changes are sent at the same tick.
    await report(other, HERE, true);
    await block(other, watcher);
    await socket.waitFor("around", isAbout(other.id));
    expect(await briefsOf(other.id)).toEqual([]);
  });

  it("is told at a later tick what could not be sent at an earlier one", async () => {
    await forgetReported();
    const square = squareObject(worker.env, "ember", cornerOf(HERE));
    await worker.run({ query: "alter table session rename to session_away" });
    try {
      await square.change([{ id: other.id, was: 1, ts: Date.now() }]);
      await new Promise((resolve) => setTimeout(resolve, 2 * TICK_MS));
      expect(socket.events.map(({ type }) => type)).not.toContain("around");
    } finally {
      await worker.run({ query: "alter table session_away rename to session" });
    }
    await socket.waitFor("around", isAbout(other.id));
  });

  it("is told to reload at every tick where more than 200 listen, whether or not anybody acts", {
    tags: "slow",
    timeout: 120_000,
  }, async () => {
    const members = await Promise.all(Array.from({ length: 11 }, () => createMember(worker)));
    const isReload = ({ profileIds }: { profileIds: number[] }) => profileIds.length === 0;
    const open = await Promise.all(
      members.flatMap((member) => Array.from({ length: 19 }, () => openSocket(worker, member, { path: SQUARE }))),
    );
    const everybody = [socket, ...open];
    // Needs no query.
    await worker.run({ query: "alter table session rename to session_away" });
    try {
      for (let tick = 0; tick < 3; tick += 1) {
        await Promise.all(everybody.map((each) => each.waitFor("around", isReload)));
        for (const each of everybody) each.events.length = 0;
      }
    } finally {
      await worker.run({ query: "alter table session_away rename to session" });
      for (const each of open) each.close();
    }
  });

  it("is told nothing of members out of sight, however many of them act", async () => {
    await report(other, HERE, true);
    await forgetReported();
    const ts = Date.now();
    const crowd = Array.from({ length: 200 }, (_, index) => ({ id: 1e9 + index, was: 0, ts }));
    await squareObject(worker.env, "ember", cornerOf(HERE)).change([{ id: other.id, was: 0, ts }, ...crowd]);
    expect(await reportedUntilNewcomer()).toEqual([]);
    expect(socket.events.filter((event) => event.type === "around" && event.profileIds.length === 0)).toEqual([]);
  });

  it("is told nothing of a block between two others, or of members of another brand", async () => {
    const third = await createMember(worker);
    await report(third, HERE);
    await socket.waitFor("around", isAbout(third.id));
    socket.events.length = 0;
    await block(other, third);
    const elsewhere = await createMember(worker, { brand: "harbor" });
    await report(elsewhere, HERE);
    expect(await reportedUntilNewcomer()).toEqual([]);
  });

  it("is told nothing of a second block, or when one of two blocks is removed", async () => {
    await succeed(other.send("POST", "/api/message", { recipientProfileId: watcher.id, bodyText: "Hello" }));
    await block(watcher, other);
    await socket.waitFor("around", isAbout(other.id));
    await forgetReported();
    // Members who wrote to each other can be blocked while invisible.
    await block(other, watcher);
    await succeed(watcher.send("PUT", "/api/profile-like", { likedProfileId: other.id, blocked: false }));
    expect(await reportedUntilNewcomer()).toEqual([]);
  });

  it("is told nothing of changes that do not show on the map", async () => {
    await forgetReported();
    await succeed(other.send("PUT", "/api/profile-like", { likedProfileId: watcher.id, likeType: "LIKE" }));
    await succeed(other.send("POST", "/api/message", { recipientProfileId: watcher.id, bodyText: "Hello" }));
    expect(await reportedUntilNewcomer()).toEqual([]);
  });

  it("is told nothing after logging out", async () => {
    const witness = await openSocket(worker, await createMember(worker), { path: SQUARE });
    await succeed(watcher.send("POST", "/api/auth/logout"));
    await reportedUntilNewcomer(witness);
    expect(socket.events.map(({ type }) => type)).toEqual(["ready"]);
  });
});

const block = (by: TestMember, whom: TestMember) =>
  succeed(by.send("PUT", "/api/profile-like", { likedProfileId: whom.id, blocked: true }));

describe("the check for hidden members", () => {
  it("reports that something may have been hidden since a mark, but not when exactly, and nothing when nothing was", async () => {
    const now = Date.now();
    const [early, late] = [now, now + 2 * LIVE_REFETCH_MS];
    const ask = async (at: number, mark?: string) => {
      const headers = { "x-development-now": String(at) };
      const response = await watcher.fetch(`/api/profile-briefs/news${mark ? `?mark=${mark}` : ""}`, { headers });
      return (await response.json()) as { mark: string; changed: boolean };
    };
    const first = await ask(late);
    expect(first.changed).toBe(true);
    const second = await ask(late, first.mark);
    expect(second.changed).toBe(false);
    for (const cron of [EVERY_MINUTE, HOURLY]) await worker.runCron(cron, Date.now());
    expect((await ask(late, second.mark)).changed).toBe(false);
    const before = await ask(early);
    await report(other, HERE, true);
    expect(await ask(early, before.mark)).toEqual({ ...before, changed: false });
    expect((await ask(late, second.mark)).changed).toBe(true);
  });

  it("rejects a forged mark", async () => {
    const response = await watcher.fetch("/api/profile-briefs/news?mark=forged");
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining("mark")]);
  });
});

it.each(["?lat=91&lon=0", "?lat=0", "", "?lat=x&lon=0"])("rejects an invalid square: %s", async (query) => {
  await expect(openSocket(worker, watcher, { path: `/ws/map${query}` })).rejects.toThrow("refused with 400");
});
