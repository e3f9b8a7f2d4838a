import { as, type TestMember } from "@lambda/testing/member";
import { seedMembers } from "@lambda/testing/seeded-community";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";
import { encodeCurveCursor, encodeNearestCursor } from "./cursor.ts";

const FIRST = 10_000_000;
const CROWD = 300;

let worker: TestWorker;
beforeAll(async () => {
  worker = await startWorker();
  await seedMembers(worker.run, 0, CROWD);
});

const trips = (answer: Response) => Number(answer.headers.get("x-d1-trips"));
const rows = (answer: Response) => Number(answer.headers.get("x-d1-rows-read"));
const nearest = (member: TestMember, query: string) => member.fetch(`/api/profile-briefs/nearest?${query}`);
const cursorOf = (answer: Response) => answer.headers.get("x-next-cursor") ?? "";

describe("a cursor", () => {
  it.each([1, 0, 1e-12, 1e300])("that was never given out costs the session and nothing more: %d", async (hint) => {
    const me = await as(worker);
    const numbers = { meters: 1, randomOrder: 0, matchesPerSquareMeter: hint, seenForMatch: 1e7 };
    const forged = await nearest(me, `hasPicture=true&cursor=${encodeNearestCursor(numbers)}`);
    expect(forged.status).toBe(400);
    expect(await forged.json()).toMatchObject({ error: { code: "BAD_INPUT", field: "cursor" } });
    expect(trips(forged)).toBe(1);
    expect(rows(forged)).toBeLessThanOrEqual(3);
  });

  it("on a map is no other", async () => {
    const me = await as(worker);
    const forged = encodeCurveCursor({ key: 0, profileId: 0 });
    for (const path of ["by-bounds?latMin=30&lonMin=-115&latMax=35&lonMax=-110&", "by-sector/33:-112?"]) {
      expect((await me.fetch(`/api/profile-briefs/${path}cursor=${forged}`)).status).toBe(400);
    }
  });

  it("of one member and one search opens for no other, and the same page gives the same one", async () => {
    const [me, other] = [await as(worker), await as(worker)];
    const cursor = cursorOf(await nearest(me, "size=5"));
    expect(cursorOf(await nearest(me, "size=5"))).toBe(cursor);
    expect((await nearest(me, `size=5&cursor=${cursor}`)).status).toBe(200);
    expect((await nearest(me, `size=9&cursor=${cursor}`)).status).toBe(200);
    expect((await nearest(other, `size=5&cursor=${cursor}`)).status).toBe(400);
    expect((await nearest(me, `size=5&hasPicture=true&cursor=${cursor}`)).status).toBe(400);
    const changed = `${cursor.slice(0, -2)}${cursor.endsWith("AA") ? "BB" : "AA"}`;
    expect((await nearest(me, `size=5&cursor=${changed}`)).status).toBe(400);
  });

  it("does not tell the place of the last member in the order of draws", async () => {
    const me = await as(worker);
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
