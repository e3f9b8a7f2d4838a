import type { GameReview } from "@lambda/contract/games";
import { createMember } from "@lambda/testing/member";
import { startWorker } from "@lambda/testing/worker";
import { expect, it } from "vitest";
import { versionOf } from "./items.ts";

it("staff see who waits, however many others edited their texts since", async () => {
  const worker = await startWorker();
  const admin = await createMember(worker, { adminBrand: "ember" });
  const text = "A text that voters could not decide about, long enough to be one.";
  const waiting = await createMember(worker, { description: text });
  const insert = (subject: number, version: number, since: number) =>
    worker.run({
      query: `insert into game_item (game, subject_id, version, staff_reason, ts_staff, ts_created) values ('buster', ?, ?, 'thin', ?, 1)`,
      values: [subject, version, since],
    });
  // More than any one read takes, of members who edited their texts again and again.
  const edited = await createMember(worker, { description: "Another text since" });
  await worker.run({
    query: `with recursive n (v) as (select 1 union all select v + 1 from n where v < 1300)
      insert into game_item (game, subject_id, version, staff_reason, ts_staff, ts_created) select 'buster', ?, v, 'thin', v, 1 from n`,
    values: [edited.id],
  });
  await insert(waiting.id, versionOf(text), 2000);
  const reviews = await admin.get<GameReview[]>("/api/games/reviews");
  expect(reviews.map((review) => review.text)).toEqual([text]);
  const decided = await admin.send("POST", "/api/games/reviews", { itemId: reviews[0]!.itemId, answer: "person" });
  expect(decided.status).toBe(200);
});
