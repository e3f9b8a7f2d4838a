/** What is deleted once its time is over, as data: by the table, its key, and the column that says when. */
import {
  CONTACT_MESSAGE_RETENTION_MS,
  DISCLOSURE_RETENTION_MS,
  EXPOSURE_COOLDOWN_MS,
  NOTIFICATION_RETENTION_MS,
  STAY_LEFT_RETENTION_MS,
  TRIP_RETENTION_DAYS,
} from "@lambda/contract/limits";
import { dayOf } from "@lambda/geo/time";
import { type Kysely, sql } from "kysely";
import { countsAfter } from "../../messaging/messages/unsolicited-pictures.ts";
import { type ChunkedJob, deleteChunk } from "../../platform/db/chunked-jobs.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Tables } from "../../platform/db/tables.ts";
import { showsThemselves } from "../../visibility/visibility.ts";

type Expired = (db: Database, now: number) => ChunkedJob;

/** The rows of a table whose column is at most `last(now)`. */
function expired<T extends keyof Tables & string>(
  name: T,
  key: readonly (keyof Tables[T] & string)[],
  column: keyof Tables[T] & string,
  last: (now: number) => number = (now) => now,
): Expired {
  const end = sql.ref(column);
  return (db, now) => (limit) => {
    // The signature above knows the columns, which kysely cannot of a table that is a variable.
    const [rows, table] = [db as unknown as Kysely<Record<string, Record<string, number>>>, name as string];
    const due = rows.selectFrom(table).select(key).where(end, "<=", last(now)).orderBy(end).limit(limit);
    return deleteChunk(rows.deleteFrom(table).where(sql`(${sql.join(key.map(sql.ref))})`, "in", due), limit);
  };
}

/** With whom they alone showed a discreet member to. */
function deleteExpiredGrants(db: Database, now: number): ChunkedJob {
  const deleteGrants = expired("album_grant", ["owner_id", "member_id"], "ts_expires")(db, now);
  const shows = showsThemselves(sql.ref("shown_to.profile_id"), sql.ref("shown_to.viewer_id"), now);
  return async (limit) => {
    const due = db
      .selectFrom("album_grant")
      .select(["owner_id", "member_id"])
      .where("ts_expires", "<=", now)
      .orderBy("ts_expires")
      .limit(limit);
    await db
      .deleteFrom("shown_to")
      .where(({ refTuple }) => refTuple("profile_id", "viewer_id"), "in", due.$asTuple("owner_id", "member_id"))
      .where(({ not }) => not(shows))
      .execute();
    return deleteGrants(limit);
  };
}

/** Looked at each minute. */
export const EXPIRED_BY_MINUTE = {
  deleteExpiredCodes: expired("login_code", ["code_hash"], "ts_expires"),
  /** Nobody answered them, or the visitor's proof was never used to join. */
  deleteExpiredAgeRequests: expired("age_request", ["state_hash"], "ts_expires"),
};

export const EXPIRED = {
  deleteOldNotifications: expired("notification", ["id"], "ts_created", (now) => now - NOTIFICATION_RETENTION_MS),
  deleteExpiredSessions: expired("session", ["id"], "ts_expires"),
  /** The member never asked about it. */
  deleteLeftStays: expired("travel_stay", ["profile_id"], "ts_left", (now) => now - STAY_LEFT_RETENTION_MS),
  deletePastTrips: expired("trip", ["id"], "day_to", (now) => dayOf(now) - TRIP_RETENTION_DAYS - 1),
  /** Some time after staff closed it; an open one stays. */
  deleteDoneLetters: expired("contact_message", ["id"], "ts_done", (now) => now - CONTACT_MESSAGE_RETENTION_MS),
  deleteOldBanMarks: expired("ban_mark", ["id"], "ts_until"),
  /** They may get a notice again. */
  deleteOldRecipients: expired("exposure_recipient", ["recipient_id"], "day", (now) =>
    dayOf(now - EXPOSURE_COOLDOWN_MS),
  ),
  deleteOldDeclines: expired("picture_decline", ["sender_id", "broadcast", "decliner_id"], "ts_sent", countsAfter),
  deleteExpiredGrants,
  deleteOldDisclosures: expired("disclosure", ["id"], "ts_created", (now) => now - DISCLOSURE_RETENTION_MS),
  deleteEndedNights: expired("tonight", ["profile_id"], "ts_until"),
};

export function expiredJobs<Name extends string>(jobs: Record<Name, Expired>, db: Database, now: number) {
  const entries = Object.entries<Expired>(jobs).map(([name, job]) => [name, job(db, now)]);
  return Object.fromEntries(entries) as Record<Name, ChunkedJob>;
}
