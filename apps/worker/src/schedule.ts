import { NOTIFICATION_KEPT_MS } from "@lambda/contract/limits";
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
import { leaveArea } from "./places/areas/area.ts";
import { keepDensity } from "./places/positions/density.ts";
import { deleteExpiredPositions, publishPending } from "./places/positions/queries.ts";
import { reconcileSquareCounts } from "./places/positions/statements.ts";
import { measureBackup } from "./platform/backup/age.ts";
import { backUpDatabase } from "./platform/backup/database.ts";
import { copyPictures } from "./platform/backup/pictures.ts";
import { belongTogether, renewBucketMark } from "./platform/bucket/mark.ts";
import { emptyTrash, restoreTrash } from "./platform/bucket/trash.ts";
import { openDatabase } from "./platform/db/database.ts";
import { meterDatabase } from "./platform/db/meter.ts";
import type { Env } from "./platform/env.ts";
import { describe, logFault } from "./platform/log.ts";
import { sendWaitingMails } from "./platform/mail/waiting.ts";
import { count } from "./platform/metrics/counts.ts";
import { tickMetrics } from "./platform/metrics/tick.ts";
import type { CountName } from "./platform/objects.ts";
import { deleteExpiredGrants } from "./social/albums/queries.ts";
import { sendTestReminders } from "./social/health/remind.ts";
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
export const BACKUP = "41 1 * * *";
export const NIGHTLY = "17 3 * * *";

type Jobs = Readonly<Record<string, () => Promise<unknown>>>;

/** Runs what is due, and then adds it to the site's figures. */
export async function runSchedule(cron: string, env: Env, now: number): Promise<void> {
  const cost = { trips: 0, rowsRead: 0, rowsWritten: 0 };
  const metered: Env = Object.assign(Object.create(env) as Env, { DB: meterDatabase(env.DB, cost) });
  try {
    await runDue(cron, metered, now);
  } finally {
    count("rowsRead", cost.rowsRead);
    count("rowsWritten", cost.rowsWritten);
    // By the clock on the wall: a local site does not say for when a run was meant.
    if (cron === EVERY_MINUTE)
      await tickMetrics(env, Date.now()).catch((error) => logFault({ event: "metrics" }, error));
  }
}

/** The scheduled jobs; each is a function of its feature. */
function runDue(cron: string, env: Env, now: number): Promise<void> {
  const db = openDatabase(env.DB);
  // What a job removes by rows of an earlier time is gone for good: after a restore all of them wait for a day.
  const removing = (job: () => Promise<unknown>) => async () => (await belongTogether(env, db, now)) && (await job());
  if (cron === EVERY_MINUTE) {
    return runJobs(
      {
        publishPending: () => publishPending(db, env.POSITION_KEY, now, (...move) => leaveArea(env, ...move)),
        deleteExpiredPositions: () => deleteExpiredPositions(db, now),
        deleteExpiredCodes: () => deleteExpiredCodes(db, now),
        deleteExpiredAgeRequests: () => deleteExpiredAgeRequests(db, now),
        liftDueActions: () => liftDueActions(env, now),
        maintainJuries: () => maintainJuries(env, now),
        matchLeftNotices: () => matchLeftNotices(env, now),
        callStaff: () => callStaff(env, now),
        tellForwarded: () => tellForwarded(env, now),
        holdStoredCopies: () => holdStoredCopies(env, now),
        openMatchedCases: () => openMatchedCases(env, now),
        openReturnCases: () => openReturnCases(env, now),
        unsendDue: () => unsendDue(env, db, now),
        deleteDueOnce: () => deleteDueOnce(env, db, now),
        deleteDueVoices: () => deleteDueVoices(env, db, now),
        deliverExposureNotices: () => deliverExposureNotices(env, now),
        sendWaitingMails: () => sendWaitingMails(env, now),
        renewBucketMark: () => renewBucketMark(env, db, now),
        restoreTrash: () => restoreTrash(env),
        continueDensity: () => keepDensity(env, "goOn"),
      },
      "jobsFailed",
    );
  }
  if (cron === HOURLY) {
    return runJobs({
      rebuildDensity: () => keepDensity(env, "begin"),
      refreshSquares: () => refreshSquares(db, now),
      copyPictures: () => copyPictures(env, now, () => belongTogether(env, db, now)),
      measureBackup: () => measureBackup(env, now),
      startMissingHolds: () => startMissingHolds(env, now),
      purgeDeletedAccounts: removing(() => purgeDeletedAccounts(env, db, now)),
    });
  }
  // By itself: for some minutes the database answers nobody.
  if (cron === BACKUP) return runJobs({ backUpDatabase: () => backUpDatabase(env, now) });
  if (cron !== NIGHTLY) return Promise.resolve();
  return runJobs({
    deleteOldNotifications: () => deleteOldNotifications(db, now - NOTIFICATION_KEPT_MS),
    sendTestReminders: () => sendTestReminders(env, now),
    deleteExpiredSessions: () => deleteExpiredSessions(db, now),
    eraseHolds: removing(() => eraseHolds(env, now)),
    deleteSettledEvidence: removing(() => deleteSettledEvidence(env, now)),
    deleteRemovedPictures: removing(() => deleteRemovedPictures(env, now)),
    eraseOldNotices: removing(() => eraseOldNotices(env, now)),
    forgetEndedLockdowns: () => forgetEndedLockdowns(db, now),
    eraseOldTravel: () => eraseOldTravel(db, now),
    forgetNetworks: () => forgetNetworks(db, now),
    countExplicitShare: () => countExplicitShare(env, now),
    deleteSettledMatches: () => deleteSettledMatches(db, now),
    deleteDoneLetters: removing(() => deleteDoneLetters(db, now)),
    deleteOldBanMarks: () => deleteOldBanMarks(db, now),
    commitDays: () => commitDays(env, now),
    openDays: () => openDays(env, now),
    deleteOrphanedEvidence: () => deleteOrphanedEvidence(env, now),
    detectVoteCollusion: () => detectVoteCollusion(db, now),
    countVoters: () => countVoters(db, now),
    escalateLateReviews: () => escalateLateReviews(db, now),
    deleteOldPacks: () => deleteOldPacks(db, now),
    deleteOldSalts: () => deleteOldSalts(env, now),
    deleteOldRecipients: () => deleteOldRecipients(db, now),
    deleteOldDeclines: () => deleteOldDeclines(db, now),
    deleteExpiredGrants: () => deleteExpiredGrants(db, now),
    reconcileSquareCounts: () => reconcileSquareCounts(db),
    collectGarbage: async () => {
      const swept = await collectGarbage(env, db, now);
      if (!__DEVELOPMENT__) console.log(JSON.stringify({ level: "info", job: "pictures", ...swept }));
    },
    sweepVoices: () => sweepVoices(env, db, now),
    emptyTrash: () => emptyTrash(env, now),
    judgeOldNames: () => judgeOldNames(db),
    purgeDeletedAccounts: removing(() => purgeDeletedAccounts(env, db, now)),
  });
}

/** One after the other, each by itself: one that fails keeps none of the others from its turn. Throws in the end what failed, and where. */
export async function runJobs(jobs: Jobs, counted: CountName = "longJobsFailed"): Promise<void> {
  const failed: string[] = [];
  for (const [name, job] of Object.entries(jobs)) {
    try {
      await job();
    } catch (error) {
      failed.push(`${name}: ${describe(error)}`);
    }
  }
  count(counted, failed.length);
  if (failed.length > 0) throw new Error(`jobs failed: ${failed.join("; ")}`);
}
