/** No read and no job may cost more because the site grew: all of them are measured at one size and at ten times of everything. */

import { sectorOfPoint } from "@lambda/geo/sector";
import { listInputs, listReads } from "@lambda/testing/adversary/read-everything";
import { createD1 } from "@lambda/testing/d1";
import { createMember, type TestMember } from "@lambda/testing/member";
import { uploadPicture } from "@lambda/testing/pictures";
import { listProcedures } from "@lambda/testing/procedures";
import { PHOENIX, readCost } from "@lambda/testing/scenes/positions";
import { FIRST_SEEDED_ID, padAutoincrement, seedMembers, seedRelations } from "@lambda/testing/seeded-community";
import type { Row } from "@lambda/testing/sql";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Env } from "./platform/env.ts";
import { appRouter } from "./router.ts";
import { EVERY_MINUTE, HOURLY, NIGHTLY, runSchedule } from "./schedule.ts";

const SIZES = [300, 3000] as const;
/** Beyond the ratio: what chance adds to few rows. */
const SLACK_ROWS = 15;
const RATIO_MAX = 1.2;

/** What may grow, by the name of a call or a part of a job's statement, and why. */
const MAY_GROW: Readonly<Record<string, string>> = {
  'arbitration.precedents {"text"': "examines at most 500 precedents, then ends with a cursor",
  "exposure.partners": "all conversations of the member, whom only a notice about his own health lets ask",
  "messages.search": "examines at most 500 messages, then ends with a cursor",
  "messages.area": "passes over all posts of members who hide: a page that ended at one would tell when they post",
  "messages.bySector": "the same",
  "positions.aggregates": "three rows for each of the member's own blocks",
  "positions.byBounds": "a page of 500, of which the small site has fewer",
  'select "key" from "presence"': "the nightly density of everybody, in chunks",
  '"cooties_player"': "every player once an hour, in chunks",
  "exists (select 1 from report_filing f where f.report_id = r.id and f.category": "open cases that only staff decide",
  "select pos.key >> 34": "all public pictures, once a night: laws ask for the share of explicit ones",
  "INSERT INTO presence_count": "one row of counts for each region with members",
  '"name_skeleton"': "names that were stored before skeletons were, once; the seeded ones have none",
  'positions.nearest {"size":100,"':
    "examines at most 200 members, nearly all of the small site; on a globe this empty they are read without density",
};

let worker: TestWorker;
let me: TestMember;
let admin: TestMember;
/** Rows read by name, at each size. */
const calls = new Map<string, number[]>();
const statements = new Map<string, number[]>();

const note = (costs: Map<string, number[]>, name: string, size: number, rows: number) => {
  const known = costs.get(name) ?? SIZES.map(() => 0);
  known[size] = (known[size] ?? 0) + rows;
  costs.set(name, known);
};

const run = (query: string, ...values: unknown[]) =>
  worker.env.DB.prepare(query)
    .bind(...values)
    .run();

/** What the community's members did to each other and to `me`, in the same proportion at each size. */
async function seedRest(from: number, to: number) {
  const ids = `with recursive n(id) as (select ${FIRST_SEEDED_ID + from} union all select id + 1 from n where id < ${FIRST_SEEDED_ID + to - 1})`;
  const now = Date.now();
  for (const [query, ...values] of [
    // Old conversations of the member, and members who are blocked, hide, or wrote on the map before they hid.
    [
      `insert into message (sender_id, recipient_id, low_id, high_id, client_id, body_text, brand, ts_created)
        ${ids} select id, ?1, min(id, ?1), max(id, ?1), 'old', 'Hello', 'ember', 1 from n where id % 4 = 1`,
      me.id,
    ],
    [
      `insert or ignore into conversation (profile_id, other_id, last_message_id, unread)
        select recipient_id, sender_id, id, 0 from message where client_id = 'old' and sender_id >= ?1`,
      FIRST_SEEDED_ID + from,
    ],
    [
      `insert or ignore into block (profile_id, other_id, blocked_by_profile, blocked_by_other, ts_created) ${ids} select ?1, id, 1, 0, 1 from n where id % 10 = 7`,
      me.id,
    ],
    [
      `insert or ignore into block (profile_id, other_id, blocked_by_profile, blocked_by_other, ts_created) ${ids} select id, ?1, 0, 1, 1 from n where id % 10 = 7`,
      me.id,
    ],
    [
      `insert into notification (profile_id, kind, about_id, body_text, brand, ts_created) ${ids} select ?1, 'like', id, 'x', 'ember', 1 from n`,
      me.id,
    ],
    [
      `insert into message (sender_id, client_id, body_text, brand, sector, ts_created)
        ${ids} select id, 'hidden', 'Hello all', 'ember', ?1, 1 from n where id % 10 = 9`,
      sectorOfPoint(PHOENIX),
    ],
    [
      `update profile set hidden = 1 where id % 10 = 9 and id between ?1 and ?2`,
      FIRST_SEEDED_ID + from,
      FIRST_SEEDED_ID + to - 1,
    ],
    // Cases, most of them decided, with what belongs to them.
    [
      `insert into report (case_ref, brand, subject_id, source, source_id, category, severity, priority, state, outcome, ts_created, ts_decided)
        ${ids} select 'C' || id, 'ember', id, 'profile', id, 'spam', 1, id % 7, iif(id % 4 = 0, 'staff', 'decided'), iif(id % 4 = 0, null, 'warn'), id, iif(id % 4 = 0, null, ?1) from n`,
      now - 100 * 86_400_000,
    ],
    [
      `insert into moderation_action (profile_id, report_id, case_ref, brand, kind, rule, reason, by_jury, ts_created)
        select subject_id, id, case_ref, brand, 'warn', 'spam', 'Too much', 0, 1 from report where outcome = 'warn' and subject_id >= ?1`,
      FIRST_SEEDED_ID + from,
    ],
    [
      `insert into precedent (report_id, brand, category, outcome, summary, ts_decided) select id, brand, category, outcome, 'A case', 1 from report where outcome = 'warn' and subject_id >= ?1`,
      FIRST_SEEDED_ID + from,
    ],
    [
      `insert into contact_message (kind, brand, name, message, ts_created) ${ids} select 'contact', 'ember', 'N', 'M', 1 from n`,
    ],
  ] as const) {
    await run(query, ...values);
  }
}

/** The calls that answered, at each size. */
const answered = SIZES.map(() => new Set<string>());

async function measureCalls(size: number) {
  const context = { ...PHOENIX, caseRef: `C${FIRST_SEEDED_ID + 1}`, text: "Hello" };
  const friend = FIRST_SEEDED_ID + 10;
  const all = listProcedures(appRouter).filter(({ type }) => type === "query");
  const reads = new Set(listReads(appRouter).map(({ name }) => name));
  for (const procedure of all) {
    const by = reads.has(procedure.name) ? me : admin;
    for (const input of listInputs(procedure, by.id, friend, context)) {
      const ask = () => by.fetch(`/trpc/${procedure.name}?input=${encodeURIComponent(JSON.stringify(input))}`);
      // The first may read what the isolate keeps for a while, such as the density of an area.
      if (!(await ask()).ok) continue;
      answered[size]?.add(`${procedure.name} ${JSON.stringify(input)}`);
      const response = await ask();
      note(calls, `${procedure.name} ${JSON.stringify(input)}`, size, readCost(response, "rows-read"));
    }
  }
}

/** Runs each schedule once so that what is due is done, and measures the next run. */
async function measureJobs(size: number) {
  let isMeasured = false;
  const DB = createD1(async (list) => {
    const response = await worker.fetch("http://ember.localhost/dev/sql", {
      method: "POST",
      body: JSON.stringify({ batch: list }),
    });
    if (!response.ok) throw new Error(await response.text());
    const rows = JSON.parse(response.headers.get("x-d1-rows-read") ?? "[]") as number[];
    if (isMeasured)
      for (const [at, { query }] of list.entries()) note(statements, query.replace(/\s+/g, " "), size, rows[at]!);
    return ((await response.json()) as Row[][]).map((results) => ({ results }));
  });
  const withSession = () => ({ prepare: worker.env.DB.prepare, getBookmark: () => null });
  const env = Object.assign(Object.create(worker.env) as Env, { DB: Object.assign(DB, { withSession }) });
  for (const cron of [EVERY_MINUTE, HOURLY, NIGHTLY]) {
    for (isMeasured of [false, true]) await runSchedule(cron, env, Date.now());
  }
}

beforeAll(async () => {
  vi.stubGlobal("__DEVELOPMENT__", false);
  worker = await startWorker();
  await padAutoincrement(worker.run);
  me = await createMember(worker, { name: "Me" });
  admin = await createMember(worker, { adminBrand: "*" });
  const ownPicture = (await uploadPicture(me)).id;
  let members = 0;
  for (const [index, size] of SIZES.entries()) {
    await seedMembers(worker.run, members, size);
    await seedRelations(worker.run, me.id, ownPicture, members > 0);
    await seedRest(members, size);
    members = size;
    await worker.runCron(HOURLY);
    // An isolate's first search of an area also reads the density.
    await me.fetch("/api/profile-briefs/nearest");
    await measureCalls(index);
    await measureJobs(index);
  }
}, 240_000);
afterAll(() => vi.unstubAllGlobals());

function listGrowing(costs: ReadonlyMap<string, readonly number[]>): string[] {
  return [...costs]
    .filter(([, [small = 0, large = 0]]) => large > small * RATIO_MAX + SLACK_ROWS)
    .filter(([name]) => !Object.keys(MAY_GROW).some((part) => name.includes(part)))
    .map(([name, sizes]) => `${sizes.join(" → ")}: ${name.slice(0, 240)}`);
}

it("no call reads more rows on a site ten times as large", { tags: "slow" }, () => {
  expect(calls.size).toBeGreaterThan(100);
  // One that fails on the large site reads nothing there.
  expect(answered[1]).toEqual(answered[0]);
  expect(listGrowing(calls)).toEqual([]);
});

it("no job reads more rows on a site ten times as large", { tags: "slow" }, () => {
  expect(statements.size).toBeGreaterThan(50);
  expect(listGrowing(statements)).toEqual([]);
});
