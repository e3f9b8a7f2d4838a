import { ageOf } from "@lambda/contract/birthdate";
import { NOTE_BYTES_TOTAL_MAX, NOTE_INLINE_BYTES, NOTE_PAGE_BYTES, NOTE_ROW_BYTES } from "@lambda/contract/limits";
import type { ListedNote, ProfileNote } from "@lambda/contract/notes";
import { type RawBuilder, sql } from "kysely";
import { type Onlooker, visibleTo } from "../../members/visibility/visibility.ts";
import type { Database } from "../../platform/db/database.ts";
import { bytesOf } from "../../platform/rate-limits/bytes.ts";
import type { TimeCursor } from "../likes/cursor.ts";

export interface NoteRow {
  readonly about_id: number;
  readonly body_text: string | null;
  readonly private_tags: string | null;
}

/**
 * The author's note about a member, or an empty row when there is none yet. Undefined when there is neither a note nor a
 * member whom he may see: his own words stay his when the other hides or is blocked.
 */
export function findNote(db: Database, onlooker: Onlooker, aboutId: number): Promise<NoteRow | undefined> {
  return db
    .selectFrom("profile as p")
    .leftJoin("profile_note as n", (join) =>
      join.on("n.author_id", "=", onlooker.viewer.profileId).onRef("n.about_id", "=", "p.id"),
    )
    .select(["p.id as about_id", "n.body_text", "n.private_tags"])
    .where("p.id", "=", aboutId)
    .where("p.id", "<>", onlooker.viewer.profileId)
    .where((on) => on.or([on("n.about_id", "is not", null), visibleTo(onlooker)]))
    .executeTakeFirst();
}

export interface NoteChange {
  readonly aboutId: number;
  readonly bodyText: string | undefined;
  readonly privateTags: readonly string[] | undefined;
  readonly now: number;
}

/**
 * Writes what is given and keeps the rest; undefined where findNote would find nothing, and where the author's notes would become
 * larger than they may be. The trigger of the table counts them, so that two saves at once cannot both be the last that fits.
 */
export async function upsertNote(
  db: Database,
  onlooker: Onlooker,
  { aboutId, bodyText, privateTags, now }: NoteChange,
): Promise<NoteRow | undefined> {
  const me = onlooker.viewer.profileId;
  const tags = privateTags && JSON.stringify(privateTags);
  const kept = (given: string | undefined, column: "n.body_text" | "n.private_tags") =>
    given === undefined ? sql`ifnull(octet_length(${sql.ref(column)}), 0)` : sql`${bytesOf(given)}`;
  const text = sql`(${kept(bodyText, "n.body_text")} + ${kept(tags, "n.private_tags")})`;
  // As the column `bytes` counts it.
  const growth = sql`(${text} + ${NOTE_ROW_BYTES} + iif(${text} > ${NOTE_INLINE_BYTES}, ${NOTE_PAGE_BYTES}, 0) - ifnull(n.bytes, 0))`;
  const { rows } = await sql<NoteRow>`
    insert into profile_note (author_id, about_id, body_text, private_tags, ts_updated)
    select ${me}, p.id, ${bodyText ?? ""}, ${tags ?? "[]"}, ${now} from profile p
    left join profile_note n on n.author_id = ${me} and n.about_id = p.id
    left join stored_bytes s on s.profile_id = ${me}
    where p.id = ${aboutId} and p.id <> ${me} and (${visibleTo(onlooker)} or n.about_id is not null)
      and (${growth} <= 0 or ifnull(s.notes, 0) + ${growth} <= ${NOTE_BYTES_TOTAL_MAX})
    on conflict (author_id, about_id) do update set
      body_text = ${bodyText === undefined ? sql`body_text` : sql`excluded.body_text`},
      private_tags = ${tags === undefined ? sql`private_tags` : sql`excluded.private_tags`},
      ts_updated = excluded.ts_updated
    returning about_id, body_text, private_tags`.execute(db);
  return rows[0];
}

/** An empty note is none. */
export function deleteEmptyNote(db: Database, authorId: number, aboutId: number) {
  return db
    .deleteFrom("profile_note")
    .where("author_id", "=", authorId)
    .where("about_id", "=", aboutId)
    .where("body_text", "=", "")
    .where("private_tags", "=", "[]")
    .execute();
}

export interface ListedNoteRow extends NoteRow {
  readonly ts_updated: number;
  readonly shown: 0 | 1;
  readonly profile_name: string;
  readonly birthdate: string | null;
  readonly pics_public: string;
}

/** The author's notes, latest first. A search looks at his own notes alone, and stops when the page is full. */
export async function listNotes(
  db: Database,
  onlooker: Onlooker,
  search: { readonly text?: string | undefined; readonly tag?: string | undefined },
  { after, limit }: { readonly after: TimeCursor; readonly limit: number },
): Promise<ListedNoteRow[]> {
  const conditions: RawBuilder<unknown>[] = [];
  if (search.text) {
    const text = search.text.toLowerCase();
    conditions.push(sql`(instr(lower(n.body_text), ${text}) > 0 or instr(lower(n.private_tags), ${text}) > 0)`);
  }
  if (search.tag) {
    conditions.push(sql`exists (select 1 from json_each(n.private_tags) t where t.value = ${search.tag})`);
  }
  const where = conditions.length === 0 ? sql`` : sql`and ${sql.join(conditions, sql` and `)}`;
  const { rows } = await sql<ListedNoteRow>`
    select n.about_id, n.body_text, n.private_tags, n.ts_updated, ${visibleTo(onlooker)} as shown, p.profile_name,
      p.birthdate, p.pics_public
    from profile_note n join profile p on p.id = n.about_id
    where n.author_id = ${onlooker.viewer.profileId} and n.ts_updated <= ${after.ts}
      and (n.ts_updated < ${after.ts} or n.about_id > ${after.id}) ${where}
    order by n.ts_updated desc, n.about_id limit ${limit}`.execute(db);
  return rows;
}

/** Every tag the author uses, the most used first. Reads his own notes alone. */
export async function listTags(db: Database, authorId: number, limit: number) {
  const { rows } = await sql<{ tag: string; count: number }>`
    select t.value as tag, count(*) as count from profile_note n, json_each(n.private_tags) t
    where n.author_id = ${authorId} group by t.value order by count(*) desc, t.value limit ${limit}`.execute(db);
  return rows;
}

export function toNote(row: NoteRow, authorId: number): ProfileNote {
  return {
    authorProfileId: authorId,
    aboutProfileId: row.about_id,
    bodyText: row.body_text ?? "",
    privateTags: JSON.parse(row.private_tags ?? "[]") as string[],
  };
}

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
    tsUpdated: new Date(row.ts_updated).toISOString(),
  };
}
