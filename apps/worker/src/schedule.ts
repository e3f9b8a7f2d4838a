import { NOTIFICATION_KEPT_MS, PURGES_AT_ONCE } from "@lambda/contract/limits";
import { deleteOldRecipients, deleteOldSalts, deliverExposureNotices } from "./community/exposure/send.ts";
import { refreshSquares } from "./community/games/near.ts";
import { deleteOldPacks } from "./community/games/pack.ts";
import { countVoters } from "./community/games/pool.ts";
import { escalateLateReviews } from "./community/games/review-request.ts";
import { detectVoteCollusion } from "./community/games/vote-collusion.ts";
import { purgeDeletedAccounts } from "./data-rights/deletion/purge.ts";
import { deleteExpiredCodes, forgetNetworks } from "./members/accounts/queries.ts";
import { deleteExpiredAgeRequests } from "./members/age/queries.ts";
import { deleteOldBanMarks } from "./members/bans/marks.ts";
import { deleteDoneLetters } from "./members/contact/queries.ts";
import { forgetEndedLockdowns } from "./members/lockdown/queries.ts";
import { deleteExpiredSessions } from "./members/sessions/sessions.ts";
import { eraseOldTravel } from "./members/travel/queries.ts";
import { liftDueActions } from "./moderation/action/lift-due.ts";
import { openReturnCases } from "./moderation/bans/open-cases.ts";
import { deleteSettledMatches } from "./moderation/bans/settled.ts";
import { deleteOrphanedEvidence, deleteSettledEvidence } from "./moderation/evidence/freeze.ts";
import { startMissingHolds } from "./moderation/hold/automatic.ts";
import { eraseHolds } from "./moderation/hold/erase.ts";
import { maintainJuries } from "./moderation/jury/maintain.ts";
import { openMatchedCases } from "./moderation/known-pictures/open-cases.ts";
import { callStaff, deleteRemovedPictures, eraseOldNotices, tellForwarded } from "./moderation/notice/clock.ts";
import { matchLeftNotices } from "./moderation/notice/match.ts";
import { countExplicitShare } from "./moderation/staff/explicit-share.ts";
import { commitDays, openDays } from "./moderation/transparency/days.ts";
import { leaveMap, moveOnMap } from "./places/areas/area.ts";
import { keepDensity } from "./places/positions/density.ts";
import { deleteExpiredPositions, publishPending } from "./places/positions/queries.ts";
import { reconcileSquareCounts } from "./places/positions/statements.ts";
import { measureBackup } from "./platform/backup/age.ts";
import { backUpDatabases } from "./platform/backup/database.ts";
import { copyPictures } from "./platform/backup/pictures.ts";
import { belongTogether, renewBucketMark } from "./platform/bucket/mark.ts";
import { emptyTrash, restoreTrash } from "./platform/bucket/trash.ts";
import { type Database, openDatabase } from "./platform/db/database.ts";
import { measureMessageDatabases } from "./platform/db/message-choice.ts";
import { type DatabaseCost, meterDatabase } from "./platform/db/meter.ts";
import { budgetOf, inRounds, type Portion } from "./platform/db/rounds.ts";
import { messageDatabases } from "./platform/db/shards.ts";
import type { Env } from "./platform/env.ts";
import { describe, logFault } from "./platform/log.ts";
import { sendWaitingMails } from "./platform/mail/waiting.ts";
import { count } from "./platform/metrics/counts.ts";
import { tickMetrics } from "./platform/metrics/tick.ts";
import type { CountName } from "./platform/objects.ts";
import { deleteExpiredGrants } from "./social/albums/queries.ts";
import { sendTestReminders } from "./social/health/remind.ts";
import { deleteForgottenLikes } from "./social/likes/forget.ts";
import { copyUntold } from "./social/messages/change.ts";
import { deleteDueOnce } from "./social/messages/once.ts";
import { unsendDue } from "./social/messages/remove.ts";
import { deleteOldDeclines } from "./social/messages/unasked-pictures.ts";
import { deleteOldNotifications } from "./social/notifications/queries.ts";
import { collectGarbage } from "./social/pictures/garbage-collection.ts";
import { holdStoredCopies } from "./social/pictures/known/stored-copies.ts";
import { judgeOldNames } from "./social/profiles/old-names.ts";
import { deleteDueVoices, sweepVoices } from "./social/voices/store.ts";

/** Cron expressions of wrangler.toml. */
export const EVERY_MINUTE = "* * * * *";
export const HOURLY = "7 * * * *";
export const BACKUP = "41 1-6 * * *";
export const NIGHTLY = "17 3 * * *";

type Jobs = Readonly<Record<string, () => Promise<unknown>>>;

/** What they write lets nobody be seen otherwise, but for where members stand: what is kept about members stays true. */
const ABOUT_NOBODY: ReadonlySet<string> = new Set([
  "publishPending",
  "deleteExpiredPositions",
  "deleteExpiredCodes",
  "deleteExpiredAgeRequests",
  "continueDensity",
  "callStaff",
  "tellForwarded",
  "deliverExposureNotices",
  "sendWaitingMails",
  "renewBucketMark",
  "measureMessageDatabases",
  "rebuildDensity",
  "refreshSquares",
]);

/** Runs what is due, and then adds it to the site's figures. Answers false where nobody can be seen otherwise by what was written. */
export async function runSchedule(cron: string, env: Env, now: number): Promise<boolean> {
  const cost: DatabaseCost = { trips: 0, rowsRead: 0, rowsWritten: 0 };
  const metered: Env = Object.assign(
    Object.create(env) as Env,
    { DB: meterDatabase(env.DB, cost) },
    Object.fromEntries(
      [...messageDatabases(env)].map(([number, d1]) => [`MESSAGES_${number}`, meterDatabase(d1, cost)]),
    ),
  );
  try {
    return await runDue(cron, metered, now, cost);
  } finally {
    count("rowsRead", cost.rowsRead);
    count("rowsWritten", cost.rowsWritten);
    // By the clock on the wall: a local site does not say for when a run was meant.
    if (cron === EVERY_MINUTE)
      await tickMetrics(env, Date.now()).catch((error) => logFault({ event: "metrics" }, error));
  }
}

/** The scheduled jobs; each is a function of its feature. */
function runDue(cron: string, env: Env, now: number, cost: DatabaseCost): Promise<boolean> {
  const budget = budgetOf(cost);
  const db = openDatabase(env.DB);
  // What a job removes by rows of an earlier time is gone for good: after a restore all of them wait for a day.
  const removing =
    <Args extends unknown[]>(job: (...args: Args) => Promise<unknown>) =>
    async (...args: Args) =>
      (await belongTogether(env, db, now)) && (await job(...args)) === true;
  const purge = removing(() => purgeDeletedAccounts(env, db, now, PURGES_AT_ONCE));
  if (cron === EVERY_MINUTE) {
    return runJobs(
      {
        publishPending: () => publishPending(db, env.POSITION_KEY, now, (...move) => moveOnMap(env, ...move)),
        deleteExpiredPositions: () => deleteExpiredPositions(db, now, (...gone) => leaveMap(env, ...gone)),
        liftDueActions: () => liftDueActions(env, now),
        maintainJuries: () => maintainJuries(env, now),
        matchLeftNotices: () => matchLeftNotices(env, now),
        callStaff: () => callStaff(env, now),
        tellForwarded: () => tellForwarded(env, now),
        holdStoredCopies: () => holdStoredCopies(env, now),
        openMatchedCases: () => openMatchedCases(env, now),
        openReturnCases: () => openReturnCases(env, now),
        unsendDue: () => unsendDue(env, now),
        deleteDueOnce: () => deleteDueOnce(env, db, now),
        deleteDueVoices: () => deleteDueVoices(env, db, now),
        deliverExposureNotices: () => deliverExposureNotices(env, now),
        sendWaitingMails: () => sendWaitingMails(env, now),
        renewBucketMark: () => renewBucketMark(env, db, now),
        restoreTrash: () => restoreTrash(env),
        measureMessageDatabases: () => measureMessageDatabases(messageDatabases(env), db, now),
        continueDensity: () => keepDensity(env, "goOn"),
        purgeDeletedAccounts: purge,
        ...inRounds(
          {
            copyUntold: () => copyUntold(env),
            deleteExpiredCodes: (most) => deleteExpiredCodes(db, now, most),
            deleteExpiredAgeRequests: (most) => deleteExpiredAgeRequests(db, now, most),
          },
          budget,
        ),
      },
      "jobsFailed",
      cost,
    );
  }
  if (cron === HOURLY) {
    return runJobs(
      {
        rebuildDensity: () => keepDensity(env, "begin"),
        refreshSquares: () => refreshSquares(db, now),
        copyPictures: () => copyPictures(env, now, () => belongTogether(env, db, now)),
        measureBackup: () => measureBackup(env, now),
        startMissingHolds: () => startMissingHolds(env, now),
        ...inRounds(retention(env, db, now, removing), budget),
      },
      "longJobsFailed",
      cost,
    );
  }
  // By itself: for some minutes the database answers nobody.
  if (cron === BACKUP) return runJobs({ backUpDatabases: () => backUpDatabases(env, now) });
  if (cron !== NIGHTLY) return Promise.resolve(false);
  return runJobs({
    eraseHolds: removing(() => eraseHolds(env, now)),
    eraseOldNotices: removing(() => eraseOldNotices(env, now)),
    countExplicitShare: () => countExplicitShare(env, now),
    commitDays: () => commitDays(env, now),
    openDays: () => openDays(env, now),
    deleteOrphanedEvidence: () => deleteOrphanedEvidence(env, now),
    detectVoteCollusion: () => detectVoteCollusion(db, now),
    countVoters: () => countVoters(db, now),
    escalateLateReviews: () => escalateLateReviews(db, now),
    deleteOldSalts: () => deleteOldSalts(env, now),
    reconcileSquareCounts: () => reconcileSquareCounts(db),
    collectGarbage: async () => {
      const swept = await collectGarbage(env, db, now);
      if (!__DEVELOPMENT__) console.log(JSON.stringify({ level: "info", job: "pictures", ...swept }));
    },
    sweepVoices: () => sweepVoices(env, db, now),
    emptyTrash: () => emptyTrash(env, now),
    judgeOldNames: () => judgeOldNames(db),
    ...inRounds(
      {
        sendTestReminders: (most) => sendTestReminders(env, now, most),
        ...retention(env, db, now, removing),
        purgeDeletedAccounts: purge,
      },
      budget,
    ),
  });
}

/** What ends by time, and grows with the members: in portions, hourly, so that a night's rest is gone on with. */
function retention(
  env: Env,
  db: Database,
  now: number,
  removing: (portion: Portion) => Portion,
): Readonly<Record<string, Portion>> {
  return {
    deleteOldNotifications: (most) => deleteOldNotifications(db, now - NOTIFICATION_KEPT_MS, most),
    deleteExpiredSessions: (most) => deleteExpiredSessions(db, now, most),
    deleteSettledEvidence: removing((most) => deleteSettledEvidence(env, now, most)),
    deleteRemovedPictures: removing((most) => deleteRemovedPictures(env, now, most)),
    forgetEndedLockdowns: (most) => forgetEndedLockdowns(db, now, most),
    eraseOldTravel: (most) => eraseOldTravel(db, now, most),
    forgetNetworks: (most) => forgetNetworks(db, now, most),
    deleteSettledMatches: (most) => deleteSettledMatches(db, now, most),
    deleteDoneLetters: removing((most) => deleteDoneLetters(db, now, most)),
    deleteOldBanMarks: (most) => deleteOldBanMarks(db, now, most),
    deleteOldPacks: (most) => deleteOldPacks(db, now, most),
    deleteOldRecipients: (most) => deleteOldRecipients(db, now, most),
    deleteOldDeclines: (most) => deleteOldDeclines(db, now, most),
    deleteExpiredGrants: (most) => deleteExpiredGrants(db, now, most),
    deleteForgottenLikes: removing((most) => deleteForgottenLikes(env, db, now, most)),
  };
}

/** One after the other, each by itself: one that fails keeps none of the others from its turn. Throws in the end what failed, and where. */
export async function runJobs(
  jobs: Jobs,
  counted: CountName = "longJobsFailed",
  cost: Pick<DatabaseCost, "rowsWritten"> | null = null,
): Promise<boolean> {
  const failed: string[] = [];
  let aboutAnybody = cost === null;
  for (const [name, job] of Object.entries(jobs)) {
    const before = cost?.rowsWritten ?? 0;
    try {
      await job();
    } catch (error) {
      failed.push(`${name}: ${describe(error)}`);
    }
    aboutAnybody ||= !ABOUT_NOBODY.has(name) && (cost?.rowsWritten ?? 0) > before;
  }
  count(counted, failed.length);
  if (failed.length > 0) throw new Error(`jobs failed: ${failed.join("; ")}`);
  return aboutAnybody;
}
