import { ageOf } from "@lambda/contract/birthdate";
import { characteristicsFromBits } from "@lambda/contract/characteristics";
import { BULK_CHUNK_ROWS, SEEN_ROUNDING_MS } from "@lambda/contract/limits";
import { findNameProblem, nameSkeleton, stripInvisibleCharacters } from "@lambda/contract/names";
import { pick } from "@lambda/contract/pick";
import { PROFILE_TEXTS, type ProfileText } from "@lambda/contract/profile-texts";
import type { Profile } from "@lambda/contract/profiles";
import type { ProfileVoice } from "@lambda/contract/voices";
import { type Selectable, sql, type Updateable } from "kysely";
import { ownIntroductionJson, visibleIntroductionJson } from "../messaging/voices/introduction.ts";
import type { PictureContext } from "../pictures/access.ts";
import { ownAlbums } from "../pictures/album-order.ts";
import type { Database } from "../platform/db/database.ts";
import type { ProfileTable } from "../platform/db/tables.ts";
import { notFound } from "../platform/errors.ts";
import { toIso } from "../platform/iso-time.ts";
import { albumOpenTo, visibleTo } from "../visibility/visibility.ts";

const COLUMN_NAMES = [
  "id",
  "profile_name",
  "birthdate",
  ...PROFILE_TEXTS,
  "characteristics",
  "pics_public",
  "pics_private",
  "ts_updated",
] as const;

const COLUMNS = COLUMN_NAMES.map((column) => `p.${column}` as const);

type Row = Pick<Selectable<ProfileTable>, (typeof COLUMN_NAMES)[number]> & { readonly voice: string | null };

export function getOwnProfile(db: Database, id: number): Promise<Row> {
  return db
    .selectFrom("profile as p")
    .select(COLUMNS)
    .select(ownAlbums("p"))
    .select(ownIntroductionJson("p").as("voice"))
    .where("p.id", "=", id)
    .executeTakeFirstOrThrow();
}

/** Another member's profile, and whether the private album is open to the viewer. Throws NOT_FOUND if the viewer may not see it. */
export function getVisibleProfile(ctx: PictureContext, id: number) {
  return ctx.db
    .selectFrom("profile as p")
    .select([...COLUMNS, "p.pics_public", "p.pics_private"])
    .select(sql<number>`${albumOpenTo(ctx, sql.ref("p.id"))}`.as("granted"))
    .select(visibleIntroductionJson(ctx).as("voice"))
    .where("p.id", "=", id)
    .where(visibleTo(ctx))
    .executeTakeFirstOrThrow(notFound);
}

export interface ProfileEdit {
  readonly columns: Updateable<ProfileTable>;
  /** Bits to set and to clear, so that boxes ticked in another tab stay ticked. */
  readonly addBits?: number | undefined;
  readonly removeBits?: number | undefined;
  /** The values that these columns must still have. */
  readonly was: Partial<Pick<Row, "profile_name" | "birthdate" | ProfileText>>;
}

/** Writes only the given columns, so that edits of different fields in two tabs are both kept. Undefined when a value in `was` has changed. */
export function updateProfile(db: Database, id: number, edit: ProfileEdit): Promise<Row | undefined> {
  const { columns, addBits, removeBits, was } = edit;
  let query = db.updateTable("profile").set(columns).where("id", "=", id);
  if (addBits !== undefined || removeBits !== undefined) {
    query = query.set({ characteristics: sql<number>`(characteristics | ${addBits ?? 0}) & ~${removeBits ?? 0}` });
  }
  for (const [column, value] of Object.entries(was)) {
    query = query.where(sql<boolean>`${sql.ref(column)} is ${value}`);
  }
  // SQLite allows no table alias in RETURNING.
  return query
    .returning(COLUMN_NAMES)
    .returning(ownAlbums("profile"))
    .returning(ownIntroductionJson("profile").as("voice"))
    .executeTakeFirst();
}

/** Everything, for the member's own profile. */
export function toOwnProfile(row: Row, roles: string[], now: number): Profile {
  return {
    ...toPublicProfile(row, now),
    birthdate: row.birthdate,
    profilePicIdsPrivate: JSON.parse(row.pics_private) as number[],
    roles,
    tsUpdated: toIso(row.ts_updated),
  };
}

/** What another member may read: the age instead of the birthdate, rounded times, and the private album only if granted. */
export function toProfile(row: Row & { granted: number }, now: number): Profile {
  const profile = toPublicProfile(row, now);
  return row.granted === 0 ? profile : { ...profile, profilePicIdsPrivate: JSON.parse(row.pics_private) as number[] };
}

function toPublicProfile(row: Row, now: number): Profile {
  return {
    id: row.id,
    profilename: row.profile_name,
    birthdate: null,
    age: ageOf(row.birthdate, now) ?? null,
    ...pick(row, PROFILE_TEXTS),
    characteristics: characteristicsFromBits(row.characteristics),
    profilePicIds: JSON.parse(row.pics_public) as number[],
    profilePicIdsPrivate: [],
    voice: row.voice === null ? null : (JSON.parse(row.voice) as ProfileVoice),
    roles: ["USER"],
    tsUpdated: toIso(row.ts_updated - (row.ts_updated % SEEN_ROUNDING_MS)),
  };
}

/**
 * Scheduled: cleans names that were stored without a skeleton; one that is invalid without its invisible characters is emptied, so
 * that its member has to choose another. A name that claims to be staff stays, for staff to decide.
 */
export async function cleanOldNames(db: Database): Promise<void> {
  const rows = await db
    .selectFrom("profile")
    .select(["id", "profile_name"])
    .where("name_skeleton", "is", null)
    .where("profile_name", "<>", "")
    .limit(BULK_CHUNK_ROWS)
    .execute();
  for (const { id, profile_name } of rows) {
    const visible = stripInvisibleCharacters(profile_name);
    const problem = findNameProblem(visible);
    const name = problem === undefined || problem === "reserved" ? visible : "";
    await db
      .updateTable("profile")
      .set({ profile_name: name, name_skeleton: nameSkeleton(name) })
      .where("id", "=", id)
      .where("profile_name", "=", profile_name)
      .execute();
  }
}
