import { DAY_MS } from "@lambda/contract/limits";
import { createMember } from "@lambda/testing/member";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";

let worker: TestWorker;
beforeAll(async () => {
  worker = await startWorker();
});

const COUNT = 12;
const countNotifications = async (kind: string) =>
  (
    await worker.run({
      query: "select profile_id, count(*) as n from notification where kind = ? group by 1",
      values: [kind],
    })
  )[0]!;
const runConcurrently = (cron: string, now: number) =>
  Promise.all([worker.runCron(cron, now), worker.runCron(cron, now)]);

async function createMembers(): Promise<number[]> {
  const ids = [];
  for (let count = 0; count < COUNT; count += 1)
    ids.push((await createMember(worker, { created: Date.now() - 40 * DAY_MS })).id);
  return ids;
}

describe("two concurrent runs of the schedule", () => {
  it("remind each member of their test once, and a later run reminds nobody", async () => {
    const ids = await createMembers();
    const now = Date.now();
    for (const id of ids)
      await worker.run({
        query: "insert into health_panel (profile_id, reminder_months, ts_reminder) values (?, 3, ?)",
        values: [id, now],
      });
    await runConcurrently("17 3 * * *", now + 1);
    await worker.runCron("17 3 * * *", now + 2);
    expect((await countNotifications("reminder")).map(({ n }) => n)).toEqual(Array(COUNT).fill(1));
  });

  it("deliver each health notice once", async () => {
    const ids = await createMembers();
    const now = Date.now();
    // Enough partners, or the notice would reveal its sender.
    const others = await createMembers();
    for (const id of ids) {
      for (const other of others.slice(0, 5)) {
        await worker.run({
          query: `insert or ignore into conversation (profile_id, other_id, last_message_id)
            values (?, ?, (select coalesce(max(id), 1) from message))`,
          values: [id, other],
        });
        for (let message = 0; message < 12; message += 1) {
          const [from, to] = message % 2 ? [id, other] : [other, id];
          await worker.run({
            query: `insert into message (sender_id, recipient_id, low_id, high_id, client_id, brand, ts_created)
              values (?, ?, min(?1, ?2), max(?1, ?2), ?, 'ember', ?)`,
            values: [from, to, crypto.randomUUID(), now - 2 * DAY_MS],
          });
        }
      }
      await worker.run({
        query: "insert into exposure_notice (id, recipient_id, brand, ts_due, ts_expires) values (?, ?, 'ember', 1, ?)",
        values: [crypto.randomUUID(), id, now + DAY_MS],
      });
    }
    await runConcurrently("* * * * *", now);
    await worker.runCron("* * * * *", now + 1);
    const notified = await countNotifications("exposure");
    expect(notified.length).toBeGreaterThan(0);
    expect(notified.every(({ n }) => n === 1)).toBe(true);
  });

  it("lift an action once, with one audit entry", async () => {
    const [id] = await createMembers();
    const now = Date.now();
    await worker.run({
      query: `insert into moderation_action (case_ref, profile_id, brand, kind, rule, reason, by_jury, ts_created, ts_until)
        values ('twice', ?, 'ember', 'suspend', 'spam', '', 0, ?, ?)`,
      values: [id!, now - DAY_MS, now - 1],
    });
    await runConcurrently("* * * * *", now);
    expect(await countNotifications("standing")).toEqual([{ profile_id: id, n: 1 }]);
    const [entries] = await worker.run({
      query: "select count(*) as n from audit_entry where action = 'lift.suspend'",
    });
    expect(entries).toEqual([{ n: 1 }]);
  });
});
