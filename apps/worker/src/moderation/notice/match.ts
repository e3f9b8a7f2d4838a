/**
 * Matches a confirmed notice with stored pictures and, before staff look, hides them if it is a credible notice about
 * an intimate picture. docs/decisions/2026-11-22-legal-notices-without-an-account.md says what is credible and what limits
 * abuse.
 */
import type { BrandId } from "@lambda/brands";
import { BRANDS, getBrand } from "@lambda/brands";
import {
  NOTICE_HIDDEN_MAX,
  NOTICE_HIDDEN_PER_SENDER_MAX,
  NOTICE_PICTURES_MAX,
  NOTICE_SENDER_DISTRUSTED_MS,
} from "@lambda/contract/limits";
import { sql } from "kysely";
import { inEachLocale } from "../../platform/copy.ts";
import type { Compiled } from "../../platform/db/batch.ts";
import { valuesOf } from "../../platform/db/d1.ts";
import { type Database, openDatabase } from "../../platform/db/database.ts";
import { guardQuery, isGuardFailure } from "../../platform/db/guard.ts";
import type { NoticeRow } from "../../platform/db/tables.ts";
import type { Env } from "../../platform/env.ts";
import { forEachDespiteErrors } from "../../platform/for-each.ts";
import { HASH_QUALITY_MIN } from "../../platform/images/perceptual-hash.ts";
import { announce } from "../../social/notifications/announce.ts";
import { insertNotificationQuery, type NotifyContext } from "../../social/notifications/notify.ts";
import { scheduledContext } from "../../social/notifications/scheduled-context.ts";
import { hiddenByNotice, isHeld } from "../../social/pictures/hidden.ts";
import { hidePictureQueries } from "../../social/pictures/queries.ts";
import { withAudit } from "../audit/log.ts";
import { noticeCopy } from "./copy.ts";
import { withheldEvent } from "./events.ts";
import { parseReferences } from "./references.ts";
import { listSimilarPictures } from "./upload.ts";

/** A stored picture that a notice is about. */
export interface MatchedPicture {
  readonly id: number;
  readonly profile_id: number;
  readonly version: number;
  readonly home_brand: string;
  readonly shared_on: number;
  /** Whether staff have kept it after an earlier notice. */
  readonly cleared: number;
  /** Whether another notice already hides it. */
  readonly withheld: number;
  /** Whether it is held as a known picture. */
  readonly held: number;
  /** Null if the picture is too plain to be distinctive. */
  readonly hash: string | null;
}

/**
 * Matches a confirmed notice's pictures and hides them if the notice is credible. Of concurrent calls only one
 * takes effect.
 */
export async function matchNotice(caller: NotifyContext, id: number): Promise<void> {
  const notice = await caller.db
    .selectFrom("notice")
    .selectAll()
    .where("id", "=", id)
    .where("ts_matched", "is", null)
    .where("ts_confirmed", "is not", null)
    .executeTakeFirst();
  if (!notice) return;
  const referenced = parseReferences(notice.location).pictureIds;
  const { upload_hash: hash } = notice;
  const similar = hash === null ? [] : await listSimilarPictures(caller.db, hash, NOTICE_PICTURES_MAX);
  const pictures = await listPictures(caller.db, [...new Set([...referenced, ...similar])]);
  const credible = notice.kind === "intimate" && (await isCredible(caller, notice, pictures.length));
  // A held picture is already invisible, and its owner must not be notified.
  const toHide = credible ? pictures.filter(({ cleared, held }) => cleared === 0 && held === 0) : [];
  const newlyHidden = toHide.filter(({ withheld }) => withheld === 0);
  const owners = [...new Set(newlyHidden.map((picture) => picture.profile_id))];
  const brand = chooseDesk(notice.brand, pictures);
  const ctx = { ...caller, brand: getBrand(brand) };
  const guard = guardQuery(ctx.db, sql<boolean>`exists (select 1 from notice where id = ${id} and ts_matched is null)`);
  const queries = [
    guard,
    ctx.db.updateTable("notice").set({ ts_matched: ctx.now, brand }).where("id", "=", id).compile(),
    ...pictures.flatMap((picture) => insertNoticePictureQueries(ctx, notice.id, picture, toHide.includes(picture))),
    ...owners.map((profileId) => notifyOwnerQuery(ctx, profileId, "hidden")),
  ];
  const hiddenIds = toHide.map((picture) => picture.id);
  const events = hiddenIds.length > 0 ? [withheldEvent({ ...notice, brand }, hiddenIds)] : [];
  try {
    await withAudit(ctx, queries, events);
  } catch (error) {
    // The scheduled job and the request may run this at the same time.
    if (isGuardFailure(error)) return;
    throw error;
  }
  for (const profileId of owners) announce(ctx, profileId, "standing");
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
  await forEachDespiteErrors(pending, ({ id, brand }) => matchNotice(scheduledContext(env, brand, now), id));
}

/** Lists the given pictures that exist, regardless of who may see them. */
export function listPictures(db: Database, ids: readonly number[]): Promise<MatchedPicture[]> {
  if (ids.length === 0) return Promise.resolve([]);
  const cleared = sql<number>`exists (select 1 from notice_picture n where n.picture_id = pic.id and n.state = 'cleared')`;
  return db
    .selectFrom(valuesOf(ids, "wanted"))
    .innerJoin("picture as pic", "pic.id", "wanted.column1")
    .innerJoin("profile as p", "p.id", "pic.profile_id")
    .innerJoin("account as a", "a.id", "pic.profile_id")
    .leftJoin("picture_hash as x", (join) =>
      join.onRef("x.picture_id", "=", "pic.id").on("x.quality", ">=", sql.lit(HASH_QUALITY_MIN)),
    )
    .select(["pic.id", "pic.profile_id", "pic.version", "a.home_brand", "p.shared_on", "x.hash"])
    .select(sql<number>`${isHeld("pic")}`.as("held"))
    .select(cleared.as("cleared"))
    .select(sql<number>`${hiddenByNotice(sql.ref("pic.id"))}`.as("withheld"))
    .execute();
}

/** Compiles the insert of a notice's picture and, if it is to be hidden, the queries that hide it. */
export function insertNoticePictureQueries(
  { db, now }: Pick<NotifyContext, "db" | "now">,
  noticeId: number,
  picture: Pick<MatchedPicture, "id" | "profile_id" | "version" | "hash">,
  hidden: boolean,
): Compiled[] {
  const row = {
    notice_id: noticeId,
    picture_id: picture.id,
    profile_id: picture.profile_id,
    version: picture.version,
    hash: picture.hash,
    state: hidden ? ("hidden" as const) : ("named" as const),
    hidden_immediately: hidden ? (1 as const) : (0 as const),
    ts_created: now,
  };
  return [
    db
      .insertInto("notice_picture")
      .values(row)
      .onConflict((conflict) => conflict.columns(["notice_id", "picture_id"]).doNothing())
      .compile(),
    ...(hidden ? hidePictureQueries(db, picture, now) : []),
  ];
}

/** Notifies a picture's owner, without revealing who filed the notice. */
export function notifyOwnerQuery(
  ctx: NotifyContext,
  profileId: number,
  event: "hidden" | "removed" | "cleared" | "refused",
) {
  const bodyText = inEachLocale(noticeCopy, (text) => text.owner[event]);
  return insertNotificationQuery(ctx, { profileId, kind: "standing", bodyText, url: "/games/dungeon" });
}

/**
 * Whether a notice may hide pictures before staff look. False for a sender with a recent unfounded notice or too many
 * pending hidden pictures, and for everybody once the site-wide limit is reached.
 */
async function isCredible({ db, now }: NotifyContext, notice: NoticeRow, pictures: number): Promise<boolean> {
  if (pictures === 0) return false;
  const { sender_network: network, sender_mailbox: mailbox } = notice;
  const sameSender = sql<boolean>`(n.sender_network = ${network} or n.sender_mailbox = ${mailbox})`;
  const { distrusted, own, all } = await db
    .selectNoFrom([
      sql<number>`exists (select 1 from notice n where n.unfounded = 1 and n.ts_decided > ${now - NOTICE_SENDER_DISTRUSTED_MS} and ${sameSender})`.as(
        "distrusted",
      ),
      sql<number>`(select count(*) from notice n join notice_picture h on h.notice_id = n.id
        where n.ts_decided is null and h.state = 'hidden' and ${sameSender})`.as("own"),
      sql<number>`(select count(*) from notice n join notice_picture h on h.notice_id = n.id
        where n.ts_decided is null and h.state = 'hidden')`.as("all"),
    ])
    .executeTakeFirstOrThrow();
  return distrusted === 0 && own + pictures <= NOTICE_HIDDEN_PER_SENDER_MAX && all + pictures <= NOTICE_HIDDEN_MAX;
}

/**
 * Chooses the brand whose staff decide: where the notice was filed if an owner is listed there, else the first owner's
 * home brand.
 */
function chooseDesk(filedOn: string, pictures: readonly MatchedPicture[]): BrandId {
  const [first] = pictures;
  const brand = BRANDS.find(({ id }) => id === filedOn);
  const isListedThere = pictures.some(
    (picture) => picture.home_brand === filedOn || (picture.shared_on & (brand?.bit ?? 0)) !== 0,
  );
  return (isListedThere || !first ? filedOn : first.home_brand) as BrandId;
}
