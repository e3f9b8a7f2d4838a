/** The four lists of likes: members and the like that put them on the list, newest first. They contain no positions. */
import { ageOf } from "@lambda/contract/birthdate";
import { characteristicsFromBits } from "@lambda/contract/characteristics";
import type { LikedBrief, LikeTab } from "@lambda/contract/likes";
import { SEEN_ROUNDING_MS } from "@lambda/contract/limits";
import { sql } from "kysely";
import type { Database } from "../../platform/db/database.ts";
import { toIso } from "../../platform/iso-time.ts";
import type { ViewerContext } from "../../visibility/visibility.ts";
import { selectGivenPictureLikes, selectLikes, selectReceivedPictureLikes, type TimePage } from "./queries.ts";

const PROFILE_COLUMNS = [
  "p.id",
  "p.profile_name",
  "p.birthdate",
  "p.characteristics",
  "p.height",
  "p.weight",
  "p.pics_public",
  "p.ts_seen",
] as const;

export function listLikedBriefs(db: Database, ctx: ViewerContext, tab: LikeTab, page: TimePage, now: number) {
  switch (tab) {
    case "profilelikedyou":
      return listProfileLikes(db, ctx, "received", page);
    case "youlikedprofile":
      return listProfileLikes(db, ctx, "given", page);
    case "profilelikedyourpics":
      return listReceived(db, ctx, page);
    case "youlikedprofilepics":
      return listGiven(db, ctx, page, now);
  }
}

function listProfileLikes(db: Database, ctx: ViewerContext, side: "given" | "received", page: TimePage) {
  return selectLikes(db, ctx, side, "LIKE", page)
    .select(["l.ts_created as ts_liked", sql<number | null>`null`.as("picture_id"), "l.mutual as matched"])
    .select(PROFILE_COLUMNS)
    .execute();
}

function listReceived(db: Database, ctx: ViewerContext, { after, limit }: TimePage) {
  return selectReceivedPictureLikes(db, ctx, { after, pictureId: after.tieBreaker, likerId: after.id }, limit)
    .select(["l.ts_created as ts_liked", "l.picture_id", sql<0>`0`.as("matched")])
    .select(PROFILE_COLUMNS)
    .execute();
}

function listGiven(db: Database, ctx: ViewerContext, { after, limit }: TimePage, now: number) {
  return selectGivenPictureLikes(db, { ...ctx, now }, "LIKE", { after, pictureId: after.tieBreaker }, limit)
    .select(["l.ts_created as ts_liked", "l.picture_id", sql<0>`0`.as("matched")])
    .select(PROFILE_COLUMNS)
    .execute();
}

export function toLikedBrief(row: Awaited<ReturnType<typeof listLikedBriefs>>[number], now: number): LikedBrief {
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
    tsUpdated: toIso(row.ts_seen - (row.ts_seen % SEEN_ROUNDING_MS)),
    tsLiked: toIso(row.ts_liked),
    ...(row.picture_id !== null && { profilePicId: row.picture_id }),
    match: row.matched === 1,
  };
}
