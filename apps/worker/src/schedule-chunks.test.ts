/** Jobs whose work grows with the number of members: each handles a limited chunk at once, and a run goes on until nothing is left. */
import { DAY_MS, LIKE_RETENTION_MS } from "@lambda/contract/limits";
import { createMember } from "@lambda/testing/member";
import { insertMembers } from "@lambda/testing/members";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { forgetEndedLockdowns } from "./accounts/lockdown/queries.ts";
import { forgetNetworks } from "./accounts/queries.ts";
import { purgeDeletedAccounts } from "./data-rights/deletion/purge.ts";
import { EXPIRED, EXPIRED_BY_MINUTE } from "./data-rights/retention/expired.ts";
import { deleteOldPacks } from "./games/pack.ts";
import { type Database, openDatabase } from "./platform/db/database.ts";
import type { Env } from "./platform/env.ts";
import { deleteForgottenLikes } from "./profiles/likes/forgotten-likes.ts";
import { HOURLY } from "./schedule.ts";

let worker: TestWorker;
let env: Env;
let db: Database;
let ids: number[];
const NOW = Date.now();
/** Later than every timestamp that creating a member leaves behind. */
const LATER = NOW + 2 * LIKE_RETENTION_MS;

beforeAll(async () => {
  worker = await startWorker();
  env = worker.env;
  db = openDatabase(env.DB);
  ids = [];
  for (let created = 0; created < 5; created += 1) ids.push((await createMember(worker)).id);
  await run("update account set network = 7");
});

const run = (query: string, ...values: (string | number | null)[]) => worker.run({ query, values });
async function count(table: string, condition = "true"): Promise<number> {
  return ((await run(`select count(*) as n from ${table} where ${condition}`))[0] as { n: number }[])[0]!.n;
}

type Case = [table: string, condition: string, fill: string, runChunk: (limit: number) => Promise<unknown>];
const cases: Case[] = [
  [
    "notification",
    "true",
    "insert into notification (profile_id, kind, body_text, brand, ts_created) select id, 'like', '', 'ember', 1 from profile",
    (limit) => EXPIRED.deleteOldNotifications(db, LATER)(limit),
  ],
  ["session", "true", "select 1", (limit) => EXPIRED.deleteExpiredSessions(db, LATER)(limit)],
  [
    "login_code",
    "true",
    "insert into login_code (code_hash, purpose, email, brand, ts_expires) select cast(id as blob), 'login', '', 'ember', 1 from profile",
    (limit) => EXPIRED_BY_MINUTE.deleteExpiredCodes(db, LATER)(limit),
  ],
  [
    "age_request",
    "true",
    `insert into age_request (state_hash, account_id, method, brand, nonce, ts_expires)
      select cast(id as blob), id, 'eu-av', 'ember', '', 1 from profile`,
    (limit) => EXPIRED_BY_MINUTE.deleteExpiredAgeRequests(db, LATER)(limit),
  ],
  ["account", "network is not null", "select 1", (limit) => forgetNetworks(db, LATER, limit)],
  [
    "trip",
    "true",
    "insert into trip (profile_id, name, cell, key, day_from, day_to) select id, '', 1, 1, 1, 2 from profile",
    (limit) => EXPIRED.deletePastTrips(db, LATER)(limit),
  ],
  [
    "travel_stay",
    "true",
    "insert into travel_stay (profile_id, country, hid_member, ts_seen, ts_left) select id, 'SA', 0, 1, 1 from profile",
    (limit) => EXPIRED.deleteLeftStays(db, LATER)(limit),
  ],
  [
    "lockdown",
    "ts_until > 0",
    "insert into lockdown (account_id, ts_until) select id, 1 from profile",
    (limit) => forgetEndedLockdowns(db, LATER, limit),
  ],
  [
    "contact_message",
    "true",
    `insert into contact_message (kind, profile_id, brand, name, message, ts_created, ts_done)
      select 'contact', id, 'ember', '', '', 1, 1 from profile`,
    (limit) => EXPIRED.deleteDoneLetters(db, LATER)(limit),
  ],
  [
    "ban_mark",
    "true",
    "insert into ban_mark (case_ref, kind, mark, brand, rule, ts_created, ts_until) select 'c', 'address', id || '', 'ember', '', 1, 1 from profile",
    (limit) => EXPIRED.deleteOldBanMarks(db, LATER)(limit),
  ],
  [
    "game_pack",
    "true",
    "insert into game_pack (profile_id, game, day, items) select id, 'rating', 1, '{}' from profile",
    (limit) => deleteOldPacks(db, LATER, limit),
  ],
  [
    "exposure_recipient",
    "true",
    "insert into exposure_recipient select id, 1 from profile",
    (limit) => EXPIRED.deleteOldRecipients(db, LATER)(limit),
  ],
  [
    "picture_decline",
    "true",
    "insert into picture_decline select a.id, b.id, 0, 1 from profile a join profile b on b.id = a.id % 5 + 1 or b.id = (select min(id) from profile) and a.id <> b.id limit 5",
    (limit) => EXPIRED.deleteOldDeclines(db, LATER)(limit),
  ],
  [
    "album_grant",
    "true",
    `insert into album_grant (owner_id, member_id, state, ts_expires, ts_created)
      select id, (select max(id) from profile), 'granted', 1, 1 from profile`,
    (limit) => EXPIRED.deleteExpiredGrants(db, LATER)(limit),
  ],
  [
    "tonight",
    "true",
    "insert into tonight (profile_id, wishes, ts_until) select id, 1, 1 from profile",
    (limit) => EXPIRED.deleteEndedNights(db, LATER)(limit),
  ],
];

describe("a chunk", () => {
  it.each(cases)(
    "of %s handles two rows and leaves the others to the next",
    async (table, condition, fill, runChunk) => {
      await run(fill);
      const before = await count(table, condition);
      expect(before).toBeGreaterThan(3);
      await runChunk(2);
      expect(await count(table, condition)).toBe(before - 2);
      await runChunk(1000);
      expect(await count(table, condition)).toBe(0);
    },
  );
});

describe("a run", () => {
  it("goes on until nothing is left", async () => {
    await run(
      `with recursive n (i) as (select 1 union all select i + 1 from n where i < 2300)
       insert into notification (profile_id, kind, body_text, brand, ts_created) select ?, 'like', '', 'ember', i from n`,
      ids[0]!,
    );
    await worker.runCron(HOURLY, NOW);
    expect(await count("notification")).toBe(0);
  });

  it("deletes all forgotten likes, even if the first members have more than a chunk", async () => {
    await insertMembers(
      worker.run,
      Array.from({ length: 30 }, () => ({})),
    );
    await run("update profile set ts_seen = 1");
    await run(`insert into profile_like (liker_id, liked_id, like_type, ts_created)
      select a.id, b.id, 'DISLIKE', 1 from profile a join profile b on a.id <> b.id`);
    expect(await count("profile_like")).toBeGreaterThan(1000);
    await worker.runCron(HOURLY, LATER);
    expect(await count("profile_like")).toBe(0);
  });
});

describe("likes", () => {
  const YEAR_AGO = LATER - LIKE_RETENTION_MS - DAY_MS;
  const like = (from: number, to: number, ts: number) =>
    run("insert into profile_like (liker_id, liked_id, like_type, ts_created) values (?, ?, 'LIKE', ?)", from, to, ts);
  const forgetAll = async (now: number) => {
    while (await deleteForgottenLikes(env, db, now, 10));
  };
  const listLikes = async () =>
    (
      (await run("select liker_id as a, liked_id as b from profile_like order by 1, 2"))[0] as {
        a: number;
        b: number;
      }[]
    ).map(({ a, b }) => [ids.indexOf(a), ids.indexOf(b)]);

  beforeEach(async () => {
    await run("delete from profile_like");
    await run("update profile set ts_seen = 1, hidden = 0");
    await env.PICTURES.delete("jobs/forgotten-likes.json");
  });

  it("of members away for a year are deleted, except matches and newer likes; likes of hidden or returning members stay", async () => {
    const [away, match, present, hiding, other] = ids as [number, number, number, number, number];
    await run("update profile set ts_seen = ? where id = ?", LATER - DAY_MS, present);
    await run("update profile set hidden = 1 where id = ?", hiding);
    for (const to of [match, present, hiding, other]) await like(away, to, YEAR_AGO);
    await like(match, away, YEAR_AGO);
    await like(match, other, YEAR_AGO + 2 * DAY_MS);
    await like(present, other, YEAR_AGO);
    await like(hiding, other, YEAR_AGO);
    await forgetAll(LATER);
    expect(await listLikes()).toEqual([
      [0, 1],
      [1, 0],
      [1, 4],
      [2, 4],
      [3, 4],
    ]);
  });

  it("are checked once a week", async () => {
    await forgetAll(LATER);
    await like(ids[0]!, ids[1]!, 1);
    await forgetAll(LATER + 6 * DAY_MS);
    expect(await listLikes()).toHaveLength(1);
    await forgetAll(LATER + 7 * DAY_MS);
    expect(await listLikes()).toEqual([]);
  });
});

describe("the purge", () => {
  it("postpones an account that a new case concerns, and continues with the others", async () => {
    await run("update account set ts_deleted = 1 where id in (?, ?)", ids[0]!, ids[1]!);
    const { DB } = env;
    let isFirst = true;
    const interrupted = Object.assign(Object.create(env) as Env, {
      DB: {
        prepare: (query: string) => DB.prepare(query),
        batch: (statements: D1PreparedStatement[]) => {
          if (!isFirst) return DB.batch(statements);
          isFirst = false;
          return Promise.reject(new Error("D1_ERROR: malformed JSON"));
        },
      } as D1Database,
    });
    await purgeDeletedAccounts(interrupted, db, LATER, 10);
    expect(await count("account", `id in (${ids[0]}, ${ids[1]})`)).toBe(1);
    await purgeDeletedAccounts(env, db, LATER, 10);
    expect(await count("account", `id in (${ids[0]}, ${ids[1]})`)).toBe(0);
  });
});
