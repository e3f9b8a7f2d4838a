import { PURGE_BATCH_ACCOUNTS } from "@lambda/contract/limits";
import { forgetEndedLockdowns } from "./accounts/lockdown/queries.ts";
import { storeHandles } from "./accounts/passkey-handles.ts";
import { forgetNetworks } from "./accounts/queries.ts";
import { closeDown } from "./data-rights/closing/close-down.ts";
import { purgeDeletedAccounts } from "./data-rights/deletion/purge.ts";
import { EXPIRED, EXPIRED_BY_MINUTE, expiredJobs } from "./data-rights/retention/expired.ts";
import { deleteOldSalts, deliverExposureNotices } from "./games/exposure/send.ts";
import { refreshSquares } from "./games/nearby-players.ts";
import { deleteOldPacks } from "./games/pack.ts";
import { maintainChecks } from "./games/person-check/panel.ts";
import { countVoters } from "./games/record.ts";
import { escalateLateReviews } from "./games/review-request.ts";
import { detectVoteCollusion } from "./games/vote-collusion.ts";
import { syncOutdatedPairs } from "./messaging/messages/change.ts";
import { deleteDueOnceViews } from "./messaging/messages/once-view.ts";
import { unsendJobs } from "./messaging/messages/remove.ts";
import { deleteDueVoices, deleteRemovedIntroductions, sweepVoices } from "./messaging/voices/store.ts";
import { liftDueActions } from "./moderation/action/actions.ts";
import { checkLog } from "./moderation/audit/check-log.ts";
import { deleteSettledMatches, openBanEvasionCases } from "./moderation/ban-evasion/open-cases.ts";
import { deleteOrphanedEvidence, deleteSettledEvidence } from "./moderation/evidence/freeze.ts";
import { eraseHolds } from "./moderation/hold/erase.ts";
import { startMissingHolds } from "./moderation/hold/start.ts";
import { maintainJuries } from "./moderation/jury/votes.ts";
import { openMatchedCases } from "./moderation/known-pictures/open-cases.ts";
import {
  deleteRemovedPictures,
  eraseOldNotices,
  mailForwardedOutcomes,
  mailLateNoticeAlarms,
} from "./moderation/notices/jobs.ts";
import { matchPendingNotices } from "./moderation/notices/match.ts";
import { tellOwnersOfViews } from "./moderation/notices/tell-owners.ts";
import { countExplicitShare } from "./moderation/staff/explicit-share.ts";
import { finishScheduledWork } from "./notifications/notify.ts";
import { collectGarbage, listUnusedKeys } from "./pictures/garbage-collection.ts";
import { findStoredCopies } from "./pictures/known/stored-copies.ts";
import { notifyMoved } from "./places/areas/area.ts";
import { runDensityRebuild } from "./places/positions/density.ts";
import { deleteExpiredPositions, publishPending } from "./places/positions/queries.ts";
import { renewLattices } from "./places/positions/renew-lattices.ts";
import { reconcileSquareCounts } from "./places/positions/statements.ts";
import { drawVisitorMaps } from "./places/visitors/visitor-map.ts";
import { storeProtectiveActs } from "./platform/backup/acts.ts";
import { backUpDatabases, measureBackup } from "./platform/backup/database.ts";
import { copyPictures, restorePictures } from "./platform/backup/pictures.ts";
import { databaseMatchesBucket, renewBucketMark } from "./platform/bucket/mark.ts";
import { emptyTrash, restoreTrash } from "./platform/bucket/trash.ts";
import { measureMessageDatabases } from "./platform/db/choose-message-database.ts";
import {
  type Budget,
  type ChunkedJob,
  createBudget,
  type Effect,
  housekeeping,
  inChunks,
  type Jobs,
  neutral,
  runInTurns,
} from "./platform/db/chunked-jobs.ts";
import { type Database, openDatabase } from "./platform/db/database.ts";
import { messageDatabases } from "./platform/db/message-databases.ts";
import type { Env } from "./platform/env.ts";
import { describeError, logFault } from "./platform/log.ts";
import { sendWaitingMails } from "./platform/mail/send-mail.ts";
import { readSwitch, watchSwitch } from "./platform/maintenance.ts";
import { notifySquares } from "./platform/map/squares.ts";
import { type DatabaseCost, meterDatabase } from "./platform/metering/meter-database.ts";
import { count } from "./platform/metrics/counts.ts";
import { tickMetrics } from "./platform/metrics/tick.ts";
import type { CountName } from "./platform/objects.ts";
import { renewEncrypted } from "./platform/renewal/renew-encrypted.ts";
import { announceToAllRegions } from "./platform/replication/watermarks.ts";
import { countServiceCalls } from "./platform/service-calls.ts";
import { sendTestReminders } from "./profiles/health/remind.ts";
import { deleteForgottenLikes } from "./profiles/likes/forgotten-likes.ts";
import { countMet } from "./profiles/met/queries.ts";
import { cleanOldNames } from "./profiles/queries.ts";

export const EVERY_MINUTE = "* * * * *";
export const HOURLY = "7 * * * *";
export const BACKUP = "41 1-6 * * *";
export const NIGHTLY = "17 3 * * *";

/** Runs the due jobs and announces what they wrote, which an idle minute does not. */
export async function runSchedule(cron: string, env: Env, now: number): Promise<void> {
  // What a run reads or writes now would be of a time that the site leaves.
  const maintenance = await readSwitch(env);
  if (maintenance === "on") return;
  if (maintenance === "unknown") return reportUnknownSwitch(cron, env);
  let effect: Effect = "visibility";
  try {
    effect = await runAndReport(cron, env, now);
  } finally {
    if (effect !== "none") await announceToAllRegions(env, effect === "neutral" ? [] : undefined);
  }
}

/** No job runs, but the alerts do: the bucket is down, or its answers are. */
async function reportUnknownSwitch(cron: string, env: Env): Promise<never> {
  count(cron === EVERY_MINUTE ? "jobsFailed" : "longJobsFailed");
  if (cron === EVERY_MINUTE) await tick(env, false);
  throw new Error("jobs failed: the maintenance switch cannot be read");
}

/** At the current time, as the time when the run was due may be of another day on a local site. */
const tick = (env: Env, isIdle: boolean) =>
  tickMetrics(env, Date.now(), isIdle).catch((error) => logFault({ event: "metrics" }, error));

/** Reports the cost of the jobs to the metrics. */
async function runAndReport(cron: string, env: Env, now: number): Promise<Effect> {
  const cost: RunCost = { trips: 0, rowsRead: 0, rowsWritten: 0, calls: 0 };
  const metered: Env = Object.assign(
    countServiceCalls(env, cost),
    { DB: meterDatabase(env.DB, cost) },
    Object.fromEntries(
      [...messageDatabases(env)].map(([number, d1]) => [`MESSAGES_${number}`, meterDatabase(d1, cost)]),
    ),
  );
  let effect: Effect = "visibility";
  try {
    effect = await runDueJobs(cron, metered, now, createBudget(cost, watchSwitch(env)), cost);
  } finally {
    const before = cost.rowsWritten;
    await finishScheduledWork(metered);
    if (effect === "none" && cost.rowsWritten > before) effect = "neutral";
    count("rowsRead", cost.rowsRead);
    count("rowsWritten", cost.rowsWritten);
    if (cron === EVERY_MINUTE) await tick(env, effect === "none");
  }
  return effect;
}

interface RunCost extends DatabaseCost {
  calls: number;
}

interface Run {
  readonly env: Env;
  readonly db: Database;
  readonly now: number;
  readonly budget: Budget;
  /** Wraps jobs that delete for good because of what rows say: after a restore, whose rows are of an earlier time, they wait for a day. */
  readonly unlessRestored: <Args extends unknown[]>(
    job: (...args: Args) => Promise<unknown>,
  ) => (...args: Args) => Promise<boolean>;
}

function runDueJobs(cron: string, env: Env, now: number, budget: Budget, cost: RunCost): Promise<Effect> {
  const db = openDatabase(env.DB);
  const run: Run = {
    env,
    db,
    now,
    budget,
    unlessRestored:
      (job) =>
      async (...args) =>
        (await databaseMatchesBucket(env, db, now)) && (await job(...args)) === true,
  };
  if (cron === EVERY_MINUTE) return runJobs(minuteJobs(run), run.budget, "jobsFailed", cost);
  if (cron === HOURLY) return runJobs(hourlyJobs(run), run.budget, "longJobsFailed", cost);
  // Runs alone, because a D1 export blocks the database for minutes.
  if (cron === BACKUP) return runJobs({ backUpDatabases: () => backUpDatabases(env, now) }, run.budget);
  if (cron === NIGHTLY) return runJobs(nightlyJobs(run), run.budget);
  return Promise.resolve("none");
}

function minuteJobs(run: Run): Jobs {
  const { env, db, now, unlessRestored } = run;
  const { deleteExpiredCodes, deleteExpiredAgeRequests } = expiredJobs(EXPIRED_BY_MINUTE, db, now);
  return {
    publishPending: neutral(() => publishPending(db, env, now, (moves) => notifyMoved(env, moves, null))),
    deleteExpiredPositions: neutral(() => deleteExpiredPositions(db, now, (gone) => notifySquares(env, gone, null))),
    liftDueActions: () => liftDueActions(env, now),
    maintainJuries: () => maintainJuries(env, now),
    matchPendingNotices: () => matchPendingNotices(env, now),
    mailLateNoticeAlarms: neutral(() => mailLateNoticeAlarms(env, now)),
    mailForwardedOutcomes: neutral(() => mailForwardedOutcomes(env, now)),
    findStoredCopies: () => findStoredCopies(env, now),
    openMatchedCases: () => openMatchedCases(env, now),
    openBanEvasionCases: () => openBanEvasionCases(env, now),
    ...unsendJobs(env, now),
    maintainChecks: () => maintainChecks(env, now),
    deleteDueOnceViews: unlessRestored(() => deleteDueOnceViews(env, db, now)),
    deleteDueVoices: unlessRestored(() => deleteDueVoices(env, db, now)),
    deleteRemovedIntroductions: unlessRestored(() => deleteRemovedIntroductions(env, db)),
    deliverExposureNotices: neutral(() => deliverExposureNotices(env, now)),
    sendWaitingMails: neutral(() => sendWaitingMails(env, now)),
    renewBucketMark: housekeeping(() => renewBucketMark(env, db, now)),
    restoreTrash: () => restoreTrash(env),
    restorePictures: () => restorePictures(env),
    measureMessageDatabases: housekeeping(() => measureMessageDatabases(messageDatabases(env), db, now)),
    runDensityRebuild: neutral(() => runDensityRebuild(env, "continue")),
    closeDown: () => closeDown(env, db, now),
    purgeDeletedAccounts: purgeJob(run),
    ...inChunks({
      syncOutdatedPairs: () => syncOutdatedPairs(env),
      deleteExpiredCodes: neutral(deleteExpiredCodes),
      deleteExpiredAgeRequests: neutral(deleteExpiredAgeRequests),
    }),
  };
}

function hourlyJobs(run: Run): Jobs {
  const { env, db, now } = run;
  return {
    runDensityRebuild: neutral(() => runDensityRebuild(env, "start")),
    refreshSquares: neutral(() => refreshSquares(db, now)),
    drawVisitorMaps: neutral(() => drawVisitorMaps(env, db, now)),
    checkLog: housekeeping(() => checkLog(env, db, now)),
    storeProtectiveActs: housekeeping(() => storeProtectiveActs(env, now)),
    copyPictures: () =>
      copyPictures(
        env,
        now,
        () => databaseMatchesBucket(env, db, now),
        (keys) => listUnusedKeys(db, keys),
      ),
    measureBackup: () => measureBackup(env, now),
    startMissingHolds: () => startMissingHolds(env, now),
    tellOwnersOfViews: () => tellOwnersOfViews(env, now),
    ...inChunks(retentionJobs(run)),
  };
}

function nightlyJobs(run: Run): Jobs {
  const { env, db, now, unlessRestored } = run;
  return {
    eraseHolds: unlessRestored(() => eraseHolds(env, now)),
    eraseOldNotices: unlessRestored(() => eraseOldNotices(env, now)),
    countExplicitShare: () => countExplicitShare(env, now),
    deleteOrphanedEvidence: () => deleteOrphanedEvidence(env, now),
    detectVoteCollusion: () => detectVoteCollusion(env, now),
    countVoters: () => countVoters(db, now),
    escalateLateReviews: () => escalateLateReviews(db, now),
    deleteOldSalts: () => deleteOldSalts(env, now),
    reconcileSquareCounts: () => reconcileSquareCounts(db),
    collectGarbage: async () => {
      const report = await collectGarbage(env, db, now);
      if (!__DEVELOPMENT__) console.log(JSON.stringify({ level: "info", job: "pictures", ...report }));
    },
    sweepVoices: () => sweepVoices(env, db, now),
    emptyTrash: () => emptyTrash(env, now),
    cleanOldNames: () => cleanOldNames(db),
    ...inChunks({
      countMet: neutral((limit) => countMet(env, now, limit)),
      sendTestReminders: (limit) => sendTestReminders(env, now, limit),
      ...retentionJobs(run),
      renewEncrypted: (limit) => renewEncrypted(env, limit),
      purgeDeletedAccounts: purgeJob(run),
    }),
  };
}

const purgeJob = ({ env, db, now, unlessRestored }: Run) =>
  unlessRestored(() => purgeDeletedAccounts(env, db, now, PURGE_BATCH_ACCOUNTS));

/** Deletes what has expired, in chunks, hourly as well as nightly, so that a backlog is worked off. */
function retentionJobs({ env, db, now, unlessRestored }: Run): Readonly<Record<string, ChunkedJob>> {
  const expired = expiredJobs(EXPIRED, db, now);
  return {
    ...expired,
    deleteEndedNights: neutral(expired.deleteEndedNights),
    deleteDoneLetters: unlessRestored(expired.deleteDoneLetters),
    deleteSettledEvidence: unlessRestored((limit) => deleteSettledEvidence(env, now, limit)),
    deleteRemovedPictures: unlessRestored((limit) => deleteRemovedPictures(env, now, limit)),
    forgetEndedLockdowns: (limit) => forgetEndedLockdowns(db, now, limit),
    forgetNetworks: (limit) => forgetNetworks(db, now, limit),
    deleteSettledMatches: (limit) => deleteSettledMatches(db, now, limit),
    deleteOldPacks: (limit) => deleteOldPacks(db, now, limit),
    renewLattices: neutral((limit) => renewLattices(env, limit)),
    storeHandles: neutral((limit) => storeHandles(env, limit)),
    deleteForgottenLikes: unlessRestored((limit) => deleteForgottenLikes(env, db, now, limit)),
  };
}

/** A failing job does not stop the others. Throws at the end, naming each failed job and its error. */
export async function runJobs(
  jobs: Jobs,
  budget: Budget,
  failureCounter: CountName = "longJobsFailed",
  cost: Pick<DatabaseCost, "rowsWritten"> | null = null,
): Promise<Effect> {
  const failed: string[] = [];
  let effect: Effect = cost === null ? "visibility" : "none";
  let before = cost?.rowsWritten ?? 0;
  await runInTurns(
    jobs,
    budget,
    (name, error) => failed.push(`${name}: ${describeError(error)}`),
    ({ effect: written = "visibility" }) => {
      const after = cost?.rowsWritten ?? 0;
      if (after > before && written !== "none")
        effect = written === "neutral" && effect !== "visibility" ? "neutral" : "visibility";
      before = after;
    },
  );
  count(failureCounter, failed.length);
  if (failed.length > 0) throw new Error(`jobs failed: ${failed.join("; ")}`);
  return effect;
}
