/** Notices as staff read them, within the admin's scope. */
import type { BrandId } from "@lambda/brands";
import { NOTICE_ALARM_MS, NOTICE_DUE_MS, QUEUE_PAGE_SIZE } from "@lambda/contract/limits";
import type { DeskNotice, DeskNoticeFile, NOTICE_VIEWS, NoticeCounts } from "@lambda/contract/notices";
import { sql } from "kysely";
import type { z } from "zod";
import { notFound } from "../../platform/errors.ts";
import { toIso, toIsoOrNull } from "../../platform/iso-time.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { noticeInScope } from "../staff/scope.ts";
import { baseRef, partRef } from "./attach.ts";
import { listMessages, noticeDeadline } from "./receipt.ts";
import { parseReferences } from "./references.ts";

type View = (typeof NOTICE_VIEWS)[number];

const OPEN_COUNTER = sql<boolean>`(n.state = 'removed'
  and exists (select 1 from notice_counter c where c.notice_id = n.id and c.result is null))`;

function selectNotices(ctx: MemberContext) {
  return ctx.db
    .selectFrom("notice as n")
    .selectAll("n")
    .select(sql<number>`(select count(*) from notice_picture h where h.notice_id = n.id)`.as("pictures"))
    .select(
      sql<number>`exists (select 1 from notice_counter c where c.notice_id = n.id and c.result is null)`.as(
        "countered",
      ),
    )
    .where(noticeInScope(ctx));
}
type Row = Awaited<ReturnType<ReturnType<typeof selectNotices>["executeTakeFirstOrThrow"]>>;

/** Unconfirmed ones give way, and the first ones of each network go before its next, so that no sender hides the notices of others. */
const openPage = (ctx: MemberContext) => sql<number>`(select o.id from (
  select n.id, n.ts_created, n.ts_confirmed is null and n.anonymous = 0 as unconfirmed,
    row_number() over (partition by ifnull(n.sender_network, n.id) order by n.ts_confirmed is null, n.ts_created) as nth
  from notice n where n.ts_decided is null and ${noticeInScope(ctx)}) o
  order by o.unconfirmed, o.nth, o.ts_created limit ${QUEUE_PAGE_SIZE})`;

export async function listNotices(ctx: MemberContext, view: View): Promise<DeskNotice[]> {
  const query = selectNotices(ctx).limit(QUEUE_PAGE_SIZE);
  const selectView = {
    // Notices with a legal deadline come first, the oldest leading; the deadline runs even if the address is
    // unconfirmed.
    open: () => query.where("n.id", "in", openPage(ctx)).orderBy(sql`n.kind = 'illegal'`).orderBy("n.ts_created"),
    counters: () => query.where(OPEN_COUNTER).orderBy("n.ts_decided"),
    decided: () => query.where("n.ts_decided", "is not", null).orderBy("n.ts_decided", "desc"),
  }[view];
  return (await selectView().execute()).map(toDeskNotice);
}

/** Throws NOT_FOUND out of scope. */
export async function readNotice(ctx: MemberContext, id: number): Promise<DeskNoticeFile> {
  const row = await getNotice(ctx, id);
  const { db } = ctx;
  const [messages, pictures, counters] = await Promise.all([
    listMessages(db, id),
    db
      .selectFrom("notice_picture as h")
      .innerJoin("profile as p", "p.id", "h.profile_id")
      .select([
        "h.picture_id",
        "h.profile_id",
        "p.profile_name",
        "h.state",
        "h.hidden_immediately",
        "h.was_public",
        "h.alike",
      ])
      .where("h.notice_id", "=", id)
      .orderBy("h.picture_id")
      .execute(),
    db
      .selectFrom("notice_counter")
      .select(["profile_id", "text", "result", "ts_created"])
      .where("notice_id", "=", id)
      .execute(),
  ]);
  return {
    ...toDeskNotice(row),
    role: row.role,
    name: row.name,
    email: row.email,
    contact: row.contact,
    location: row.location,
    explanation: row.explanation,
    reason: row.reason,
    unfounded: row.unfounded === 1,
    disowned: row.ts_disowned !== null,
    hasUpload: row.upload_hash !== null,
    reportId: row.report_id,
    profileIds: [...parseReferences(row.location).profileIds],
    messages,
    pictureList: pictures.map((picture) => ({
      pictureId: picture.picture_id,
      profileId: picture.profile_id,
      profileName: picture.profile_name,
      state: picture.state,
      atOnce: picture.hidden_immediately === 1,
      wasPublic: picture.was_public === 1,
      alike: picture.alike === 1,
    })),
    counters: counters.map(({ profile_id, text, result, ts_created }) => ({
      profileId: profile_id,
      text,
      result,
      tsCreated: toIso(ts_created),
    })),
  };
}

/** Throws NOT_FOUND out of scope. */
export async function getNotice(ctx: MemberContext, id: number): Promise<Row> {
  return selectNotices(ctx).where("n.id", "=", id).executeTakeFirstOrThrow(notFound);
}

/** The notice, or its part, that a brand's staff decide; undefined if there is none yet. */
export function findPart(ctx: MemberContext, ref: string, brand: BrandId): Promise<Row | undefined> {
  const refs = [baseRef(ref), partRef(ref, brand)];
  return selectNotices(ctx).where("n.ref", "in", refs).where("n.brand", "=", brand).executeTakeFirst();
}

/** The counts in the desk's banner. */
export async function countNotices(ctx: MemberContext): Promise<z.output<typeof NoticeCounts>> {
  const { db, now } = ctx;
  const [open, counterNotices] = await Promise.all([
    db
      .selectFrom("notice as n")
      .select(({ fn }) => fn.countAll<number>().as("open"))
      .select(
        sql<number>`coalesce(sum(n.kind = 'intimate' and n.ts_created <= ${now - NOTICE_ALARM_MS}), 0)`.as("late"),
      )
      .select(
        sql<number>`coalesce(sum(n.kind = 'intimate' and n.ts_created <= ${now - NOTICE_DUE_MS}), 0)`.as("overdue"),
      )
      .select(sql<number | null>`min(case n.kind when 'intimate' then n.ts_created end)`.as("oldest"))
      .where("n.ts_decided", "is", null)
      .where(noticeInScope(ctx))
      .executeTakeFirstOrThrow(),
    db
      .selectFrom("notice as n")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where(OPEN_COUNTER)
      .where(noticeInScope(ctx))
      .executeTakeFirstOrThrow(),
  ]);
  return {
    open: open.open,
    late: open.late,
    overdue: open.overdue,
    counters: counterNotices.count,
    tsNextDue: open.oldest === null ? null : noticeDeadline("intimate", open.oldest),
  };
}

function toDeskNotice(row: Row): DeskNotice {
  return {
    id: row.id,
    ref: row.ref,
    brand: row.brand,
    kind: row.kind,
    category: row.category as DeskNotice["category"],
    state: row.state,
    confirmed: row.ts_confirmed !== null,
    pictures: row.pictures,
    countered: row.countered === 1,
    tsCreated: toIso(row.ts_created),
    tsDue: noticeDeadline(row.kind, row.ts_created),
    tsDecided: toIsoOrNull(row.ts_decided),
  };
}
