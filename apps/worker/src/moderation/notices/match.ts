/** Matches confirmed notices with stored pictures, and hides them before staff look if the notice is credible. */
import { getBrand } from "@lambda/brands";
import {
  NOTICE_HIDDEN_PER_OWNER_MAX,
  NOTICE_HIDDEN_PER_SENDER_MAX,
  NOTICE_MAILBOX_DISTRUSTED_MS,
  NOTICE_PICTURES_MAX,
} from "@lambda/contract/limits";
import { type RawBuilder, sql } from "kysely";
import {
  announce,
  insertNotificationQuery,
  type NewNotification,
  type NotifyContext,
  scheduledContext,
} from "../../notifications/notify.ts";
import { inEachLocale } from "../../platform/copy.ts";
import { guardQuery, openDatabase, passesGuards } from "../../platform/db/database.ts";
import type { NoticeRow } from "../../platform/db/tables.ts";
import type { Env } from "../../platform/env.ts";
import { forEachDue } from "../../platform/for-each.ts";
import { withAudit } from "../audit/log.ts";
import { attachQueries } from "./attach.ts";
import { type AttachablePicture, listAttachable } from "./attachable.ts";
import { noticeCopy } from "./copy.ts";
import { mailboxMarks } from "./keyed-hashes.ts";
import { parseReferences } from "./references.ts";
import { listCopies } from "./upload.ts";

/**
 * Which pictures a notice hides before staff look: copies of what it attaches, as anybody can write an address. Of one member three at most,
 * whoever asks; a sender from elsewhere has one more, or the first three notices would protect what a fourth is about.
 */
async function listHiddenAtOnce(
  ctx: NotifyContext,
  notice: NoticeRow,
  pictures: readonly AttachablePicture[],
): Promise<AttachablePicture[]> {
  // A held picture is already invisible, and its owner must not be notified.
  const isCandidate = ({ matches, cleared, held }: AttachablePicture) => matches && !cleared && !held;
  const candidates = notice.kind === "intimate" ? pictures.filter(isCandidate) : [];
  if (candidates.length === 0) return [];
  const sender = await readSender(ctx, notice);
  if (sender.wasFalse) return [];
  const owners = [...Map.groupBy(candidates, ({ profile_id }) => profile_id)];
  const hidden = await Promise.all(
    owners.map(async ([owner, own]) => {
      const { all, bySender } = await countHiddenOf(ctx, owner, notice);
      // What another notice has hidden already takes nothing more from its owner.
      const [before, further] = [own.filter(({ withheld }) => withheld), own.filter(({ withheld }) => !withheld)];
      return [...before, ...further.slice(0, Math.max(NOTICE_HIDDEN_PER_OWNER_MAX - all, bySender === 0 ? 1 : 0))];
    }),
  );
  return hidden.flat().slice(0, Math.max(0, NOTICE_HIDDEN_PER_SENDER_MAX - sender.hidden));
}

/** Earlier notices of the mailbox may have been marked under an older key. */
function isOfMailbox({ env }: NotifyContext, { email }: NoticeRow): RawBuilder<boolean> {
  const marks = email === "" ? [] : mailboxMarks(env, email);
  return sql<boolean>`n.sender_mailbox in (${sql.join(marks)})`;
}

/** Whether the mailbox sent a false notice, and how many undecided pictures it hides. */
function readSender(ctx: NotifyContext, notice: NoticeRow) {
  const { db, now } = ctx;
  const isOfSender = isOfMailbox(ctx, notice);
  return db
    .selectNoFrom([
      sql<number>`exists (select 1 from notice n where n.unfounded = 1 and ${isOfSender}
        and n.ts_decided > ${now - NOTICE_MAILBOX_DISTRUSTED_MS})`.as("wasFalse"),
      sql<number>`(select count(*) from notice n join notice_picture h on h.notice_id = n.id
        where n.ts_decided is null and h.state = 'hidden' and ${isOfSender})`.as("hidden"),
    ])
    .executeTakeFirstOrThrow();
}

/** How many pictures of an owner are hidden and undecided, and how many of them by the sender's mailbox or network. */
function countHiddenOf(ctx: NotifyContext, owner: number, notice: NoticeRow) {
  const countOf = (condition: RawBuilder<boolean>) =>
    sql<number>`count(distinct iif(${condition}, h.picture_id, null))`;
  return ctx.db
    .selectFrom("notice_picture as h")
    .innerJoin("notice as n", "n.id", "h.notice_id")
    .select([
      countOf(sql`1`).as("all"),
      countOf(sql`${isOfMailbox(ctx, notice)} or n.sender_network = ${notice.sender_network}`).as("bySender"),
    ])
    .where("h.profile_id", "=", owner)
    .where("h.state", "=", "hidden")
    .where("n.ts_decided", "is", null)
    .executeTakeFirstOrThrow();
}

/**
 * Matches a confirmed notice's pictures and hides them if the notice is credible. Of concurrent calls only one
 * takes effect.
 */
export async function matchNotice(ctx: NotifyContext, id: number): Promise<void> {
  const notice = await ctx.db
    .selectFrom("notice")
    .selectAll()
    .where("id", "=", id)
    .where("ts_matched", "is", null)
    .where("ts_confirmed", "is not", null)
    .executeTakeFirst();
  if (!notice) return;
  const { location, upload_hash: hash, upload_print: sealed_print } = notice;
  const addressed = parseReferences(location).pictureIds;
  const matching = await listCopies(ctx.env, ctx.db, [{ hash, sealed_print }], NOTICE_PICTURES_MAX);
  const attachable = await listAttachable(ctx.db, notice.brand, { addressed, matching });
  const named = attachable.slice(0, NOTICE_PICTURES_MAX);
  const pictures = [...named, ...(await listAlike(ctx, notice, named))];
  const toHide = await listHiddenAtOnce(ctx, notice, named);
  const hidden = new Set(toHide.map((picture) => picture.id));
  const { brand, queries, events } = attachQueries(ctx, notice, pictures, { hidden });
  // The owner is notified on the brand whose staff decide.
  const newlyHidden = toHide.filter(({ withheld }) => withheld === 0);
  const owners = new Map(newlyHidden.map(({ profile_id, desk }) => [profile_id, { ...ctx, brand: getBrand(desk) }]));
  const isUnmatched = sql<boolean>`exists (select 1 from notice where id = ${id} and ts_matched is null)`;
  const all = [
    guardQuery(ctx.db, isUnmatched),
    ctx.db.updateTable("notice").set({ ts_matched: ctx.now, brand }).where("id", "=", id),
    ...queries,
    ...[...owners].map(([profileId, ownerCtx]) =>
      insertNotificationQuery(ownerCtx, ownerNotification(profileId, "hidden")),
    ),
  ];
  // The scheduled job and the request may run this at the same time.
  if (!(await passesGuards(withAudit(ctx, all, events)))) return;
  for (const [profileId, ownerCtx] of owners) announce(ownerCtx, profileId, "standing");
}

/**
 * Other copies of a notice's pictures that any member may see, for staff to decide about each with the notice. Those that only some may see
 * are found after a removal (pictures/known/stored-copies.ts).
 */
async function listAlike(
  { env, db }: NotifyContext,
  { brand, category }: Pick<NoticeRow, "brand" | "category">,
  named: readonly AttachablePicture[],
): Promise<AttachablePicture[]> {
  if (category !== "intimate" && category !== "minor") return [];
  const known = new Set(named.map(({ id }) => id));
  const copies = await listCopies(env, db, named, known.size + NOTICE_PICTURES_MAX);
  const addressed = copies.filter((id) => !known.has(id));
  const alike = await listAttachable(db, brand, { addressed, matching: [] });
  return alike.map((picture) => ({ ...picture, alike: true }));
}

/** Scheduled: matches confirmed notices whose request ended before they were matched. */
export async function matchPendingNotices(env: Env, now: number): Promise<void> {
  const pending = await openDatabase(env.DB)
    .selectFrom("notice")
    .select(["id", "brand"])
    .where("ts_matched", "is", null)
    .where("ts_confirmed", "is not", null)
    .orderBy("id")
    .limit(50)
    .execute();
  await forEachDue(pending, ({ id, brand }) => matchNotice(scheduledContext(env, brand, now), id));
}

export type OwnerEvent = keyof (typeof noticeCopy)["en"]["owner"];

/** To a picture's owner, without revealing who filed the notice. */
export function ownerNotification(profileId: number, event: OwnerEvent): NewNotification {
  const bodyText = inEachLocale(noticeCopy, (text) => text.owner[event]);
  return { profileId, kind: "standing", bodyText, url: "/games/dungeon" };
}
