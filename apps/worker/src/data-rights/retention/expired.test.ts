import { DAY_MS } from "@lambda/contract/limits";
import { createMember } from "@lambda/testing/member";
import { startWorker } from "@lambda/testing/worker";
import { expect, it } from "vitest";
import { HOURLY } from "../../schedule.ts";

/** In days and in words, as docs/law/record-of-processing.md promises them: the constants of the code could change without it. */
it.each([
  ["notification", 90, "(profile_id, kind, body_text, brand, ts_created) values (?1, 'like', '', 'ember', ?2)"],
  ["travel_stay", 30, "(profile_id, country, hid_member, ts_seen, ts_left) values (?1, 'UG', 0, 1, ?2)"],
  ["exposure_recipient", 30, `(recipient_id, day) values (?1, cast(?2 / ${DAY_MS} as integer))`],
  [
    "trip",
    2,
    `(profile_id, name, cell, key, day_from, day_to) values (?1, '', 0, 0, 1, cast(?2 / ${DAY_MS} as integer))`,
  ],
  ["tonight", 0, "(profile_id, wishes, ts_until) values (?1, 1, ?2)"],
])("of %s nothing is kept longer than %i days", async (table, days, row) => {
  const worker = await startWorker();
  const [old, young] = [await createMember(worker), await createMember(worker)];
  const now = Date.now();
  for (const [{ id }, age] of [
    [old, days + 1.01],
    [young, days - 1.01],
  ] as const)
    await worker.env.DB.prepare(`insert into ${table} ${row}`)
      .bind(id, Math.floor(now - age * DAY_MS))
      .run();
  await worker.runCron(HOURLY, now);
  const owner = table === "exposure_recipient" ? "recipient_id" : "profile_id";
  const { results } = await worker.env.DB.prepare(`select ${owner} as id from ${table} where ${owner} in (?, ?)`)
    .bind(old.id, young.id)
    .all();
  expect(results).toEqual([{ id: young.id }]);
});
