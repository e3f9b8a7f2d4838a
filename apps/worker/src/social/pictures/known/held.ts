/**
 * Pictures that look like a known one and are held: their owner sees them as ever, nobody else gets them, and staff decide. Whether a
 * picture is held is in no answer to its owner.
 */
import { type RawBuilder, sql } from "kysely";
import type { Compiled } from "../../../platform/db/batch.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { KnownPictureMatchRow } from "../../../platform/db/tables.ts";
import type { Env } from "../../../platform/env.ts";
import { randomHex } from "../../../platform/hash.ts";
import { type AlbumList, ownList } from "../album-order.ts";
import type { KnownPicture } from "./known.ts";

/** Where copies for staff lie; those that no case and no match names are swept up at night. */
export const EVIDENCE_PREFIX = "evidence/";

/** What was found of a picture that is stored now. */
export interface NewMatch {
  readonly brand: string;
  readonly source: string;
  readonly rule: KnownPictureMatchRow["rule"];
  readonly distance: number;
  /** Of the copy that outlives a deletion; null where the stored picture is copied later. */
  readonly r2Key: string | null;
}

export function matchOf({ source, rule, distance }: KnownPicture, brand: string): NewMatch {
  return { brand, source, rule, distance, r2Key: `${EVIDENCE_PREFIX}${randomHex(16)}.webp` };
}

/** Keeps a copy of what was uploaded, since its owner may delete or replace it before staff look. */
export async function keepMatched(env: Env, match: NewMatch | undefined, bytes: Uint8Array): Promise<void> {
  if (!match || match.r2Key === null) return;
  await env.PICTURES.put(match.r2Key, bytes, { httpMetadata: { contentType: "image/webp" } });
}

export function insertMatchQuery(
  db: Database,
  match: NewMatch & {
    readonly profileId: number;
    readonly pictureId: number | RawBuilder<number>;
    readonly now: number;
  },
): Compiled {
  const { profileId, pictureId, brand, source, rule, distance, r2Key, now } = match;
  return db
    .insertInto("known_picture_match")
    .values({
      profile_id: profileId,
      picture_id: pictureId,
      brand,
      source,
      rule,
      distance,
      r2_key: r2Key,
      ts_created: now,
    })
    .compile();
}

/** Takes a stored picture out of everybody's sight but its owner's, who goes on seeing it in its place. */
export function holdPictureQueries(
  db: Database,
  picture: { readonly id: number; readonly profile_id: number },
): Compiled[] {
  const { id, profile_id: profileId } = picture;
  const without = (list: AlbumList) =>
    sql<string>`(select json_group_array(o.value order by o.key) from json_each(${sql.ref(list)}) o where o.value <> ${id})`;
  return [
    db
      .updateTable("profile")
      .set({
        own_pics_public: ownList("pics_public"),
        own_pics_private: ownList("pics_private"),
        pics_public: without("pics_public"),
        pics_private: without("pics_private"),
      })
      .where("id", "=", profileId)
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom("picture")
            .select("id")
            .where("id", "=", id)
            .where("audience", "in", sql<"public">`('public', 'private')`)
            .where("hidden_by_staff", "=", 0),
        ),
      )
      .compile(),
    db
      .updateTable("picture")
      .set({ hidden_by_staff: 2 })
      .where("id", "=", id)
      .where(sql<boolean>`hidden_by_staff in (0, 3)`)
      .compile(),
  ];
}

/** Pictures that a case holds, or had hidden without an action of their own. */
const ofCase = (reportId: number, picture: string) =>
  sql<boolean>`${sql.ref(`${picture}.id`)} in (select m.picture_id from known_picture_match m where m.report_id = ${reportId})`;

/** For the batch that finds no violation: what the case held is seen again where its owner has it. */
export function releaseHeldQueries(db: Database, { id, subjectId }: { id: number; subjectId: number }): Compiled[] {
  return [
    // What was hidden with the case comes back at the end of its album; what was held has its place.
    db
      .updateTable("profile")
      .set({
        own_pics_public: withHidden("pics_public", "public", id),
        own_pics_private: withHidden("pics_private", "private", id),
      })
      .where("id", "=", subjectId)
      .where(hasMatches(id))
      .compile(),
    db
      .updateTable("picture")
      .set({ hidden_by_staff: 0 })
      .where(ofCase(id, "picture"))
      .where("hidden_by_staff", "<>", 0)
      .where(sql<boolean>`not ${hiddenOtherwise("picture")}`)
      .compile(),
    settleListsQuery(db, id, subjectId),
  ];
}

/** For the batch that finds one: what the case held is hidden as by an action, which tells its owner. */
export function settleHeldQueries(db: Database, { id, subjectId }: { id: number; subjectId: number }): Compiled[] {
  return [
    db
      .updateTable("picture")
      .set({ hidden_by_staff: 1 })
      .where(ofCase(id, "picture"))
      .where("hidden_by_staff", "=", 2)
      .compile(),
    settleListsQuery(db, id, subjectId),
  ];
}

/** An action or a notice hides it by itself. */
const hiddenOtherwise = (picture: string) => sql<boolean>`(exists (select 1 from moderation_action a
    where a.picture_id = ${sql.ref(`${picture}.id`)} and a.kind = 'hide_picture' and a.ts_lifted is null)
  or exists (select 1 from notice_picture n where n.picture_id = ${sql.ref(`${picture}.id`)} and n.state in ('hidden', 'removed')))`;

const hasMatches = (reportId: number) =>
  sql<boolean>`exists (select 1 from known_picture_match m where m.report_id = ${reportId})`;

function withHidden(list: AlbumList, audience: "public" | "private", reportId: number) {
  const own = ownList(list);
  return sql<string>`(select json_group_array(value order by place) from (
    select o.value, o.key as place from json_each(${own}) o
    union all select pic.id, 1000000 + pic.id from picture pic
    where pic.profile_id = profile.id and pic.audience = ${sql.lit(audience)} and pic.hidden_by_staff = 1 and ${ofCase(reportId, "pic")}
      and pic.id not in (select o.value from json_each(${own}) o)
      and not ${hiddenOtherwise("pic")}))`;
}

/** Makes the lists that others read of the owner's, and lets the owner's go when they hold nothing more. */
function settleListsQuery(db: Database, reportId: number, subjectId: number): Compiled {
  const open = (list: AlbumList, hidden: string) =>
    sql<string>`(select json_group_array(o.value order by o.key) from json_each(${sql.ref(`own_${list}`)}) o
      where o.value in (select pic.id from picture pic where pic.profile_id = profile.id and pic.hidden_by_staff in ${sql.raw(hidden)}))`;
  const held = sql<boolean>`exists (select 1 from picture pic where pic.profile_id = profile.id and pic.hidden_by_staff in (2, 3))`;
  return db
    .updateTable("profile")
    .set({
      pics_public: open("pics_public", "(0)"),
      pics_private: open("pics_private", "(0)"),
      own_pics_public: sql<string | null>`iif(${held}, ${open("pics_public", "(0, 2, 3)")}, null)`,
      own_pics_private: sql<string | null>`iif(${held}, ${open("pics_private", "(0, 2, 3)")}, null)`,
    })
    .where("id", "=", subjectId)
    .where("own_pics_public", "is not", null)
    .where(hasMatches(reportId))
    .compile();
}
