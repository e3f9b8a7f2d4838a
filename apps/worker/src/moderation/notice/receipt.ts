import type { NoticeReceipt } from "@lambda/contract/notices";
import { sql } from "kysely";
import type { Context } from "../../platform/context.ts";
import type { NoticeRow } from "../../platform/db/tables.ts";
import { AppError } from "../../platform/errors.ts";
import { tellAllNow } from "../../platform/near/watermarks.ts";
import type { NotifyContext } from "../../social/notifications/notify.ts";
import { withAudit } from "../audit/log.ts";
import { dueOf } from "./due.ts";
import { receivedEvent } from "./events.ts";
import { matchNotice } from "./match.ts";
import { addressCode, isSame, receiptSecret } from "./sealed.ts";

interface Asked {
  readonly ref: string;
  readonly secret: string;
}

/** The notice behind a receipt. Throws the same NOT_FOUND for a number that is unknown and for a wrong secret. */
async function getByReceipt({ db, env }: Context, { ref, secret }: Asked): Promise<NoticeRow> {
  const row = await db.selectFrom("notice").selectAll().where("ref", "=", ref).executeTakeFirst();
  if (!isSame(secret, receiptSecret(env, ref)) || !row) throw new AppError("NOT_FOUND");
  return row;
}

/** What the notifier may follow; with the mail's code the address is confirmed first. */
export async function openReceipt(ctx: Context, asked: Asked & { code?: string | undefined }): Promise<NoticeReceipt> {
  const row = await getByReceipt(ctx, asked);
  const { code } = asked;
  const proved = code !== undefined && row.email !== "" && isSame(code, addressCode(ctx.env, row.ref, row.email));
  if (proved && row.ts_confirmed === null) await confirmNotice(ctx, row.id);
  return toReceipt(ctx, row, proved || row.ts_confirmed !== null);
}

/** The address is its sender's; what the notice names is looked for after the answer, which must not tell. */
export async function confirmNotice(ctx: NotifyContext, id: number): Promise<void> {
  const row = await ctx.db
    .updateTable("notice")
    .set({ ts_confirmed: ctx.now })
    .where("id", "=", id)
    .where("ts_confirmed", "is", null)
    .returning(["brand", "case_ref", "category"])
    .executeTakeFirst();
  if (!row) return;
  await withAudit(ctx, [], [receivedEvent(row)]);
  // What it hides then, the answer's own telling did not know of.
  ctx.waitUntil(matchNotice(ctx, id).then(() => tellAllNow(ctx.env)));
}

/** The notifier's answer to what staff asked; one for each question. Throws CONFLICT when nothing is asked. */
export async function answerQuestion(ctx: Context, asked: Asked & { text: string }): Promise<NoticeReceipt> {
  const row = await getByReceipt(ctx, asked);
  const reopened = await ctx.db
    .updateTable("notice")
    .set({ state: "open" })
    .where("id", "=", row.id)
    .where("state", "=", "asked")
    .returning("id")
    .executeTakeFirst();
  if (!reopened) throw new AppError("CONFLICT");
  await ctx.db
    .insertInto("notice_message")
    .values({ notice_id: row.id, by_staff: 0, text: asked.text, ts_created: ctx.now })
    .execute();
  return toReceipt(ctx, { ...row, state: "open" }, row.ts_confirmed !== null);
}

async function toReceipt({ db }: Context, row: NoticeRow, confirmed: boolean): Promise<NoticeReceipt> {
  const [messages, counters] = await Promise.all([
    listMessages(db, row.id),
    db
      .selectFrom("notice_counter")
      .select("result")
      .where("notice_id", "=", row.id)
      // While nothing is decided, the other side's answer would tell that there is one.
      .where(sql<boolean>`${row.state} = 'removed'`)
      .execute(),
  ]);
  const [open] = counters.filter(({ result }) => result === null);
  return {
    ref: row.ref,
    kind: row.kind,
    state: row.state,
    confirmed,
    anonymous: row.anonymous === 1,
    reason: row.reason,
    messages,
    counter: open ? "waiting" : ((counters.find(({ result }) => result === "upheld") ?? counters[0])?.result ?? null),
    tsCreated: new Date(row.ts_created).toISOString(),
    tsDue: dueOf(row.kind, row.ts_created),
    tsDecided: row.ts_decided === null ? null : new Date(row.ts_decided).toISOString(),
  };
}

/** What staff asked and the notifier answered, oldest first. */
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
    tsCreated: new Date(ts_created).toISOString(),
  }));
}
