import { createMember, type TestMember } from "@lambda/testing/member";
import { seedMembers } from "@lambda/testing/seeded-community";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";
import { encodeCurveCursor, encodeNearestCursor } from "./cursor.ts";

const FIRST = 10_000_000;
const MEMBER_COUNT = 300;

let worker: TestWorker;
beforeAll(async () => {
  worker = await startWorker();
  await seedMembers(worker.run, 0, MEMBER_COUNT);
});

const trips = (response: Response) => Number(response.headers.get("x-d1-trips"));
const rows = (response: Response) => Number(response.headers.get("x-d1-rows-read"));
const nearest = (member: TestMember, query: string) => member.fetch(`/api/profile-briefs/nearest?${query}`);
const cursorOf = (response: Response) => response.headers.get("x-next-cursor") ?? "";

describe("a cursor", () => {
  it.each([1, 0, 1e-12, 1e300])("that was never issued costs no more than reading the session: %d", async (hint) => {
    const me = await createMember(worker);
    const numbers = { meters: 1, randomOrder: 0, membersPerSquareMeter: hint, membersPerMatch: 1e7 };
    const forged = await nearest(me, `hasPicture=true&cursor=${encodeNearestCursor(numbers)}`);
    expect(forged.status).toBe(400);
    expect(await forged.json()).toMatchObject({ error: { code: "BAD_INPUT", field: "cursor" } });
    expect(trips(forged)).toBe(1);
    expect(rows(forged)).toBeLessThanOrEqual(3);
  });

  it("that is forged is rejected on a map too", async () => {
    const me = await createMember(worker);
    const forged = encodeCurveCursor({ key: 0, profileId: 0 });
    for (const path of ["by-bounds?latMin=30&lonMin=-115&latMax=35&lonMax=-110&", "by-sector/33:-112?"]) {
      expect((await me.fetch(`/api/profile-briefs/${path}cursor=${forged}`)).status).toBe(400);
    }
  });

  it("works only for its member and its search, and is the same for the same page", async () => {
    const [me, other] = [await createMember(worker), await createMember(worker)];
    const cursor = cursorOf(await nearest(me, "size=5"));
    expect(cursorOf(await nearest(me, "size=5"))).toBe(cursor);
    expect((await nearest(me, `size=5&cursor=${cursor}`)).status).toBe(200);
    expect((await nearest(me, `size=9&cursor=${cursor}`)).status).toBe(200);
    expect((await nearest(other, `size=5&cursor=${cursor}`)).status).toBe(400);
    expect((await nearest(me, `size=5&hasPicture=true&cursor=${cursor}`)).status).toBe(400);
    const changed = `${cursor.slice(0, -2)}${cursor.endsWith("AA") ? "BB" : "AA"}`;
    expect((await nearest(me, `size=5&cursor=${changed}`)).status).toBe(400);
  });

  it("does not reveal the random order of the last member", async () => {
    const me = await createMember(worker);
    const page = await nearest(me, "size=5");
    const last = ((await page.json()) as { profileId: number }[]).at(-1);
    const randomOrder = await worker.env.DB.prepare("select random_order n from profile where id = ?")
      .bind(last?.profileId ?? FIRST)
      .first<number>("n");
    const text = cursorOf(page).replace(/-/g, "+").replace(/_/g, "/");
    const bytes = Buffer.from(text, "base64");
    const key = Buffer.from(new Float64Array([randomOrder ?? 0]).buffer);
    expect(bytes.includes(key)).toBe(false);
    expect(bytes.toString("latin1")).not.toContain(key.toString("base64").slice(0, 8));
  });
});
