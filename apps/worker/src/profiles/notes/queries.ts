import { ageOf } from "@lambda/contract/birthdate";
import { NOTE_BYTES_TOTAL_MAX, NOTE_INLINE_BYTES, NOTE_PAGE_BYTES, NOTE_ROW_BYTES } from "@lambda/contract/limits";
import type { ListedNote, ProfileNote } from "@lambda/contract/notes";
import { sql } from "kysely";
import { containsText } from "../../platform/db/contains-text.ts";
import { type Database, insertFrom } from "../../platform/db/database.ts";
import { isAfter, type TimeCursor } from "../../platform/db/time-cursor.ts";
import { toIso } from "../../platform/iso-time.ts";
import { bytesOf } from "../../platform/rate-limits/bytes.ts";
import { type ViewerContext, visibleTo } from "../../visibility/visibility.ts";

/**
 * The viewer's note about a member, an empty row when there is none yet, or undefined when there is also no member whom they may see. An
 * existing note stays readable when that member hides or is blocked.
 */
export function findNote(db: Database, ctx: ViewerContext, aboutId: number) {
  return db
    .selectFrom("profile as p")
    .leftJoin("profile_note as n", (join) =>
      join.on("n.author_id", "=", ctx.viewer.profileId).onRef("n.about_id", "=", "p.id"),
    )
    .select(["p.id as about_id", "n.body_text", "n.private_tags"])
    .where("p.id", "=", aboutId)
    .where("p.id", "<>", ctx.viewer.profileId)
    .where((on) => on.or([on("n.about_id", "is not", null), visibleTo(ctx)]))
    .executeTakeFirst();
}

/**
 * Writes the given fields and keeps the others; undefined where findNote would find nothing, and when the author's notes would exceed the
 * total size limit. A trigger keeps that total, so that concurrent saves cannot exceed it together.
 */
export function upsertNote(
  db: Database,
  ctx: ViewerContext,
  aboutId: number,
  {
    bodyText,
    privateTags,
  }: { readonly bodyText?: string | undefined; readonly privateTags?: readonly string[] | undefined },
  now: number,
) {
  const me = ctx.viewer.profileId;
  const tags = privateTags && JSON.stringify(privateTags);
  const sizeOf = (value: string | undefined, column: "n.body_text" | "n.private_tags") =>
    value === undefined ? sql`ifnull(octet_length(${sql.ref(column)}), 0)` : sql`${bytesOf(value)}`;
  const text = sql`(${sizeOf(bodyText, "n.body_text")} + ${sizeOf(tags, "n.private_tags")})`;
  // Counted like the column `bytes`.
  const growth = sql`(${text} + ${NOTE_ROW_BYTES} + iif(${text} > ${NOTE_INLINE_BYTES}, ${NOTE_PAGE_BYTES}, 0) - ifnull(n.bytes, 0))`;
  const about = db
    .selectFrom("profile as p")
    .leftJoin("profile_note as n", (join) => join.on("n.author_id", "=", me).onRef("n.about_id", "=", "p.id"))
    .leftJoin("stored_bytes as s", (join) => join.on("s.profile_id", "=", me))
    .select("p.id as about_id")
    .where("p.id", "=", aboutId)
    .where("p.id", "<>", me)
    .where((known) => known.or([visibleTo(ctx), known("n.about_id", "is not", null)]))
    .where(sql<boolean>`(${growth} <= 0 or ifnull(s.notes, 0) + ${growth} <= ${NOTE_BYTES_TOTAL_MAX})`);
  const note = { author_id: me, body_text: bodyText ?? "", private_tags: tags ?? "[]", ts_updated: now };
  return insertFrom(db, "profile_note", about, note)
    .onConflict((conflict) =>
      conflict.columns(["author_id", "about_id"]).doUpdateSet({
        ...(bodyText !== undefined && { body_text: bodyText }),
        ...(tags !== undefined && { private_tags: tags }),
        ts_updated: now,
      }),
    )
    .returning(["about_id", "body_text", "private_tags"])
    .executeTakeFirst();
}

export function deleteEmptyNote(db: Database, authorId: number, aboutId: number) {
  return db
    .deleteFrom("profile_note")
    .where("author_id", "=", authorId)
    .where("about_id", "=", aboutId)
    .where("body_text", "=", "")
    .where("private_tags", "=", "[]")
    .execute();
}

/** The viewer's notes, latest first. A search reads only the viewer's notes, and stops when the page is full. */
export function listNotes(
  db: Database,
  ctx: ViewerContext,
  search: { readonly text?: string | undefined; readonly tag?: string | undefined },
  { after, limit }: { readonly after: TimeCursor; readonly limit: number },
) {
  let query = db
    .selectFrom("profile_note as n")
    .innerJoin("profile as p", "p.id", "n.about_id")
    .select(["n.about_id", "n.body_text", "n.private_tags", "n.ts_updated", "p.profile_name", "p.birthdate"])
    .select(["p.pics_public", sql<0 | 1>`${visibleTo(ctx)}`.as("shown")])
    .where("n.author_id", "=", ctx.viewer.profileId)
    .where((row) => isAfter(after, row.ref("n.ts_updated"), [row.ref("n.about_id"), after.id]));
  if (search.text) {
    const tags = sql`coalesce((select group_concat(t.value, char(10)) from json_each(n.private_tags) t), '')`;
    query = query.where(containsText(sql`n.body_text || char(10) || ${tags}`, search.text));
  }
  if (search.tag) {
    query = query.where(sql<boolean>`exists (select 1 from json_each(n.private_tags) t where t.value = ${search.tag})`);
  }
  return query.orderBy("n.ts_updated", "desc").orderBy("n.about_id").limit(limit).execute();
}

/** All tags that the author uses, most used first. */
export function listTags(db: Database, authorId: number, limit: number) {
  return db
    .selectFrom(["profile_note as n", sql<{ value: string }>`json_each(n.private_tags)`.as("t")])
    .select(["t.value as tag", sql<number>`count(*)`.as("count")])
    .where("n.author_id", "=", authorId)
    .groupBy("t.value")
    .orderBy(sql`count(*)`, "desc")
    .orderBy("t.value")
    .limit(limit)
    .execute();
}

export function toNote(row: NonNullable<Awaited<ReturnType<typeof findNote>>>, authorId: number): ProfileNote {
  return {
    authorProfileId: authorId,
    aboutProfileId: row.about_id,
    bodyText: row.body_text ?? "",
    privateTags: JSON.parse(row.private_tags ?? "[]") as string[],
  };
}

type ListedNoteRow = Awaited<ReturnType<typeof listNotes>>[number];

export function toListedNote(row: ListedNoteRow, authorId: number, now: number): ListedNote {
  return {
    ...toNote(row, authorId),
    about:
      row.shown === 1
        ? {
            profileName: row.profile_name,
            profileAge: ageOf(row.birthdate, now) ?? null,
            profilePicIds: JSON.parse(row.pics_public) as number[],
          }
        : null,
    tsUpdated: toIso(row.ts_updated),
  };
}
