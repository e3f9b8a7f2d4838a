/** Jobs that handle one item after another: they stop at their share of the budget, and an item that fails in every run stops no other. */
import { createMember } from "@lambda/testing/member";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, expect, it } from "vitest";
import { purgeDeletedAccounts } from "./data-rights/deletion/purge.ts";
import { deleteDueVoices, deleteRemovedIntroductions } from "./messaging/voices/store.ts";
import { liftDueActions } from "./moderation/action/actions.ts";
import { eraseHolds } from "./moderation/hold/erase.ts";
import { maintainJuries } from "./moderation/jury/votes.ts";
import { deleteRemovedPictures, mailForwardedOutcomes } from "./moderation/notices/jobs.ts";
import { matchPendingNotices } from "./moderation/notices/match.ts";
import { type Budget, createBudget, runInTurns } from "./platform/db/chunked-jobs.ts";
import { openDatabase } from "./platform/db/database.ts";
import type { Env } from "./platform/env.ts";
import { sendTestReminders } from "./profiles/health/remind.ts";
import { countMet } from "./profiles/met/queries.ts";

let worker: TestWorker;
let ids: number[];
const NOW = Date.now();

beforeAll(async () => {
  worker = await startWorker();
  ids = [];
  for (let created = 0; created < 3; created += 1) ids.push((await createMember(worker)).id);
});

const run = (query: string) => worker.run({ query });

type Case = [
  name: string,
  /** What the job does with each item, which fails for one of them. */
  write: { event: "update" | "delete"; table: string; key: string },
  /** Adds one due item for each member, with the member's id as its key. */
  fill: string[],
  /** Selects the keys of the items that are still due. */
  left: string,
  runJob: (env: Env) => Promise<unknown>,
];
const cases: Case[] = [
  [
    "countMet",
    { event: "update", table: "met_shown", key: "profile_id" },
    ["insert into met_shown (profile_id, viewer_id, ts_next) select id, id, 1 from profile"],
    "select profile_id as key from met_shown where ts_next = 1",
    (env) => countMet(env, NOW, 1000),
  ],
  [
    "liftDueActions",
    { event: "update", table: "moderation_action", key: "profile_id" },
    [
      `insert into moderation_action (profile_id, case_ref, brand, kind, rule, reason, by_jury, ts_created, ts_until)
       select id, 'x', 'ember', 'suspend', 'spam', '', 0, 1, 2 from profile`,
    ],
    "select profile_id as key from moderation_action where ts_lifted is null",
    (env) => liftDueActions(env, NOW),
  ],
  [
    "maintainJuries",
    { event: "update", table: "jury", key: "id" },
    [
      `insert into report (id, case_ref, brand, subject_id, source, source_id, category, severity, state, ts_created)
       select id, 'case' || id, 'ember', id, 'profile', id, 'spam', 1, 'jury', 1 from profile`,
      "insert into jury (id, report_id, round, state, ts_opened) select id, id, 1, 'open', 1 from profile",
      "insert into juror (jury_id, profile_id, state, ts_summoned) select id, id, 'excused', 1 from profile",
    ],
    "select id as key from jury where state = 'open'",
    (env) => maintainJuries(env, NOW),
  ],
  [
    "matchPendingNotices",
    { event: "update", table: "notice", key: "id" },
    [
      `insert into notice (id, ref, case_ref, brand, kind, category, locale, ts_created, ts_confirmed)
       select id, 'ref' || id, 'case' || id, 'ember', 'illegal', 'threat', 'en', 1, 1 from profile`,
    ],
    "select id as key from notice where ts_matched is null",
    (env) => matchPendingNotices(env, NOW),
  ],
  [
    "mailForwardedOutcomes",
    { event: "update", table: "notice", key: "id" },
    [
      `insert or replace into report (id, case_ref, brand, subject_id, source, source_id, category, severity, state, outcome, ts_created, ts_decided)
       select id, 'case' || id, 'ember', id, 'profile', id, 'spam', 1, 'decided', 'none', 1, 2 from profile`,
      `insert or replace into notice (id, ref, case_ref, brand, kind, category, locale, state, report_id, ts_created, ts_decided)
       select id, 'ref' || id, 'case' || id, 'ember', 'illegal', 'threat', 'en', 'forwarded', id, 1, 2 from profile`,
    ],
    "select id as key from notice where ts_notified is null",
    (env) => mailForwardedOutcomes(env, NOW),
  ],
  [
    "deleteRemovedPictures",
    { event: "update", table: "notice_picture", key: "picture_id" },
    [
      `insert or replace into notice (id, ref, case_ref, brand, kind, category, locale, state, ts_created, ts_decided)
       select id, 'ref' || id, 'case' || id, 'ember', 'intimate', 'intimate', 'en', 'removed', 1, 2 from profile`,
      `insert into notice_picture (notice_id, picture_id, profile_id, version, state, ts_created)
       select id, id, id, 1, 'removed', 1 from profile`,
    ],
    "select picture_id as key from notice_picture where state = 'removed'",
    (env) => deleteRemovedPictures(env, NOW, 10),
  ],
  [
    "eraseHolds",
    { event: "delete", table: "legal_hold", key: "report_id" },
    [
      `insert into legal_hold (hold_ref, report_id, case_ref, brand, rule, reason, key_version, salt, ts_started, ts_until)
       select 'hold' || id, id, 'case' || id, 'ember', 'minor', '', 1, '', 1, 2 from profile`,
    ],
    "select report_id as key from legal_hold",
    (env) => eraseHolds(env, NOW),
  ],
  [
    "deleteDueVoices",
    { event: "delete", table: "voice", key: "profile_id" },
    [
      `insert into voice (profile_id, client_id, r2_key, mime, bytes, duration_ms, peaks, ts_created, ts_due)
       select id, '', 'voices/' || id, 'audio/webm', 1, 1, '[]', 1, 2 from profile`,
    ],
    "select profile_id as key from voice",
    (env) => deleteDueVoices(env, openDatabase(env.DB), NOW),
  ],
  [
    "deleteRemovedIntroductions",
    { event: "update", table: "profile_voice", key: "profile_id" },
    [
      `insert into profile_voice (profile_id, id, audience, r2_key, mime, bytes, duration_ms, peaks, removed, ts_created)
       select id, id, 'public', 'voices/' || id, 'audio/webm', 1, 1, '[]', 1, 1 from profile`,
    ],
    "select profile_id as key from profile_voice where removed = 1",
    (env) => deleteRemovedIntroductions(env, openDatabase(env.DB)),
  ],
  [
    "sendTestReminders",
    { event: "update", table: "health_panel", key: "profile_id" },
    ["insert into health_panel (profile_id, reminder_months, ts_reminder) select id, 3, 1 from profile"],
    "select profile_id as key from health_panel where ts_reminder = 1",
    (env) => sendTestReminders(env, NOW, 10),
  ],
  // Last, because it deletes members.
  [
    "purgeDeletedAccounts",
    { event: "delete", table: "account", key: "id" },
    ["update account set ts_deleted = 1"],
    "select id as key from account where email not like 'purged:%'",
    (env) => purgeDeletedAccounts(env, openDatabase(env.DB), NOW, 10),
  ],
];

const NO_BUDGET: Budget = {
  ...createBudget({ trips: 0, calls: 0 }),
  isLeft: () => false,
  share: () => () => false,
};

it.each(cases)(
  "%s leaves what is beyond its share due, and handles the items after a failing one",
  async (_, write, fill, left, runJob) => {
    const { env } = worker;
    const broken = ids[1]!;
    for (const statement of fill) await run(statement);
    const fail = (_name: string, error: unknown) => expect.unreachable(String(error));
    await runInTurns({ job: () => runJob(env) }, NO_BUDGET, fail);
    expect((await run(left))[0]).toHaveLength(ids.length - 1);
    await env.DB.exec(
      `create trigger broken before ${write.event} on ${write.table} when old.${write.key} = ${broken} begin select raise(abort, 'broken'); end`,
    );
    try {
      await expect(runJob(env)).rejects.toThrow("broken");
      expect(await run(left)).toEqual([[{ key: broken }]]);
    } finally {
      await env.DB.exec("drop trigger broken");
    }
  },
);
