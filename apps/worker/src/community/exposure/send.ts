/**
 * Anonymous health notices. Stored are a random id, the recipient, full hours and a keyed hash that only a block looks at: no
 * sender, no time of writing, no group. A member's sendings are counted under a secret of the day that is dropped with it.
 */
import type { ExposureDraft } from "@lambda/contract/exposure";
import {
  DAY_MS,
  EXPOSURE_DELAY_MAX_MS,
  EXPOSURE_DELAY_MIN_MS,
  EXPOSURE_PAUSE_MS,
  EXPOSURE_PER_DAY_MAX,
  EXPOSURE_WAIT_MAX_MS,
} from "@lambda/contract/limits";
import { type RawBuilder, sql } from "kysely";
import { notBlocked } from "../../members/visibility/visibility.ts";
import { inEachLocale } from "../../platform/copy.ts";
import { batch } from "../../platform/db/batch.ts";
import { rowsOf } from "../../platform/db/d1.ts";
import { type Database, openDatabase } from "../../platform/db/database.ts";
import { deletePortion } from "../../platform/db/rounds.ts";
import { openShards } from "../../platform/db/shards.ts";
import type { Env } from "../../platform/env.ts";
import { AppError } from "../../platform/errors.ts";
import { randomHex, sha256 } from "../../platform/hash.ts";
import { limit } from "../../platform/rate-limits/limit.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { announce } from "../../social/notifications/announce.ts";
import { clockContext } from "../../social/notifications/clock-context.ts";
import { insertNotificationQuery } from "../../social/notifications/notify.ts";
import { exposureCopy } from "./copy.ts";
import { senderMac } from "./end-by-block.ts";
import { hasEnoughPartners, listPartners, listPartnersSince } from "./partners.ts";

const HOUR_MS = 3_600_000;
/** What waits beyond these is delivered the next minute; each may ask several databases. */
const DELIVERIES_PER_RUN_MAX = 100;

/**
 * Queues a notice for each chosen partner, and for all partners of a time; nobody gets a second one within a month, which the
 * sender is not told. Throws NOT_FOUND when a chosen member is no visible partner, TOO_MANY_REQUESTS beyond the daily cap.
 */
export async function sendExposureNotices(ctx: MemberContext, draft: ExposureDraft): Promise<void> {
  const { env, db, brand, viewer, now } = ctx;
  const chosen = [...new Set(draft.recipientProfileIds)];
  const known = chosen.length === 0 ? [] : await listPartners(ctx, { among: chosen, limit: chosen.length });
  if (known.length !== chosen.length) throw new AppError("NOT_FOUND");
  const counter = await sha256(`${await saltOfDay(ctx)}:${viewer.profileId}`);
  await limit(ctx.env, `exposure:${counter}`, EXPOSURE_PER_DAY_MAX, DAY_MS);
  const recipients = new Set(chosen);
  if (draft.allWithinDays !== undefined) {
    for (const id of await listPartnersSince(ctx, now - draft.allWithinDays * DAY_MS)) recipients.add(id);
  }
  const notices = [...recipients].map((recipient) => {
    const id = randomHex(16);
    return { id, recipient, due: randomDueTime(now), mac: senderMac(env, id, viewer.profileId, recipient) };
  });
  const recipient = sql.ref<number>("n.recipient");
  // A block that came since the partners were read found nothing to delete yet.
  await db
    .insertInto("exposure_notice")
    .columns(["id", "recipient_id", "brand", "ts_due", "ts_expires", "sender_mac"])
    .expression((select) =>
      select
        .selectFrom(rowsOf(notices, ["id", "recipient", "due", "mac"], "n"))
        .select(["n.id", "n.recipient as recipient_id", sql.val(brand.id).as("brand"), "n.due as ts_due"])
        .select([sql<number>`n.due + ${EXPOSURE_WAIT_MAX_MS}`.as("ts_expires"), "n.mac as sender_mac"])
        .where(sql<boolean>`not exists (select 1 from exposure_notice e where e.recipient_id = ${recipient})`)
        .where(sql<boolean>`not ${wasNotifiedLately(recipient, now)}`)
        .where(notBlocked(viewer.profileId, recipient)),
    )
    .execute();
}

const dayOf = (ts: number) => Math.floor(ts / DAY_MS);

function wasNotifiedLately(recipient: RawBuilder<unknown>, now: number): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from exposure_told t
    where t.recipient_id = ${recipient} and t.day > ${dayOf(now - EXPOSURE_PAUSE_MS)})`;
}

/** A full hour, a random time away: neither the hour nor its distance to another notice's says when this one was written. */
function randomDueTime(now: number): number {
  const random = (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;
  const due = now + EXPOSURE_DELAY_MIN_MS + random * (EXPOSURE_DELAY_MAX_MS - EXPOSURE_DELAY_MIN_MS);
  return Math.ceil(due / HOUR_MS) * HOUR_MS;
}

async function saltOfDay({ db, now }: MemberContext): Promise<string> {
  const day = dayOf(now);
  const { salt } = await db
    .insertInto("exposure_salt")
    .values({ day, salt: randomHex(32) })
    .onConflict((conflict) => conflict.column("day").doUpdateSet({ salt: sql<string>`salt` }))
    .returning("salt")
    .executeTakeFirstOrThrow();
  return salt;
}

/**
 * Run by schedule: delivers what is due and deletes it with the delivery, so that none is lost or told twice. A notice that
 * would name its sender is tried again each day until it expires.
 */
export async function deliverExposureNotices(env: Env, now: number): Promise<void> {
  const db = openDatabase(env.DB);
  const due = await db
    .selectFrom("exposure_notice as n")
    .select(["n.id", "n.recipient_id", "n.brand", "n.ts_expires"])
    .select(sql<0 | 1>`${wasNotifiedLately(sql.ref("n.recipient_id"), now)}`.as("told_lately"))
    .where("n.ts_due", "<=", now)
    .orderBy("n.ts_due")
    .orderBy("n.id")
    .limit(DELIVERIES_PER_RUN_MAX)
    .execute();
  const shards = openShards(env);
  for (const waiting of due) {
    const { id, recipient_id: profileId, brand } = waiting;
    const isEnough = !waiting.told_lately && (await hasEnoughPartners(shards, profileId, now));
    const forget = db.deleteFrom("exposure_notice").where("id", "=", id).compile();
    if (waiting.told_lately || (!isEnough && waiting.ts_expires <= now)) {
      await batch(env.DB, [forget]);
      continue;
    }
    if (!isEnough) {
      await postpone(db, id, now);
      continue;
    }
    const ctx = clockContext(env, brand, now);
    const notice = {
      profileId,
      kind: "exposure",
      bodyText: inEachLocale(exposureCopy, (text) => text.notice),
      url: "/games/health",
      // Of runs at once only the first finds it, and deletes it in the same transaction.
      onlyIf: sql<boolean>`exists (select 1 from exposure_notice e where e.id = ${id})`,
    } as const;
    const [inserted] = await batch<[{ id: number }[], unknown[], unknown[]]>(env.DB, [
      insertNotificationQuery(ctx, notice),
      forget,
      db
        .insertInto("exposure_told")
        .values({ recipient_id: profileId, day: dayOf(now) })
        .onConflict((conflict) => conflict.column("recipient_id").doUpdateSet({ day: dayOf(now) }))
        .compile(),
    ]);
    if (inserted.length > 0) announce(ctx, profileId, "exposure");
  }
}

async function postpone(db: Database, id: string, now: number): Promise<void> {
  await db
    .updateTable("exposure_notice")
    .set({ ts_due: sql<number>`ts_due + ${DAY_MS}` })
    .where("id", "=", id)
    .where("ts_due", "<=", now)
    .execute();
}

/** Run by schedule: forgets recipients who may get a notice again. */
export function deleteOldRecipients(db: Database, now: number, atOnce: number): Promise<boolean> {
  const due = db
    .selectFrom("exposure_told")
    .select("recipient_id")
    .where("day", "<=", dayOf(now - EXPOSURE_PAUSE_MS))
    .limit(atOnce);
  return deletePortion(db.deleteFrom("exposure_told").where("recipient_id", "in", due), atOnce);
}

/** Run by schedule: yesterday's secret goes, and with it every way from a counter to a member. */
export function deleteOldSalts(env: Env, now: number) {
  return openDatabase(env.DB).deleteFrom("exposure_salt").where("day", "<", dayOf(now)).execute();
}
