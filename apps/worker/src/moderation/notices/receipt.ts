import { DAY_MS, NOTICE_DUE_MS } from "@lambda/contract/limits";
import type { NoticeReceipt } from "@lambda/contract/notices";
import { sql } from "kysely";
import type { NotifyContext } from "../../notifications/notify.ts";
import type { Context } from "../../platform/context.ts";
import { batch, guardQuery, passesGuards } from "../../platform/db/database.ts";
import type { NoticeRow } from "../../platform/db/tables.ts";
import { AppError } from "../../platform/errors.ts";
import { toIso, toIsoOrNull } from "../../platform/iso-time.ts";
import { isEqualInConstantTime } from "../../platform/mac.ts";
import { isWithinLimit } from "../../platform/rate-limits/limit.ts";
import { announceToAllRegions } from "../../platform/replication/watermarks.ts";
import { withAudit } from "../audit/log.ts";
import { conflictIfDecided } from "../staff/cases.ts";
import { noticeEvent } from "./events.ts";
import { addressCodes, receiptSecrets } from "./keyed-hashes.ts";
import { prepareReceipt } from "./mails.ts";
import { matchNotice } from "./match.ts";

/** When the law requires a decision, as an ISO time; null if it sets no deadline. */
export function noticeDeadline(kind: string, tsCreated: number): string | null {
  return kind === "intimate" ? toIso(tsCreated + NOTICE_DUE_MS) : null;
}

interface ReceiptKey {
  readonly ref: string;
  readonly secret: string;
}

/** Loads the notice of a receipt. Throws the same NOT_FOUND for an unknown number and for a wrong secret. */
async function getByReceipt({ db, env }: Context, { ref, secret }: ReceiptKey): Promise<NoticeRow> {
  const row = await db.selectFrom("notice").selectAll().where("ref", "=", ref).executeTakeFirst();
  if (!receiptSecrets(env, ref).some((valid) => isEqualInConstantTime(secret, valid)) || !row)
    throw new AppError("NOT_FOUND");
  return row;
}

/** Returns what the notifier can follow. With the code from the mail, it first confirms the address; one of an older key brings a new mail. */
export async function openReceipt(
  ctx: Context,
  request: ReceiptKey & { code?: string | undefined },
): Promise<NoticeReceipt> {
  const row = await getByReceipt(ctx, request);
  const isProven = row.ts_disowned === null && (await provesAddress(ctx, row, request.code));
  if (isProven && row.ts_confirmed === null) await confirmNotice(ctx, row);
  return toReceipt(ctx, row, isProven || row.ts_confirmed !== null);
}

async function provesAddress(ctx: Context, row: NoticeRow, code: string | undefined): Promise<boolean> {
  const { ref, email, ts_confirmed } = row;
  if (code === undefined || email === "") return false;
  const [newest, ...older] = addressCodes(ctx.env, ref, email);
  const isOlder = older.some((former) => isEqualInConstantTime(code, former));
  if (isOlder && ts_confirmed === null) await mailAgain(ctx, row);
  return isEqualInConstantTime(code, newest);
}

/** A key that changes on the way from the mail to its link must not keep a picture visible. Once a day, as others may have the old one. */
async function mailAgain(ctx: Context, { id, ref, locale, email, kind }: NoticeRow): Promise<void> {
  if (!(await isWithinLimit(ctx.env, `receipt-again:${id}`, 1, DAY_MS))) return;
  const mail = prepareReceipt(ctx, { ref, locale, email, kind });
  await batch(ctx.d1, mail.queries);
  ctx.waitUntil(mail.deliver());
}

/**
 * The owner of the address did not file this notice: it can no longer be confirmed, and for a while nobody can file with their mailbox,
 * which ends the mails. Throws CONFLICT if it is confirmed.
 */
export async function disownNotice(ctx: Context, request: ReceiptKey & { code: string }): Promise<void> {
  const row = await getByReceipt(ctx, request);
  if (!(await provesAddress(ctx, row, request.code))) throw new AppError("NOT_FOUND");
  const disowned = await ctx.db
    .updateTable("notice")
    .set({ ts_disowned: ctx.now })
    .where("id", "=", row.id)
    .where("ts_confirmed", "is", null)
    .returning("id")
    .execute();
  if (disowned.length === 0) throw new AppError("CONFLICT");
}

/** Marks the notice as confirmed. Its pictures are matched after the response, which must not reveal what exists. */
export async function confirmNotice(
  ctx: NotifyContext,
  notice: Pick<NoticeRow, "id" | "brand" | "case_ref" | "category">,
): Promise<void> {
  const { id } = notice;
  const isUnconfirmed = sql<boolean>`exists (select 1 from notice where id = ${id} and ts_confirmed is null
    and ts_disowned is null)`;
  const confirm = ctx.db.updateTable("notice").set({ ts_confirmed: ctx.now }).where("id", "=", id);
  const received = noticeEvent(notice, "received", { by: "visitor", details: { rule: notice.category } });
  // A concurrent request may confirm or disown it first.
  if (!(await passesGuards(withAudit(ctx, [guardQuery(ctx.db, isUnconfirmed), confirm], [received])))) return;
  // The response's own notification of other regions came too early to include what matching hides.
  ctx.waitUntil(matchNotice(ctx, id).then(() => announceToAllRegions(ctx.env)));
}

/** Stores the notifier's one answer to a question from staff. Throws CONFLICT if no question is open. */
export async function answerQuestion(ctx: Context, request: ReceiptKey & { text: string }): Promise<NoticeReceipt> {
  const row = await getByReceipt(ctx, request);
  const { db, now } = ctx;
  const isAsked = sql<boolean>`exists (select 1 from notice where id = ${row.id} and state = 'asked')`;
  await conflictIfDecided(() =>
    batch(ctx.d1, [
      guardQuery(db, isAsked),
      db.updateTable("notice").set({ state: "open" }).where("id", "=", row.id),
      db.insertInto("notice_message").values({ notice_id: row.id, by_staff: 0, text: request.text, ts_created: now }),
    ]),
  );
  return toReceipt(ctx, { ...row, state: "open" }, row.ts_confirmed !== null);
}

async function toReceipt({ db }: Context, row: NoticeRow, confirmed: boolean): Promise<NoticeReceipt> {
  const [messages, counters] = await Promise.all([
    listMessages(db, row.id),
    db
      .selectFrom("notice_counter")
      .select("result")
      .where("notice_id", "=", row.id)
      // Before a decision, showing a counter-notice would reveal that a picture was found.
      .where(sql<boolean>`${row.state} = 'removed'`)
      .execute(),
  ]);
  const [pending] = counters.filter(({ result }) => result === null);
  return {
    ref: row.ref,
    kind: row.kind,
    state: row.state,
    confirmed,
    anonymous: row.anonymous === 1,
    reason: row.reason,
    messages,
    counter: pending
      ? "waiting"
      : ((counters.find(({ result }) => result === "upheld") ?? counters[0])?.result ?? null),
    tsCreated: toIso(row.ts_created),
    tsDue: noticeDeadline(row.kind, row.ts_created),
    tsDecided: toIsoOrNull(row.ts_decided),
  };
}

/** Lists the questions of staff and the notifier's answers, oldest first. */
export async function listMessages(db: Context["db"], noticeId: number) {
  const rows = await db
    .selectFrom("notice_message")
    .select(["by_staff", "text", "ts_created"])
    .where("notice_id", "=", noticeId)
    .orderBy("id")
    .limit(100)
    .execute();
  return rows.map(({ by_staff, text, ts_created }) => ({
    by: by_staff === 1 ? ("staff" as const) : ("notifier" as const),
    text,
    tsCreated: toIso(ts_created),
  }));
}
