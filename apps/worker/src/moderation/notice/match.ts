/**
 * What a confirmed notice does before staff look: a credible one about an intimate picture hides it at once. What is credible, and
 * what bounds its abuse: docs/decisions/2026-11-22-notices-without-an-account.md.
 */
import type { BrandId } from "@lambda/brands";
import { BRANDS, getBrand } from "@lambda/brands";
import {
  NOTICE_HIDDEN_MAX,
  NOTICE_HIDDEN_PER_SENDER_MAX,
  NOTICE_PICTURES_MAX,
  NOTICE_SENDER_DOUBTED_MS,
} from "@lambda/contract/limits";
import { sql } from "kysely";
import { inEachLocale } from "../../platform/copy.ts";
import type { Compiled } from "../../platform/db/batch.ts";
import { valuesOf } from "../../platform/db/d1.ts";
import { type Database, openDatabase } from "../../platform/db/database.ts";
import { failedGuard, guardQuery } from "../../platform/db/guard.ts";
import type { NoticeRow } from "../../platform/db/tables.ts";
import type { Env } from "../../platform/env.ts";
import { HASH_QUALITY_MIN } from "../../platform/images/perceptual-hash.ts";
import { announce } from "../../social/notifications/announce.ts";
import { clockContext } from "../../social/notifications/clock-context.ts";
import { insertNotificationQuery, type NotifyContext } from "../../social/notifications/notify.ts";
import { hidePictureQueries } from "../../social/pictures/queries.ts";
import { withAudit } from "../audit/log.ts";
import { noticeCopy } from "./copy.ts";
import { withheldEvent } from "./events.ts";
import { namedIn } from "./named.ts";
import { listLookalikes } from "./upload.ts";

/** A picture that a notice is about, as it is stored. */
export interface MatchedPicture {
  readonly id: number;
  readonly profile_id: number;
  readonly version: number;
  readonly home_brand: string;
  readonly shared_on: number;
  /** Staff looked at it on an earlier notice, and let it stand. */
  readonly cleared: number;
  /** Another notice withholds it. */
  readonly withheld: number;
  readonly held: number;
  /** Null for one that is too plain to be told from others. */
  readonly hash: string | null;
}

/** Looks for what a confirmed notice names, and hides it where the notice is credible; once, whoever runs it first. */
export async function matchNotice(asked: NotifyContext, id: number): Promise<void> {
  const notice = await asked.db
    .selectFrom("notice")
    .selectAll()
    .where("id", "=", id)
    .where("ts_matched", "is", null)
    .where("ts_confirmed", "is not", null)
    .executeTakeFirst();
  if (!notice) return;
  const named = namedIn(notice.location).pictureIds;
  const { upload_hash: hash } = notice;
  const alike = hash === null ? [] : await listLookalikes(asked.db, hash, NOTICE_PICTURES_MAX);
  const pictures = await listPictures(asked.db, [...new Set([...named, ...alike])]);
  const credible = notice.kind === "intimate" && (await isCredible(asked, notice, pictures.length));
  // One that is held for what it resembles is out of sight already, and its owner is not to hear of it.
  const hidden = credible ? pictures.filter(({ cleared, held }) => cleared === 0 && held === 0) : [];
  const fresh = hidden.filter(({ withheld }) => withheld === 0);
  const owners = [...new Set(fresh.map((picture) => picture.profile_id))];
  const brand = deskOf(notice.brand, pictures);
  const ctx = { ...asked, brand: getBrand(brand) };
  const guard = guardQuery(ctx.db, sql<boolean>`exists (select 1 from notice where id = ${id} and ts_matched is null)`);
  const queries = [
    guard,
    ctx.db.updateTable("notice").set({ ts_matched: ctx.now, brand }).where("id", "=", id).compile(),
    ...pictures.flatMap((picture) => insertPictureQueries(ctx, notice.id, picture, hidden.includes(picture))),
    ...owners.map((profileId) => tellOwnerQuery(ctx, profileId, "hidden")),
  ];
  const events =
    hidden.length > 0
      ? [
          withheldEvent(
            { ...notice, brand },
            hidden.map((picture) => picture.id),
          ),
        ]
      : [];
  try {
    await withAudit(ctx, queries, events);
  } catch (error) {
    // The clock and the answer may come to it at the same time.
    if (failedGuard(error)) return;
    throw error;
  }
  for (const profileId of owners) announce(ctx, profileId, "standing");
}

/** Run by schedule: notices whose pictures nobody looked for, since the worker ended too early. */
export async function matchLeftNotices(env: Env, now: number): Promise<void> {
  const left = await openDatabase(env.DB)
    .selectFrom("notice")
    .select(["id", "brand"])
    .where("ts_matched", "is", null)
    .where("ts_confirmed", "is not", null)
    .orderBy("id")
    .limit(50)
    .execute();
  for (const { id, brand } of left) await matchNotice(clockContext(env, brand, now), id);
}

/** Those of these pictures that exist, whoever may see them. */
export function listPictures(db: Database, ids: readonly number[]): Promise<MatchedPicture[]> {
  if (ids.length === 0) return Promise.resolve([]);
  const inState = (states: string) =>
    sql<number>`exists (select 1 from notice_picture n where n.picture_id = pic.id and n.state in (${sql.raw(states)}))`;
  return db
    .selectFrom(valuesOf(ids, "asked"))
    .innerJoin("picture as pic", "pic.id", "asked.column1")
    .innerJoin("profile as p", "p.id", "pic.profile_id")
    .innerJoin("account as a", "a.id", "pic.profile_id")
    .leftJoin("picture_hash as x", (join) =>
      join.onRef("x.picture_id", "=", "pic.id").on("x.quality", ">=", sql.lit(HASH_QUALITY_MIN)),
    )
    .select(["pic.id", "pic.profile_id", "pic.version", "a.home_brand", "p.shared_on", "x.hash"])
    .select(sql<number>`pic.hidden_by_staff = 2`.as("held"))
    .select(inState("'cleared'").as("cleared"))
    .select(inState("'hidden', 'removed'").as("withheld"))
    .execute();
}

/** The row of a picture; one that is hidden goes out of sight in the same batch. */
export function insertPictureQueries(
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
    at_once: hidden ? (1 as const) : (0 as const),
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

/** What the owner of a picture hears: that it was hidden, never by whom. */
export function tellOwnerQuery(
  ctx: NotifyContext,
  profileId: number,
  what: "hidden" | "removed" | "cleared" | "refused",
) {
  const bodyText = inEachLocale(noticeCopy, (text) => text.owner[what]);
  return insertNotificationQuery(ctx, { profileId, kind: "standing", bodyText, url: "/games/dungeon" });
}

/** A sender who was found false, or hides much, waits for staff; so does everybody while very much is hidden undecided. */
async function isCredible({ db, now }: NotifyContext, notice: NoticeRow, pictures: number): Promise<boolean> {
  if (pictures === 0) return false;
  const { sender_network: network, sender_mailbox: mailbox } = notice;
  const same = sql<boolean>`(n.sender_network = ${network} or n.sender_mailbox = ${mailbox})`;
  const { doubted, own, all } = await db
    .selectNoFrom([
      sql<number>`exists (select 1 from notice n where n.unfounded = 1 and n.ts_decided > ${now - NOTICE_SENDER_DOUBTED_MS} and ${same})`.as(
        "doubted",
      ),
      sql<number>`(select count(*) from notice n join notice_picture h on h.notice_id = n.id
        where n.ts_decided is null and h.state = 'hidden' and ${same})`.as("own"),
      sql<number>`(select count(*) from notice n join notice_picture h on h.notice_id = n.id
        where n.ts_decided is null and h.state = 'hidden')`.as("all"),
    ])
    .executeTakeFirstOrThrow();
  return doubted === 0 && own + pictures <= NOTICE_HIDDEN_PER_SENDER_MAX && all + pictures <= NOTICE_HIDDEN_MAX;
}

/** Pictures are the same on all brands: staff of one on which an owner is decide, the one that was asked first. */
function deskOf(asked: string, pictures: readonly MatchedPicture[]): BrandId {
  const [first] = pictures;
  const brand = BRANDS.find(({ id }) => id === asked);
  const here = pictures.some(
    (picture) => picture.home_brand === asked || (picture.shared_on & (brand?.bit ?? 0)) !== 0,
  );
  return (here || !first ? asked : first.home_brand) as BrandId;
}
