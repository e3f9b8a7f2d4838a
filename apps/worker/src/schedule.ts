import { NOTIFICATION_KEPT_MS } from "@lambda/contract/limits";
import { openDatabase } from "./db/database.ts";
import type { Env } from "./env.ts";
import { deleteExpiredCodes } from "./features/accounts/queries.ts";
import { deleteExpiredGrants } from "./features/albums/queries.ts";
import { replaceSilentJurors } from "./features/arbitration/convene.ts";
import { purgeDeletedAccounts } from "./features/deletion/purge.ts";
import { deleteOldSalts, deliverExposureNotices } from "./features/exposure/send.ts";
import { settleSquares } from "./features/games/near.ts";
import { deleteOldPacks } from "./features/games/pack.ts";
import { weighRings } from "./features/games/rings.ts";
import { sendTestReminders } from "./features/health/remind.ts";
import { leaveArea } from "./features/messages/area.ts";
import { liftDueActions } from "./features/moderation/lift-due.ts";
import { deleteOldNotifications } from "./features/notifications/queries.ts";
import { sweepPictures } from "./features/pictures/orphans.ts";
import { settleSectorCounts } from "./features/positions/aggregates.ts";
import { rebuildDensity } from "./features/positions/density.ts";
import { deleteExpiredPositions, publishPending } from "./features/positions/queries.ts";
import { deleteOrphanedEvidence } from "./features/reports/evidence.ts";
import { deleteExpiredSessions } from "./features/sessions/sessions.ts";

/** Cron expressions of wrangler.toml. */
export const EVERY_MINUTE = "* * * * *";
export const HOURLY = "7 * * * *";
export const NIGHTLY = "17 3 * * *";

/** What runs by the clock; each job is a function of its feature. */
export async function runSchedule(cron: string, env: Env, now: number): Promise<void> {
  const db = openDatabase(env.DB);
  if (cron === EVERY_MINUTE) {
    await deleteExpiredCodes(db, now);
    await publishPending(db, env.POSITION_KEY, now, (...move) => leaveArea(env, ...move));
    await deleteExpiredPositions(db, now);
    await liftDueActions(env, now);
    await replaceSilentJurors(env, now);
    await deliverExposureNotices(env, now);
  }
  if (cron === HOURLY) {
    await rebuildDensity(env.DB);
    await settleSquares(db, now);
  }
  if (cron === NIGHTLY) {
    await deleteOldNotifications(db, now - NOTIFICATION_KEPT_MS);
    await sendTestReminders(env, now);
    await deleteExpiredSessions(db, now);
    await deleteOrphanedEvidence(env, now);
    await weighRings(db, now);
    await deleteOldPacks(db, now);
    await deleteOldSalts(env, now);
    await deleteExpiredGrants(db, now);
    await settleSectorCounts(db);
    const swept = await sweepPictures(env, db, now);
    if (!__DEVELOPMENT__) console.log(JSON.stringify({ level: "info", job: "pictures", ...swept }));
    await purgeDeletedAccounts(env, db, now);
  }
}
