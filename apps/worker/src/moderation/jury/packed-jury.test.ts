/** Attacks on juries by one person with several accounts: picking the jurors, or trying again until one jury agrees. */
import { DAY_MS } from "@lambda/contract/limits";
import { castVotes, guilty, innocent, listSummonedJurors } from "@lambda/testing/juries";
import { createJuryPool } from "@lambda/testing/jury-pool";
import { createMember, type TestMember } from "@lambda/testing/member";
import { uploadPicture } from "@lambda/testing/pictures";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, describe, expect, it } from "vitest";

let worker: TestWorker;
beforeEach(async () => {
  worker = await startWorker();
});

const run = (sql: string, ...values: unknown[]) =>
  worker.env.DB.prepare(sql)
    .bind(...values)
    .run();
const first = (sql: string, ...values: unknown[]) =>
  worker.env.DB.prepare(sql)
    .bind(...values)
    .first();
const file = (by: TestMember, subject: TestMember, category = "hate", more: object = {}) =>
  by.send("POST", "/api/report", { subjectProfileId: subject.id, category, ...more });
const stateOf = () =>
  first(
    "select r.state, r.staff_reason from report r join report_filing f on f.report_id = r.id order by f.ts_created desc limit 1",
  );

/** The attacker's accounts that are eligible as jurors: at least forty days old, active, each on its own network. */
async function makeSockpuppets(count: number): Promise<Set<number>> {
  const ids = new Set<number>();
  for (let index = 0; index < count; index += 1) {
    const { id } = await createMember(worker, { created: Date.now() - (40 + index * 3) * DAY_MS });
    ids.add(id);
    await run("update account set network = ? where id = ?", 60_000 + index, id);
    await run("update profile set ts_seen = ? where id = ?", Date.now(), id);
    await run(
      "insert into conversation (profile_id, other_id, last_message_id) select ?, id, 0 from profile where id <> ? limit 3",
      id,
      id,
    );
  }
  return ids;
}

describe("a packed jury", () => {
  it("cannot be created by disliking everyone but one's own accounts", async () => {
    await createJuryPool(worker.run);
    const sockpuppets = await makeSockpuppets(6);
    const [victim, reporter] = [await createMember(worker), await createMember(worker)];
    await run(
      `insert into profile_like (liker_id, liked_id, like_type, ts_created) select ?, id, 'DISLIKE', 1 from profile
       where id <> ? and id not in (select value from json_each(?))`,
      reporter.id,
      reporter.id,
      JSON.stringify([...sockpuppets]),
    );
    expect((await file(reporter, victim)).status).toBe(201);
    const seats = await listSummonedJurors(worker);
    expect(seats).toHaveLength(9);
    expect(seats.filter(({ juror }) => sockpuppets.has(juror.id)).length).toBeLessThanOrEqual(3);
    await castVotes(seats, (index) => (sockpuppets.has(seats[index]!.juror.id) ? guilty("suspend_30") : innocent));
    expect(await first("select status from profile where id = ?", victim.id)).toEqual({ status: "active" });
    expect(await first("select count(*) n from moderation_action")).toEqual({ n: 0 });
  });

  it("cannot be created by a guilty member who writes to, blocks and notes everyone else", async () => {
    await createJuryPool(worker.run);
    const sockpuppets = await makeSockpuppets(6);
    const [guiltyMember, reporter] = [await createMember(worker), await createMember(worker)];
    const others = `select id from profile where id not in (${guiltyMember.id}, ${[...sockpuppets].join()})`;
    await run(
      `insert into block (profile_id, other_id, blocked_by_profile, blocked_by_other, ts_created) select ?, id, 1, 0, 1 from (${others}) where id % 2`,
      guiltyMember.id,
    );
    await run(
      `insert into block (profile_id, other_id, blocked_by_profile, blocked_by_other, ts_created) select id, ?, 0, 1, 1 from (${others}) where id % 2`,
      guiltyMember.id,
    );
    await run(
      `insert into profile_note (author_id, about_id, ts_updated) select ?, id, 1 from (${others})`,
      guiltyMember.id,
    );
    await run(
      `insert into message (sender_id, recipient_id, low_id, high_id, client_id, brand, ts_created)
       select ?1, id, min(id, ?1), max(id, ?1), 'c' || id, 'ember', 1 from (${others})`,
      guiltyMember.id,
    );
    await run(
      "insert into conversation (profile_id, other_id, last_message_id) select recipient_id, sender_id, id from message",
    );
    await run("delete from block where profile_id = ? or other_id = ?", reporter.id, reporter.id);
    expect((await file(reporter, guiltyMember)).status).toBe(201);
    const seats = await listSummonedJurors(worker);
    expect(seats).toHaveLength(9);
    expect(seats.filter(({ juror }) => sockpuppets.has(juror.id)).length).toBeLessThanOrEqual(3);
  });

  it("is never drawn from a pool that is too small, emptied by a side, or filled with new accounts", async () => {
    const [victim, reporter] = [await createMember(worker), await createMember(worker)];
    await file(reporter, victim);
    expect(await stateOf()).toEqual({ state: "staff", staff_reason: "few" });

    await createJuryPool(worker.run);
    await run(
      `insert into profile_like (liker_id, liked_id, like_type, ts_created) select id, ?, 'LIKE', 1 from profile
       where profile_name like 'Juror%' and id % 7 = 0`,
      reporter.id,
    );
    await file(reporter, await createMember(worker));
    expect(await stateOf()).toEqual({ state: "staff", staff_reason: "contact" });

    await run(`update account set ts_created = ? where email like 'juror-%' and id % 5 < 2`, Date.now() - 45 * DAY_MS);
    await file(await createMember(worker), await createMember(worker));
    expect(await stateOf()).toEqual({ state: "staff", staff_reason: "recent" });
    expect(await first("select count(*) n from juror")).toEqual({ n: 0 });
  });
});

describe("one jury after another", () => {
  it("cannot be drawn by twenty reports in a day: they join one case, draw one jury and count once", async () => {
    await createJuryPool(worker.run);
    const [victim, reporter] = [await createMember(worker), await createMember(worker)];
    const picture = await uploadPicture(victim);
    const rules = [
      "hate",
      "hate",
      "spam",
      "scam",
      "bot",
      "other",
      "explicit",
      "behaviour",
      "harassment",
      "impersonation",
    ];
    const statuses: number[] = [];
    for (const [index, rule] of [...rules, ...rules].entries()) {
      const more = index >= rules.length ? { source: "picture", sourceId: picture.id } : {};
      statuses.push((await file(reporter, victim, rule, { text: `No. ${index}`, ...more })).status);
    }
    expect(statuses).toEqual(statuses.map(() => 201));
    expect(await first("select count(*) n, sum(filings) filings from report")).toEqual({ n: 1, filings: 1 });
    expect(await first("select count(*) n from juror")).toEqual({ n: 9 });
    expect(await first("select credibility from report")).toEqual({ credibility: 0.5 });
    expect((await file(reporter, victim)).status).toBe(429);
  });

  it("cannot be drawn by reporting a cleared member again, or by a reporter who is never right", async () => {
    await createJuryPool(worker.run);
    const [victim, reporter] = [await createMember(worker), await createMember(worker)];
    const admin = await createMember(worker, { adminBrand: "ember" });
    await file(reporter, victim);
    await castVotes(await listSummonedJurors(worker), () => innocent);
    expect(await first("select state, outcome from report")).toEqual({ state: "decided", outcome: "none" });
    const again = await file(await createMember(worker), victim, "spam");
    expect([again.status, await stateOf()]).toEqual([201, { state: "staff", staff_reason: "cleared" }]);

    for (let round = 0; round < 2; round += 1) {
      const { id } = (await (await file(reporter, await createMember(worker), "threat")).json()) as { id: number };
      expect((await admin.send("POST", `/api/admin/report/${id}/dismiss`, { reason: "Nothing" })).status).toBe(200);
    }
    await file(reporter, await createMember(worker));
    expect(await stateOf()).toEqual({ state: "staff", staff_reason: "record" });
    // An appeal cannot bring a dismissal by staff before a jury either.
    const dismissed = await reporter.get<{ id: number; outcome: string }[]>("/api/reports/mine");
    const last = dismissed.find((report) => report.outcome === "none")!;
    expect(
      (await reporter.send("POST", `/api/report/${last.id}/appeal`, { text: "Look again, all of you." })).status,
    ).toBe(201);
    expect(await first("select count(*) n from juror where state = 'summoned'")).toEqual({ n: 0 });
  });

  it("cannot be drawn by reporting one's own account for something harmless that a jury would clear", async () => {
    await createJuryPool(worker.run);
    const [guiltyMember, sockpuppet, reporter] = [
      await createMember(worker),
      await createMember(worker),
      await createMember(worker),
    ];
    await file(sockpuppet, guiltyMember, "spam");
    await file(reporter, guiltyMember, "harassment");
    expect(await first("select count(*) n, max(state) state, max(staff_reason) reason from report")).toEqual({
      n: 1,
      state: "staff",
      reason: "joined",
    });
    expect(await listSummonedJurors(worker)).toEqual([]);
  });

  it("removes a juror who reports the same member", async () => {
    await createJuryPool(worker.run);
    const [subject, reporter] = [await createMember(worker), await createMember(worker)];
    await file(reporter, subject);
    const [seat] = await listSummonedJurors(worker);
    expect((await file(seat!.juror, subject)).status).toBe(201);
    expect(await first("select state from juror where profile_id = ?", seat!.juror.id)).toEqual({ state: "excused" });
    expect((await listSummonedJurors(worker)).length).toBe(8);
  });
});
