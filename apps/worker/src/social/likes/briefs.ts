/** The four lists of likes: members with the like that put them there, newest first. They tell no position. */
import { ageOf } from "@lambda/contract/birthdate";
import { characteristicsFromBits } from "@lambda/contract/characteristics";
import type { LikedBrief, LikeTab } from "@lambda/contract/likes";
import { SEEN_ROUNDING_MS } from "@lambda/contract/limits";
import { sql } from "kysely";
import { albumOpenTo, type Onlooker, visibleTo } from "../../members/visibility/visibility.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TimeCursor } from "./cursor.ts";

export interface LikedBriefRow {
  readonly ts_liked: number;
  readonly id: number;
  readonly picture_id: number | null;
  readonly matched: 0 | 1;
  readonly profile_name: string;
  readonly birthdate: string | null;
  readonly characteristics: number;
  readonly height: string;
  readonly weight: string;
  readonly pics_public: string;
  readonly ts_seen: number;
}

export interface PageAfter {
  readonly after: TimeCursor;
  readonly limit: number;
}

const SUBJECT = sql`p.id, p.profile_name, p.birthdate, p.characteristics, p.height, p.weight, p.pics_public, p.ts_seen`;

export async function listLikedBriefs(
  db: Database,
  onlooker: Onlooker,
  tab: LikeTab,
  page: PageAfter,
  now: number,
): Promise<LikedBriefRow[]> {
  const statement =
    tab === "profilelikedyou" || tab === "youlikedprofile"
      ? profileLikes(onlooker, tab === "profilelikedyou", page)
      : pictureLikes(onlooker, tab === "profilelikedyourpics", page, now);
  return (await statement.execute(db)).rows;
}

function profileLikes(onlooker: Onlooker, received: boolean, { after, limit }: PageAfter) {
  const me = onlooker.viewer.profileId;
  const [mine, other] = received ? ["liked_id", "liker_id"] : ["liker_id", "liked_id"];
  const [l, o] = [sql.ref(`l.${mine}`), sql.ref(`l.${other}`)];
  return sql<LikedBriefRow>`
    select l.ts_created as ts_liked, null as picture_id, l.mutual as matched, ${SUBJECT}
    from profile_like l
    join profile p on p.id = ${o}
    where ${l} = ${me} and l.like_type = 'LIKE'
      and l.ts_created <= ${after.ts} and (l.ts_created < ${after.ts} or ${o} > ${after.id})
      and ${visibleTo(onlooker)}
    order by l.ts_created desc, ${o} limit ${limit}`;
}

/** Of pictures of others, only those that the viewer may still look at: public, or in an album that is open to him. */
function pictureLikes(onlooker: Onlooker, received: boolean, { after, limit }: PageAfter, now: number) {
  const me = onlooker.viewer.profileId;
  const other = sql.ref(received ? "l.liker_id" : "l.owner_id");
  const open = received
    ? sql`true`
    : sql`(instr(',' || trim(p.pics_public, '[]') || ',', ',' || l.picture_id || ',') > 0 or
        instr(',' || trim(p.pics_private, '[]') || ',', ',' || l.picture_id || ',') > 0
          and ${albumOpenTo({ ...onlooker, now }, sql.ref("p.id"))})`;
  const order = received ? sql`l.ts_created desc, l.picture_id, l.liker_id` : sql`l.ts_created desc, l.picture_id`;
  const later = received
    ? sql`(l.picture_id > ${after.second} or l.picture_id = ${after.second} and l.liker_id > ${after.id})`
    : sql`l.picture_id > ${after.second}`;
  return sql<LikedBriefRow>`
    select l.ts_created as ts_liked, l.picture_id, 0 as matched, ${SUBJECT}
    from picture_like l${sql.raw(received ? "" : " indexed by picture_like_given")}
    join profile p on p.id = ${other}
    where ${sql.ref(received ? "l.owner_id" : "l.liker_id")} = ${me} and l.like_type = 'LIKE'
      and l.ts_created <= ${after.ts} and (l.ts_created < ${after.ts} or ${later})
      and ${visibleTo(onlooker)} and ${open}
    order by ${order} limit ${limit}`;
}

export function toLikedBrief(row: LikedBriefRow, now: number): LikedBrief {
  return {
    profileId: row.id,
    session: 0,
    profileName: row.profile_name,
    profileAge: ageOf(row.birthdate, now) ?? null,
    profileChars: characteristicsFromBits(row.characteristics),
    profileWeight: row.weight,
    profileHeight: row.height,
    profilePicIds: JSON.parse(row.pics_public) as number[],
    lat: null,
    lon: null,
    tsUpdated: new Date(row.ts_seen - (row.ts_seen % SEEN_ROUNDING_MS)).toISOString(),
    tsLiked: new Date(row.ts_liked).toISOString(),
    ...(row.picture_id !== null && { profilePicId: row.picture_id }),
    match: row.matched === 1,
  };
}
