/**
 * Scheduled jobs of notices: alarms to staff, mails to notifiers, deletion of removed pictures, erasure of old notices.
 */
import { storedBrand } from "@lambda/brands";
import {
  NOTICE_ALARM_MS,
  NOTICE_CONTACT_RETENTION_MS,
  NOTICE_COUNTER_WINDOW_MS,
  NOTICE_DUE_MS,
  NOTICE_MAILBOX_DISTRUSTED_MS,
} from "@lambda/contract/limits";
import type { PictureAudience } from "@lambda/contract/pictures";
import { sql } from "kysely";
import { deletePictureQueries } from "../../pictures/queries.ts";
import { deletePictureObjects } from "../../pictures/store.ts";
import { batch, guardQuery, itemsOf, openDatabase, passesGuards } from "../../platform/db/database.ts";
import type { Env } from "../../platform/env.ts";
import { forEachDue } from "../../platform/for-each.ts";
import { toIso } from "../../platform/iso-time.ts";
import { isActiveAdminOf, isNoticeAbout } from "../staff/scope.ts";
import { prepareAlarm, prepareDecision } from "./mails.ts";

/**
 * Scheduled: mails the admins of the brand and the network once about intimate-picture notices that have waited for
 * a day.
 */
export async function mailLateNoticeAlarms(env: Env, now: number): Promise<void> {
  const db = openDatabase(env.DB);
  const late = await db
    .selectFrom("notice")
    .select("id")
    .where("kind", "=", sql.lit("intimate"))
    .where("ts_decided", "is", null)
    .where("ts_staff_alerted", "is", null)
    .where("ts_created", "<=", now - NOTICE_ALARM_MS)
    .execute();
  if (late.length === 0) return;
  const ids = late.map(({ id }) => id);
  const rows = await db
    .selectFrom(itemsOf(ids, "late"))
    .innerJoin("notice as n", "n.id", "late.value")
    .innerJoin("account as a", (join) => join.on(sql<boolean>`a.admin_brand in ('*', n.brand)`))
    .innerJoin("profile as p", "p.id", "a.id")
    .select(["n.ref", "n.brand", "n.ts_created", "a.email", "a.locale"])
    .where(isActiveAdminOf(sql.ref<string>("n.brand")))
    .where(sql<boolean>`not ${isNoticeAbout(sql.ref("a.id"))}`)
    .execute();
  const byAdmin = Map.groupBy(rows, ({ brand, email }) => `${brand} ${email}`);
  const mails = [...byAdmin.values()].map((notices) => {
    const { brand, email, locale } = notices[0]!;
    const lines = notices.map(({ ref, ts_created }) => ({
      ref,
      due: toIso(ts_created + NOTICE_DUE_MS).slice(0, 16),
    }));
    return prepareAlarm(env, storedBrand(brand), { email, locale }, lines);
  });
  const stillLate = db
    .selectFrom("notice")
    .select("id")
    .where("id", "in", (listed) => listed.selectFrom(itemsOf(ids, "late")).select("late.value"))
    .where("ts_staff_alerted", "is", null);
  const marked = batch(env.DB, [
    // Of concurrent runs only one sends the mails.
    guardQuery(db, sql<boolean>`(select count(*) from ${stillLate}) = ${ids.length}`),
    db.updateTable("notice").set({ ts_staff_alerted: now }).where("id", "in", stillLate),
    ...mails.flatMap(({ queries }) => queries),
  ]);
  // A failed mail must not stop the others; the desk's banner shows the same alarm.
  if (await passesGuards(marked)) await Promise.allSettled(mails.map(({ deliver }) => deliver()));
}

/**
 * Scheduled: mails a notifier the outcome of the case that their notice led to, once it is decided, and again if an
 * appeal reverses it.
 */
export async function mailForwardedOutcomes(env: Env, now: number): Promise<void> {
  const db = openDatabase(env.DB);
  // Whether an appeal has turned the outcome around since the last mail. One that only makes an action milder has not.
  const isReversed = sql<boolean>`exists (select 1 from appeal a where a.report_id = r.id
    and a.ts_decided > n.ts_notified and (a.side = 'reporter') = (r.outcome <> 'none'))`;
  const decided = await db
    .selectFrom("notice as n")
    // A cross join keeps this order of tables: there are far fewer forwarded notices than decided cases.
    .crossJoin("report as r")
    .select(["n.id", "n.ref", "n.brand", "n.locale", "n.email", "n.ts_notified", "r.outcome", "r.ts_decided"])
    .where("n.report_id", "is not", null)
    .whereRef("r.id", "=", "n.report_id")
    .where((eb) => eb.or([eb("n.ts_notified", "is", null), isReversed]))
    .where("r.state", "=", sql.lit("decided"))
    .limit(50)
    .execute();
  await forEachDue(decided, async (notice) => {
    // A run starts after the time it was due, so that an appeal it reads may have been decided since.
    const ts_notified = Math.max(now, notice.ts_decided ?? 0);
    const acted = notice.outcome !== "none";
    const first = acted ? "caseActed" : "caseClosed";
    const onAppeal = acted ? "appealActed" : "appealClosed";
    const mail = prepareDecision({ env }, notice, notice.ts_notified === null ? first : onAppeal, "");
    const isUnmarked = sql<boolean>`exists (select 1 from notice
      where id = ${notice.id} and ts_notified is ${notice.ts_notified})`;
    const marked = batch(env.DB, [
      // Of concurrent runs only the one that sets the mark sends the mail.
      guardQuery(db, isUnmarked),
      db.updateTable("notice").set({ ts_notified }).where("id", "=", notice.id),
      ...mail.queries,
    ]);
    if (await passesGuards(marked)) await mail.deliver();
  });
}

/** Pictures deleted in one run: each takes its own batch and its own R2 calls. */
const PICTURES_PER_RUN_MAX = 50;

/**
 * Scheduled: deletes removed pictures whose owner's counter-notice was refused or can no longer be filed. Returns
 * whether more may be left.
 */
export async function deleteRemovedPictures(env: Env, now: number, limit: number): Promise<boolean> {
  const max = Math.min(limit, PICTURES_PER_RUN_MAX);
  const db = openDatabase(env.DB);
  const rows = await db
    .selectFrom("notice_picture as h")
    .innerJoin("notice as n", "n.id", "h.notice_id")
    .leftJoin("notice_counter as c", (join) =>
      join.onRef("c.notice_id", "=", "h.notice_id").onRef("c.profile_id", "=", "h.profile_id"),
    )
    .leftJoin("picture as pic", "pic.id", "h.picture_id")
    .select(["h.notice_id", "h.picture_id as id", "h.profile_id", "h.version"])
    .select(sql<PictureAudience>`ifnull(pic.audience, 'public')`.as("audience"))
    .where("h.state", "=", sql.lit("removed"))
    .where((eb) =>
      eb.or([
        eb("c.result", "=", "refused"),
        eb.and([eb("c.notice_id", "is", null), eb("n.ts_decided", "<", now - NOTICE_COUNTER_WINDOW_MS)]),
      ]),
    )
    .limit(max)
    .execute();
  await forEachDue(rows, async ({ notice_id, ...picture }) => {
    await batch(env.DB, [
      db
        .updateTable("notice_picture")
        .set({ state: "deleted" })
        .where("notice_id", "=", notice_id)
        .where("picture_id", "=", picture.id),
      ...deletePictureQueries(db, picture, now),
    ]);
    await deletePictureObjects(env, picture);
  });
  return rows.length === max;
}

/**
 * Scheduled: erases the notifier's identity and texts from old notices; the figures stay. The mark of the mailbox that sent
 * an unfounded notice is kept as long as it restricts its owner.
 */
export async function eraseOldNotices(env: Env, now: number): Promise<void> {
  const db = openDatabase(env.DB);
  const due = db
    .selectFrom("notice")
    .select("id")
    .where("ts_erased", "is", null)
    .where("ts_decided", "is not", null)
    .where("ts_decided", "<", now - NOTICE_CONTACT_RETENTION_MS);
  const erased = {
    name: "",
    email: "",
    contact: "",
    location: "",
    explanation: "",
    upload_hash: null,
    upload_print: null,
  };
  await batch(env.DB, [
    db.deleteFrom("notice_message").where("notice_id", "in", due),
    db
      .updateTable("notice")
      .set({ ...erased, ts_erased: now, sender_network: null })
      .set({ sender_mailbox: sql<Buffer | null>`case unfounded when 1 then sender_mailbox end` })
      .where("id", "in", due),
    db
      .updateTable("notice")
      .set({ sender_mailbox: null })
      .where("unfounded", "=", 1)
      .where("ts_decided", "<", now - NOTICE_MAILBOX_DISTRUSTED_MS)
      .where("sender_mailbox", "is not", null),
  ]);
}
