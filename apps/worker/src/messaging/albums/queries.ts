import type { AlbumGrant, AlbumStatus } from "@lambda/contract/albums";
import { type RawBuilder, sql } from "kysely";
import type { PictureContext } from "../../pictures/access.ts";
import { type Database, insertIf, type Query } from "../../platform/db/database.ts";
import type { AlbumGrantRow } from "../../platform/db/tables.ts";
import { notFound } from "../../platform/errors.ts";
import { toIso, toIsoOrNull } from "../../platform/iso-time.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import {
  firstPictureOf,
  memberVisible,
  type ViewerContext,
  viewerVisibleTo,
  visibleTo,
} from "../../visibility/visibility.ts";
import { wroteTo } from "../wrote-to.ts";

type AlbumContext = Pick<MemberContext, "db" | "now"> & ViewerContext;

/** Album access between the viewer and another member, in both directions. Throws NOT_FOUND when the other is not visible. */
export function getAlbumStatus(ctx: PictureContext, profileId: number) {
  const me = ctx.viewer.profileId;
  const isCurrent = (grant: string) =>
    sql<boolean>`(${sql.ref(`${grant}.ts_expires`)} is null or ${sql.ref(`${grant}.ts_expires`)} > ${ctx.now})`;
  return ctx.db
    .selectFrom("profile as p")
    .leftJoin("album_grant as r", (join) =>
      join.onRef("r.owner_id", "=", "p.id").on("r.member_id", "=", me).on("r.withheld", "=", 0).on(isCurrent("r")),
    )
    .leftJoin("album_grant as g", (join) =>
      join.on("g.owner_id", "=", me).onRef("g.member_id", "=", "p.id").on(isCurrent("g")),
    )
    .select(["r.state as received", "r.ts_expires as received_expires"])
    .select(sql<0 | 1>`(ifnull(r.was_requested, 0) or ${wroteTo(me, profileId)})`.as("asked"))
    .select(["g.state as given", "g.ts_expires as given_expires"])
    .select(sql<number>`p.pics_private <> '[]'`.as("has_pictures"))
    .where("p.id", "=", profileId)
    .where(visibleTo(ctx))
    .executeTakeFirstOrThrow(notFound);
}

/** Inserts a grant or request between the viewer and another member, if the other is visible to the viewer. */
function buildGrantInsert(ctx: AlbumContext, otherId: number, grant: AlbumGrantRow, onlyIf = sql<boolean>`true`) {
  return insertIf(ctx.db, "album_grant", grant, ({ and }) => and([memberVisible(ctx, otherId), onlyIf]));
}

/**
 * Requests access to an album, leaving a current grant as it is and turning an expired one into a request. One that was withheld opens: its
 * owner, who was not told that the member did not see it, must not be asked for it. Writes nothing behind a block, because the row would become
 * valid when the block ends.
 */
export function insertAlbumRequestQuery(ctx: AlbumContext, ownerId: number): Query {
  const { viewer, now } = ctx;
  const request = { state: "requested", ts_expires: null, ts_created: now, was_requested: 1 } as const;
  const row = { owner_id: ownerId, member_id: viewer.profileId, withheld: 0, ...request } as const;
  const isExpired = sql<boolean>`ifnull(album_grant.ts_expires <= ${now}, 0)`;
  return buildGrantInsert(ctx, ownerId, row).onConflict((conflict) =>
    conflict
      .columns(["owner_id", "member_id"])
      .doUpdateSet({
        state: sql<"requested">`iif(${isExpired}, 'requested', state)`,
        ts_expires: sql<number | null>`iif(${isExpired}, null, ts_expires)`,
        ts_created: sql<number>`iif(${isExpired}, ${now}, ts_created)`,
        was_requested: 1,
        withheld: 0,
      })
      .where("album_grant.state", "=", "granted")
      .where(({ or, eb }) => or([isExpired, eb("album_grant.withheld", "=", 1)])),
  );
}

/**
 * Grants access to the viewer's album. Returns no row when the other member is not visible any more.
 *
 * @param withheld whether the other must not learn of it, since a word hid the message that grants it; what they have or asked for stays open
 */
export function upsertAlbumGrantQuery(
  ctx: AlbumContext,
  memberId: number,
  expires: number | null,
  { onlyIf = sql<boolean>`true`, withheld = false }: { onlyIf?: RawBuilder<boolean>; withheld?: boolean } = {},
): Query<{ member_id: number }> {
  const { viewer, now } = ctx;
  const grant = { state: "granted", ts_expires: expires, ts_created: now } as const;
  const row = {
    owner_id: viewer.profileId,
    member_id: memberId,
    was_requested: 0,
    withheld: withheld ? 1 : 0,
    ...grant,
  } as const;
  const stays = sql<boolean>`(album_grant.state = 'requested' or ifnull(album_grant.ts_expires > ${now}, 1)) and album_grant.withheld = 0`;
  return buildGrantInsert(ctx, memberId, row, onlyIf)
    .onConflict((conflict) =>
      conflict
        .columns(["owner_id", "member_id"])
        .doUpdateSet({ ...grant, withheld: sql<0 | 1>`excluded.withheld and not (${stays})` }),
    )
    .returning("member_id");
}

/** Withdraws a request or gives up access. A grant from an owner who cannot see the viewer stays, because removing it would reveal the viewer. */
export async function leaveAlbum(ctx: AlbumContext, ownerId: number): Promise<void> {
  await ctx.db
    .deleteFrom("album_grant")
    .where("owner_id", "=", ownerId)
    .where("member_id", "=", ctx.viewer.profileId)
    .where(sql<boolean>`(state = 'requested' or ${viewerVisibleTo(ctx, ownerId)})`)
    .execute();
}

/** Revokes a grant or declines a request. */
export async function deleteAlbumGrant(db: Database, ownerId: number, memberId: number): Promise<void> {
  await db.deleteFrom("album_grant").where("owner_id", "=", ownerId).where("member_id", "=", memberId).execute();
}

/**
 * Grants and requests in one direction, ordered by the other member's id. Leaves out expired ones and invisible members, but lists the
 * viewer's own grants to invisible members without a name, so that they can still be revoked.
 */
export function listAlbumGrants(ctx: PictureContext, direction: "given" | "received", after: number, limit: number) {
  const me = ctx.viewer.profileId;
  const [mine, other] =
    direction === "given" ? (["g.owner_id", "g.member_id"] as const) : (["g.member_id", "g.owner_id"] as const);
  const query = ctx.db
    .selectFrom("album_grant as g")
    .innerJoin("profile as p", "p.id", other)
    .select(["g.owner_id", "g.member_id", "g.state", "g.ts_expires", "g.ts_created"])
    .select(sql<string>`case when ${visibleTo(ctx)} then p.profile_name else '' end`.as("profile_name"))
    .select(sql<number | null>`case when ${visibleTo(ctx)} then ${firstPictureOf("p")} end`.as("picture_id"))
    .where(mine, "=", me)
    .where(other, ">", after)
    .where(sql<boolean>`(g.ts_expires is null or g.ts_expires > ${ctx.now})`)
    .where(
      direction === "given"
        ? sql<boolean>`(g.state = 'granted' or ${visibleTo(ctx)})`
        : sql<boolean>`(g.withheld = 0 and ${visibleTo(ctx)})`,
    );
  return query.orderBy(other).limit(limit).execute();
}

export function toAlbumStatus(profileId: number, row: Awaited<ReturnType<typeof getAlbumStatus>>): AlbumStatus {
  return {
    profileId,
    received: row.received ?? "none",
    receivedTsExpires: toIsoOrNull(row.received_expires),
    asked: row.asked === 1,
    given: row.given ?? "none",
    givenTsExpires: toIsoOrNull(row.given_expires),
    hasPictures: row.has_pictures === 1,
  };
}

export function toAlbumGrant(row: Awaited<ReturnType<typeof listAlbumGrants>>[number]): AlbumGrant {
  return {
    ownerProfileId: row.owner_id,
    memberProfileId: row.member_id,
    state: row.state,
    tsExpires: toIsoOrNull(row.ts_expires),
    tsCreated: toIso(row.ts_created),
    profileName: row.profile_name,
    profilePicId: row.picture_id,
  };
}
