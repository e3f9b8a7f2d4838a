import { NOTIFICATION_KEPT_MS } from "@lambda/contract/limits";
import { openDatabase } from "./db/database.ts";
import type { Env } from "./env.ts";
import { deleteExpiredCodes, forgetNetworks } from "./features/accounts/queries.ts";
import { deleteExpiredGrants } from "./features/albums/queries.ts";
import { tendJuries } from "./features/arbitration/convene.ts";
import { purgeDeletedAccounts } from "./features/deletion/purge.ts";
import { deleteOldSalts, deleteOldTold, deliverExposureNotices } from "./features/exposure/send.ts";
import { handLateLooksToStaff } from "./features/games/look.ts";
import { settleSquares } from "./features/games/near.ts";
import { deleteOldPacks } from "./features/games/pack.ts";
import { countVoters } from "./features/games/pool.ts";
import { weighRings } from "./features/games/rings.ts";
import { sendTestReminders } from "./features/health/remind.ts";
import { leaveArea } from "./features/messages/area.ts";
import { unsendDue } from "./features/messages/remove.ts";
import { liftDueActions } from "./features/moderation/lift-due.ts";
import { deleteOldNotifications } from "./features/notifications/queries.ts";
import { sweepPictures } from "./features/pictures/orphans.ts";
import { settleSectorCounts } from "./features/positions/aggregates.ts";
import { rebuildDensity } from "./features/positions/density.ts";
import { deleteExpiredPositions, publishPending } from "./features/positions/queries.ts";
import { judgeOldNames } from "./features/profiles/old-names.ts";
import { deleteOrphanedEvidence, deleteSettledEvidence } from "./features/reports/evidence.ts";
import { deleteExpiredSessions } from "./features/sessions/sessions.ts";
import { commitDays, openDays } from "./features/transparency/days.ts";
import { describe } from "./rest/error-response.ts";

/** Cron expressions of wrangler.toml. */
export const EVERY_MINUTE = "* * * * *";
export const HOURLY = "7 * * * *";
export const NIGHTLY = "17 3 * * *";

type Jobs = Readonly<Record<string, () => Promise<unknown>>>;

/** What runs by the clock; each job is a function of its feature. */
export function runSchedule(cron: string, env: Env, now: number): Promise<void> {
  const db = openDatabase(env.DB);
  if (cron === EVERY_MINUTE) {
    return runJobs({
      publishPending: () => publishPending(db, env.POSITION_KEY, now, (...move) => leaveArea(env, ...move)),
      deleteExpiredPositions: () => deleteExpiredPositions(db, now),
      deleteExpiredCodes: () => deleteExpiredCodes(db, now),
      liftDueActions: () => liftDueActions(env, now),
      tendJuries: () => tendJuries(env, now),
      unsendDue: () => unsendDue(env, db, now),
      deliverExposureNotices: () => deliverExposureNotices(env, now),
    });
  }
  if (cron === HOURLY) {
    return runJobs({
      rebuildDensity: () => rebuildDensity(env.DB),
      settleSquares: () => settleSquares(db, now),
    });
  }
  if (cron !== NIGHTLY) return Promise.resolve();
  return runJobs({
    deleteOldNotifications: () => deleteOldNotifications(db, now - NOTIFICATION_KEPT_MS),
    sendTestReminders: () => sendTestReminders(env, now),
    deleteExpiredSessions: () => deleteExpiredSessions(db, now),
    deleteSettledEvidence: () => deleteSettledEvidence(env, now),
    forgetNetworks: () => forgetNetworks(db, now),
    commitDays: () => commitDays(env, now),
    openDays: () => openDays(env, now),
    deleteOrphanedEvidence: () => deleteOrphanedEvidence(env, now),
    weighRings: () => weighRings(db, now),
    countVoters: () => countVoters(db, now),
    handLateLooksToStaff: () => handLateLooksToStaff(db, now),
    deleteOldPacks: () => deleteOldPacks(db, now),
    deleteOldSalts: () => deleteOldSalts(env, now),
    deleteOldTold: () => deleteOldTold(db, now),
    deleteExpiredGrants: () => deleteExpiredGrants(db, now),
    settleSectorCounts: () => settleSectorCounts(db),
    sweepPictures: async () => {
      const swept = await sweepPictures(env, db, now);
      if (!__DEVELOPMENT__) console.log(JSON.stringify({ level: "info", job: "pictures", ...swept }));
    },
    judgeOldNames: () => judgeOldNames(db),
    purgeDeletedAccounts: () => purgeDeletedAccounts(env, db, now),
  });
}

/** One after the other, each by itself: one that fails keeps none of the others from its turn. Throws in the end what failed, and where. */
export async function runJobs(jobs: Jobs): Promise<void> {
  const failed: string[] = [];
  for (const [name, job] of Object.entries(jobs)) {
    try {
      await job();
    } catch (error) {
      failed.push(`${name}: ${describe(error)}`);
    }
  }
  if (failed.length > 0) throw new Error(`jobs failed: ${failed.join("; ")}`);
}
