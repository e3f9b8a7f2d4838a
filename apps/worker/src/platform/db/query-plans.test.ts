import { getBrand } from "@lambda/brands";
import { LikeTab } from "@lambda/contract/likes";
import { toCurveKey } from "@lambda/geo/curve";
import { createD1 } from "@lambda/testing/d1";
import { createMember, type TestMember } from "@lambda/testing/member";
import type { Row } from "@lambda/testing/sql";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";
import { findAccountOfMailbox, selectOwnerOfAddress } from "../../accounts/queries.ts";
import { listByIds } from "../../places/positions/by-ids.ts";
import { listPublishedPositions } from "../../places/positions/distances.ts";
import { listNewMembers } from "../../places/positions/new-members.ts";
import { listDueReminders } from "../../profiles/health/queries.ts";
import { listLikedBriefs } from "../../profiles/likes/briefs.ts";
import { listNearestLiked } from "../../profiles/likes/nearest-liked.ts";
import { findLike, listLikedOf, listLikes } from "../../profiles/likes/queries.ts";
import { LIKE_FILTERS } from "../../profiles/likes/statements.ts";
import { findNote, listNotes, listTags } from "../../profiles/notes/queries.ts";
import { findRelation } from "../../profiles/relation.ts";
import { listBlocks } from "../../visibility/blocks/queries.ts";
import type { ViewerContext } from "../../visibility/visibility.ts";
import { openDatabase } from "./database.ts";
import { START } from "./time-cursor.ts";

let worker: TestWorker;
let me: TestMember;
beforeAll(async () => {
  worker = await startWorker();
  me = await createMember(worker);
});

/** Runs queries and returns the query plan of each statement they sent. */
async function explain(run: (db: ReturnType<typeof openDatabase>) => Promise<unknown>): Promise<string[]> {
  const { DB } = worker.env;
  const plans: string[] = [];
  const recording = createD1(async (statements) => {
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
  it("scan no table and build no automatic index", async () => {
    const brand = getBrand("ember");
    const viewerContext: ViewerContext = { brand, viewer: { profileId: me.id } as ViewerContext["viewer"] };
    const page = { after: START, limit: 21 };
    const now = Date.now();
    const plans = await explain(async (db) => {
      for (const tab of LikeTab.options) await listLikedBriefs(db, viewerContext, tab, page, now);
      for (const side of ["given", "received"] as const) await listLikes(db, viewerContext, side, "LIKE", page);
      await listLikedOf(db, viewerContext, [me.id + 1, me.id + 2]);
      await listPublishedPositions(db, viewerContext, [me.id + 1, me.id + 2], now);
      await listNewMembers(db, viewerContext, [me.id + 1, me.id + 2], now);
      await listByIds(db, { brandBit: viewerContext.brand.bit, profileId: me.id, now }, [me.id + 1, me.id + 2]);
      await findLike(db, viewerContext, me.id, me.id + 1);
      await findAccountOfMailbox(db, "a@example.test");
      await selectOwnerOfAddress(db, "a@example.test", { id: me.id, current: me.email }).execute();
      await listNotes(db, viewerContext, { text: "a", tag: "b" }, page);
      await findNote(db, viewerContext, me.id + 1);
      await listTags(db, me.id, 10);
      await listBlocks(db, viewerContext, 0, 50);
      await findRelation(db, viewerContext, me.id + 1, now);
      await listDueReminders(db, now, 10);
      await listNearestLiked(
        db,
        { brandBit: brand.bit, profileId: me.id, now },
        { centerKey: toCurveKey(0), size: 30 },
        LIKE_FILTERS,
      );
    });
    // Scans of the JSON of one row, of requested ids, and of a subquery's rows are allowed.
    const scans = plans.filter((plan) =>
      /^SCAN (?!(?:\d+ )?CONSTANT|\d+-ROW VALUES|.*VIRTUAL TABLE|\(?subquery|j\b|joined)/i.test(plan),
    );
    expect(scans).toEqual([]);
    expect(plans.filter((plan) => plan.includes("AUTOMATIC"))).toEqual([]);
  });
});
