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
  for (let count = 0; count < 60; count += 1)
    await insert((await createMember(worker, { description: "Another text since" })).id, 1, count);
  await insert(waiting.id, versionOf(text), 100);
  const reviews = await admin.get<GameReview[]>("/api/games/reviews");
  expect(reviews.map((review) => review.text)).toEqual([text]);
  const decided = await admin.send("POST", "/api/games/reviews", { itemId: reviews[0]!.itemId, answer: "person" });
  expect(decided.status).toBe(200);
});
