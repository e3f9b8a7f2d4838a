import { getBrand } from "@lambda/brands";
import { LIKE_TABS } from "@lambda/contract/likes";
import { toCurveKey } from "@lambda/geo/curve";
import { d1Over } from "@lambda/testing/d1";
import { as, type TestMember } from "@lambda/testing/member";
import type { Row } from "@lambda/testing/sql";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";
import { listBlocks } from "../../members/blocks/queries.ts";
import type { Onlooker } from "../../members/visibility/visibility.ts";
import { listPublished } from "../../places/positions/distances.ts";
import { listNamed } from "../../places/positions/named.ts";
import { listDueReminders } from "../../social/health/queries.ts";
import { listLikedBriefs } from "../../social/likes/briefs.ts";
import { START } from "../../social/likes/cursor.ts";
import { listNearestLiked } from "../../social/likes/nearest-liked.ts";
import { findLike, listLikedOf, listLikes } from "../../social/likes/queries.ts";
import { findNote, listNotes, listTags } from "../../social/notes/queries.ts";
import { findRelation } from "../../social/profiles/relation.ts";
import { openDatabase } from "./database.ts";

let worker: TestWorker;
let me: TestMember;
beforeAll(async () => {
  worker = await startWorker();
  me = await as(worker);
});

/** Runs queries and answers the query plan of each statement that they sent. */
async function plansOf(run: (db: ReturnType<typeof openDatabase>) => Promise<unknown>): Promise<string[]> {
  const { DB } = worker.env;
  const plans: string[] = [];
  const recording = d1Over(async (statements) => {
    const explained = statements.map(({ query, values }) => DB.prepare(`explain query plan ${query}`).bind(...values));
    for (const { results } of await DB.batch<{ detail: string }>(explained))
      plans.push(...results.map(({ detail }) => detail));
    return DB.batch<Row>(statements.map(({ query, values }) => DB.prepare(query).bind(...values)));
  });
  await run(openDatabase(recording));
  expect(plans.length).toBeGreaterThan(0);
  return plans;
}

describe("query plans", () => {
  it("scan no table, and build no index of their own", async () => {
    const brand = getBrand("ember");
    const onlooker: Onlooker = { brand, viewer: { profileId: me.id } as Onlooker["viewer"] };
    const page = { after: START, limit: 21 };
    const now = Date.now();
    const plans = await plansOf(async (db) => {
      for (const tab of LIKE_TABS) await listLikedBriefs(db, onlooker, tab, page, now);
      for (const side of ["given", "received"] as const) await listLikes(db, onlooker, side, "LIKE", page);
      await listLikedOf(db, onlooker, [me.id + 1, me.id + 2]);
      await listPublished(db, onlooker, [me.id + 1, me.id + 2], now);
      await listNamed(db, { brandBit: onlooker.brand.bit, profileId: me.id, now }, [me.id + 1, me.id + 2]);
      await findLike(db, onlooker, me.id, me.id + 1);
      await listNotes(db, onlooker, { text: "a", tag: "b" }, page);
      await findNote(db, onlooker, me.id + 1);
      await listTags(db, me.id, 10);
      await listBlocks(db, onlooker, 0, 50);
      await findRelation(db, onlooker, me.id + 1, now);
      await listDueReminders(db, now, 10);
      await listNearestLiked(
        db,
        { brandBit: brand.bit, profileId: me.id, now },
        { centreKey: toCurveKey(0), size: 30 },
        ["likedMyProfile", "likedMyPics", "iLikedProfile", "iLikedProfilePics"],
      );
    });
    // Whole tables, as against the JSON of one row, the ids that were asked for, and the rows of a subquery.
    const scans = plans.filter((plan) =>
      /^SCAN (?!(?:\d+ )?CONSTANT|\d+-ROW VALUES|.*VIRTUAL TABLE|\(?subquery|j\b|joined)/i.test(plan),
    );
    expect(scans).toEqual([]);
    expect(plans.filter((plan) => plan.includes("AUTOMATIC"))).toEqual([]);
  });
});
