import { ageOf } from "@lambda/contract/birthdate";
import { characteristicsFromBits } from "@lambda/contract/characteristics";
import { SEEN_ROUNDING_MS } from "@lambda/contract/limits";
import type { Profile } from "@lambda/contract/profiles";
import type { ProfileVoice } from "@lambda/contract/voices";
import { type Selectable, sql, type Updateable } from "kysely";
import { albumOpenTo, visibleTo } from "../../members/visibility/visibility.ts";
import type { Database } from "../../platform/db/database.ts";
import type { ProfileTable } from "../../platform/db/tables.ts";
import type { PictureAsker } from "../pictures/access.ts";
import { ownList } from "../pictures/album-order.ts";
import { openIntroduction, ownIntroduction } from "../voices/introduction.ts";

const RETURNED = [
  "id",
  "profile_name",
  "birthdate",
  "height",
  "weight",
  "description",
  "characteristics",
  "pics_public",
  "pics_private",
  "ts_updated",
] as const;

const COLUMNS = RETURNED.map((column) => `p.${column}` as const);

/** The lists of pictures as their owner sees them. */
const ownPictures = (profile: string) =>
  [ownList("pics_public", profile).as("pics_public"), ownList("pics_private", profile).as("pics_private")] as const;

type Row = Pick<Selectable<ProfileTable>, (typeof RETURNED)[number]> & { readonly voice: string | null };

/** The member's own profile. */
export function getOwnProfile(db: Database, id: number): Promise<Row> {
  return db
    .selectFrom("profile as p")
    .select(COLUMNS)
    .select(ownPictures("p"))
    .select(ownIntroduction("p").as("voice"))
    .where("p.id", "=", id)
    .executeTakeFirstOrThrow();
}

/** Another member's profile, if the viewer may see it, and whether the private album is open to the viewer. */
export function findVisibleProfile(asker: PictureAsker, id: number) {
  return asker.db
    .selectFrom("profile as p")
    .select([...COLUMNS, "p.pics_public", "p.pics_private"])
    .select(sql<number>`${albumOpenTo(asker, sql.ref("p.id"))}`.as("granted"))
    .select(openIntroduction(asker).as("voice"))
    .where("p.id", "=", id)
    .where(visibleTo(asker))
    .executeTakeFirst();
}

export interface ProfileEdit {
  readonly columns: Updateable<ProfileTable>;
  /** Bits that are set and cleared, so that boxes ticked elsewhere stay. */
  readonly addBits?: number | undefined;
  readonly removeBits?: number | undefined;
  /** The edit is made only while these columns hold these values. */
  readonly was: Partial<Pick<Row, "profile_name" | "birthdate" | "height" | "weight" | "description">>;
}

/** Writes the given columns only, so that edits of different fields in two tabs both stay. Undefined: a value is not what it was. */
export function updateProfile(db: Database, id: number, edit: ProfileEdit): Promise<Row | undefined> {
  const { columns, addBits, removeBits, was } = edit;
  let query = db.updateTable("profile").set(columns).where("id", "=", id);
  if (addBits !== undefined || removeBits !== undefined) {
    query = query.set({ characteristics: sql<number>`(characteristics | ${addBits ?? 0}) & ~${removeBits ?? 0}` });
  }
  for (const [column, value] of Object.entries(was)) {
    query = query.where(sql<boolean>`${sql.ref(column)} is ${value}`);
  }
  // SQLite knows no alias in RETURNING.
  return query
    .returning(RETURNED)
    .returning(ownPictures("profile"))
    .returning(ownIntroduction("profile").as("voice"))
    .executeTakeFirst();
}

/** Own profile: everything. */
export function toOwnProfile(row: Row, roles: string[], now: number): Profile {
  return {
    ...toPublicProfile(row, now),
    birthdate: row.birthdate,
    profilePicIdsPrivate: JSON.parse(row.pics_private) as number[],
    roles,
    tsUpdated: new Date(row.ts_updated).toISOString(),
  };
}

/** What another member may read: the age but not the birthdate, times rounded, the private album only when granted. */
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
    height: row.height,
    weight: row.weight,
    description: row.description,
    characteristics: characteristicsFromBits(row.characteristics),
    profilePicIds: JSON.parse(row.pics_public) as number[],
    profilePicIdsPrivate: [],
    voice: row.voice === null ? null : (JSON.parse(row.voice) as ProfileVoice),
    roles: ["USER"],
    tsUpdated: new Date(row.ts_updated - (row.ts_updated % SEEN_ROUNDING_MS)).toISOString(),
  };
}
