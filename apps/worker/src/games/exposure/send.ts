/**
 * Anonymous health notices: a random id, the recipient, times rounded to hours and a keyed hash that only blocks use, but not the
 * sender, the time of sending or a group. A sender's daily count is keyed with a salt that is deleted after the day.
 */

import type { ExposureDraft } from "@lambda/contract/exposure";
import {
  DAY_MS,
  EXPOSURE_COOLDOWN_MS,
  EXPOSURE_DELAY_MAX_MS,
  EXPOSURE_DELAY_MIN_MS,
  EXPOSURE_PER_DAY_MAX,
  EXPOSURE_WAIT_MAX_MS,
  HOUR_MS,
} from "@lambda/contract/limits";
import { dayOf } from "@lambda/geo/time";
import { type RawBuilder, sql } from "kysely";
import { announce, insertNotificationQuery, scheduledContext } from "../../notifications/notify.ts";
import { inEachLocale } from "../../platform/copy.ts";
import { batch, insertFrom, itemsOf, openDatabase, rowsOf } from "../../platform/db/database.ts";
import type { ExposureNoticeRow } from "../../platform/db/tables.ts";
import type { Env } from "../../platform/env.ts";
import { AppError } from "../../platform/errors.ts";
import { forEachDue } from "../../platform/for-each.ts";
import { randomHex, sha256 } from "../../platform/hash.ts";
import { spendLimit } from "../../platform/rate-limits/limit.ts";
import { secretRandom } from "../../platform/shuffle.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { notBlocked } from "../../visibility/visibility.ts";
import { senderMacs } from "./cancel-on-block.ts";
import { exposureCopy } from "./copy.ts";
import { hasEnoughPartners, listPartners, listPartnersSince } from "./partners.ts";

/** The rest is delivered in the next minute; each delivery may query several databases. */
const DELIVERIES_PER_RUN_MAX = 100;

/**
 * Queues a notice for each chosen partner, and optionally for all partners of a period. Several senders' wait side by side, but nobody gets a
 * second one within a month, which no sender learns. Throws NOT_FOUND if a chosen member is not a visible partner, TOO_MANY_REQUESTS beyond the daily limit.
 */
export async function sendExposureNotices(ctx: MemberContext, draft: ExposureDraft): Promise<void> {
  const { env, db, viewer, now } = ctx;
  const chosen = [...new Set(draft.recipientProfileIds)];
  const partners = chosen.length === 0 ? [] : await listPartners(ctx, { among: chosen, limit: chosen.length });
  if (partners.length !== chosen.length) throw new AppError("NOT_FOUND");
  const day = dayOf(ctx.now);
  const { salt } = await ctx.db
    .insertInto("exposure_salt")
    .values({ day, salt: randomHex(32) })
    .onConflict((conflict) => conflict.column("day").doUpdateSet({ salt: sql<string>`salt` }))
    .returning("salt")
    .executeTakeFirstOrThrow();
  const anonymousSender = await sha256(`${salt}:${viewer.profileId}`);
  await spendLimit(ctx, `exposure:${anonymousSender}`, EXPOSURE_PER_DAY_MAX, DAY_MS);
  const recipients = new Set(chosen);
  if (draft.allWithinDays !== undefined) {
    for (const id of await listPartnersSince(ctx, now - draft.allWithinDays * DAY_MS)) recipients.add(id);
  }
  const waiting = await listOwnWaiting(ctx, [...recipients]);
  const notices = [...recipients]
    .filter((recipient) => !waiting.has(recipient))
    .map((recipient) => {
      const id = randomHex(16);
      return { id, recipient, due: randomDueTime(now), mac: senderMacs(env, id, viewer.profileId, recipient)[0] };
    });
  const recipient = sql.ref<number>("n.recipient");
  // Checks blocks again: one made since the partners were read found no notice to delete.
  const due = db
    .selectFrom(rowsOf(notices, ["id", "recipient", "due", "mac"], "n"))
    .innerJoin("account as a", (join) => join.on("a.id", "=", recipient))
    // Never the sender's, on which the recipient may have few partners.
    .select(["n.id", "n.recipient as recipient_id", "a.home_brand as brand", "n.due as ts_due"])
    .select([sql<number>`n.due + ${EXPOSURE_WAIT_MAX_MS}`.as("ts_expires"), "n.mac as sender_mac"])
    .where(sql<boolean>`not ${wasNotifiedRecently(recipient, now)}`)
    .where(notBlocked(viewer.profileId, recipient));
  await insertFrom(db, "exposure_notice", due, {}).execute();
}

/**
 * Those of the recipients for whom a notice of this sender waits. One of another sender counts for nothing: it may be canceled by a block
 * before it is delivered.
 */
async function listOwnWaiting({ env, db, viewer }: MemberContext, recipients: readonly number[]): Promise<Set<number>> {
  const rows = await db
    .selectFrom(itemsOf(recipients, "r"))
    .innerJoin("exposure_notice as e", "e.recipient_id", "r.value")
    .select(["e.id", "e.recipient_id", "e.sender_mac"])
    .execute();
  const own = rows.filter((row) =>
    senderMacs(env, row.id, viewer.profileId, row.recipient_id).includes(row.sender_mac),
  );
  return new Set(own.map((row) => row.recipient_id));
}

function wasNotifiedRecently(recipient: RawBuilder<unknown>, now: number): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from exposure_recipient t
    where t.recipient_id = ${recipient} and t.day > ${dayOf(now - EXPOSURE_COOLDOWN_MS)})`;
}

/** A full hour after a random delay, so that neither it nor its distance to other notices reveals the time of sending. */
function randomDueTime(now: number): number {
  const due = now + EXPOSURE_DELAY_MIN_MS + secretRandom() * (EXPOSURE_DELAY_MAX_MS - EXPOSURE_DELAY_MIN_MS);
  return Math.ceil(due / HOUR_MS) * HOUR_MS;
}

/**
 * Scheduled: delivers due notices and deletes each in the same transaction, so that none is lost or delivered twice. A notice that would
 * reveal its sender is retried daily until it expires.
 */
export async function deliverExposureNotices(env: Env, now: number): Promise<void> {
  const db = openDatabase(env.DB);
  const due = await db
    .selectFrom("exposure_notice as n")
    .select(["n.id", "n.recipient_id", "n.brand", "n.ts_expires"])
    .select(sql<0 | 1>`${wasNotifiedRecently(sql.ref("n.recipient_id"), now)}`.as("told_lately"))
    .where("n.ts_due", "<=", now)
    .orderBy("n.ts_due")
    .orderBy("n.id")
    .limit(DELIVERIES_PER_RUN_MAX)
    .execute();
  await forEachDue(due, (waiting) => deliverNotice(env, waiting, now));
}

type WaitingNotice = Omit<ExposureNoticeRow, "ts_due" | "sender_mac"> & { readonly told_lately: 0 | 1 };

async function deliverNotice(env: Env, waiting: WaitingNotice, now: number): Promise<void> {
  const { id, recipient_id: profileId, brand } = waiting;
  const ctx = scheduledContext(env, brand, now);
  const { db } = ctx;
  const isAnonymous = !waiting.told_lately && (await hasEnoughPartners(env, profileId, now));
  const deleteNotice = db.deleteFrom("exposure_notice").where("id", "=", id);
  if (waiting.told_lately || (!isAnonymous && waiting.ts_expires <= now)) {
    await batch(env.DB, [deleteNotice]);
    return;
  }
  if (!isAnonymous) {
    const postponed = db.updateTable("exposure_notice").set({ ts_due: sql<number>`ts_due + ${DAY_MS}` });
    await postponed.where("id", "=", id).where("ts_due", "<=", now).execute();
    return;
  }
  const notice = {
    profileId,
    kind: "exposure",
    bodyText: inEachLocale(exposureCopy, (text) => text.notice),
    url: "/games/health",
    // Of concurrent runs only the first finds the notice, which it deletes in the same transaction.
    onlyIf: sql<boolean>`exists (select 1 from exposure_notice e where e.id = ${id})`,
  } as const;
  const [inserted] = await batch(env.DB, [
    insertNotificationQuery(ctx, notice),
    // Also those of other senders, which tell the recipient nothing more.
    db.deleteFrom("exposure_notice").where("recipient_id", "=", profileId),
    db
      .insertInto("exposure_recipient")
      .values({ recipient_id: profileId, day: dayOf(now) })
      .onConflict((conflict) => conflict.column("recipient_id").doUpdateSet({ day: dayOf(now) })),
  ]);
  if (inserted.length > 0) announce(ctx, profileId, "exposure");
}

/** Scheduled: deletes the salts of past days, without which no count can be attributed to a member. */
export function deleteOldSalts(env: Env, now: number) {
  return openDatabase(env.DB).deleteFrom("exposure_salt").where("day", "<", dayOf(now)).execute();
}
