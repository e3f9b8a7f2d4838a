/** Matches confirmed notices with stored pictures, and hides them before staff look if the notice is credible. */
import { getBrand } from "@lambda/brands";
import {
  DAY_MS,
  NOTICE_HIDDEN_MAX,
  NOTICE_HIDDEN_PER_SENDER_MAX,
  NOTICE_MAILBOX_DISTRUSTED_MS,
  NOTICE_NETWORK_DISTRUSTED_MS,
  NOTICE_PICTURES_MAX,
  NOTICES_HIDING_PER_DAY_MAX,
} from "@lambda/contract/limits";
import { sql } from "kysely";
import {
  announce,
  insertNotificationQuery,
  type NewNotification,
  type NotifyContext,
  scheduledContext,
} from "../../messaging/notifications/notify.ts";
import { inEachLocale } from "../../platform/copy.ts";
import { guardQuery, openDatabase, passesGuards } from "../../platform/db/database.ts";
import type { NoticeRow } from "../../platform/db/tables.ts";
import type { Env } from "../../platform/env.ts";
import { forEachDue } from "../../platform/for-each.ts";
import { isWithinLimit } from "../../platform/rate-limits/limit.ts";
import { withAudit } from "../audit/log.ts";
import { attachQueries } from "./attach.ts";
import { type AttachablePicture, listAttachable } from "./attachable.ts";
import { noticeCopy } from "./copy.ts";
import { parseReferences } from "./references.ts";
import { listCopies } from "./upload.ts";

/**
 * Which pictures a notice hides before staff look. docs/decisions/2026-11-22-legal-notices-without-an-account.md says what is credible and
 * what limits abuse; these limits never keep a notice from being received. A network may belong to thousands of people, so what one of them
 * did limits only pictures that are named by address: whoever attaches the picture is judged by their mailbox alone.
 */
async function listHiddenAtOnce(
  ctx: NotifyContext,
  notice: NoticeRow,
  pictures: readonly AttachablePicture[],
): Promise<AttachablePicture[]> {
  // A held picture is already invisible, and its owner must not be notified.
  const candidates = notice.kind === "intimate" ? pictures.filter(({ cleared, held }) => !cleared && !held) : [];
  if (candidates.length === 0) return [];
  const sender = await readSender(ctx, notice);
  if (sender.falseByMailbox) return [];
  const isNetworkTrusted =
    !sender.falseByNetwork && sender.hiddenByNetwork + candidates.length <= NOTICE_HIDDEN_PER_SENDER_MAX;
  const hidden = isNetworkTrusted ? candidates : candidates.filter(({ matches }) => matches);
  const { hiddenByMailbox, hiddenByAll } = sender;
  const isWithinMax =
    hiddenByMailbox + hidden.length <= NOTICE_HIDDEN_PER_SENDER_MAX && hiddenByAll + hidden.length <= NOTICE_HIDDEN_MAX;
  if (hidden.length === 0 || !isWithinMax) return [];
  return (await isWithinLimit(ctx.env, "notices-of-all", NOTICES_HIDING_PER_DAY_MAX, DAY_MS)) ? hidden : [];
}

/** False notices of the sender, and undecided pictures that are hidden. */
function readSender({ db, now }: NotifyContext, { sender_mailbox: mailbox, sender_network: network }: NoticeRow) {
  const byMailbox = sql<boolean>`n.sender_mailbox = ${mailbox}`;
  const byNetwork = sql<boolean>`n.sender_network = ${network}`;
  const hasFalse = (bySender: typeof byMailbox, forMs: number) =>
    sql<number>`exists (select 1 from notice n where n.unfounded = 1 and n.ts_decided > ${now - forMs} and ${bySender})`;
  const countHidden = (bySender: typeof byMailbox) =>
    sql<number>`(select count(*) from notice n join notice_picture h on h.notice_id = n.id
      where n.ts_decided is null and h.state = 'hidden' and ${bySender})`;
  return db
    .selectNoFrom([
      hasFalse(byMailbox, NOTICE_MAILBOX_DISTRUSTED_MS).as("falseByMailbox"),
      hasFalse(byNetwork, NOTICE_NETWORK_DISTRUSTED_MS).as("falseByNetwork"),
      countHidden(byMailbox).as("hiddenByMailbox"),
      countHidden(byNetwork).as("hiddenByNetwork"),
      countHidden(sql<boolean>`1`).as("hiddenByAll"),
    ])
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
