/**
 * Who may see a picture, checked on every request for bytes: its owner, and while the owner is visible and the picture is open, others
 * if it is public, in an album granted to them, or in a message to them.
 */
import type { AgePolicyRow } from "@lambda/contract/age-policy";
import { sectorAndNeighbors } from "@lambda/geo/sector";
import { type RawBuilder, sql } from "kysely";
import { ageAllowsPictureUnder } from "../accounts/age/explicit-pictures.ts";
import { ageRule } from "../accounts/age/policy.ts";
import { ownSector } from "../places/areas/area.ts";
import { batch } from "../platform/db/database.ts";
import type { VisiblePicture } from "../platform/picture-lookup.ts";
import type { MemberContext } from "../platform/trpc.ts";
import { albumOpenTo, albumOpenUntil, visibleTo, visibleToAll } from "../visibility/visibility.ts";
import { hiddenByNotice, isOpen, PICTURE_STATES } from "./hidden.ts";

/** Only the latest broadcasts of a picture are checked for whether the viewer can read them. */
const BROADCASTS_CHECKED_MAX = 20;

export type PictureContext = Pick<MemberContext, "db" | "brand" | "viewer" | "now" | "env" | "request">;

/** Whether a picture or a voice introduction is for everybody who may see its owner. */
export const isPublic = (row: string): RawBuilder<boolean> => sql<boolean>`${sql.ref(`${row}.audience`)} = 'public'`;

/** Whether it is for those alone to whom its owner's private album is open. */
export const isPrivate = (row: string): RawBuilder<boolean> => sql<boolean>`${sql.ref(`${row}.audience`)} = 'private'`;

type BrandBit = Parameters<typeof visibleToAll>[0];

/** Whether any member of the brand may see a picture now, on joined `picture as pic` and `profile as p` rows. */
export function publicOn(brand: BrandBit): RawBuilder<boolean> {
  return sql<boolean>`(${isOpen("pic")} and ${isPublic("pic")} and ${visibleToAll(brand)})`;
}

/** The same, or any member could before a notice hid it: how far somebody reaches who knows no more of it than its address. */
export function reachableByAddress(brand: BrandBit): RawBuilder<boolean> {
  return sql<boolean>`(${isPublic("pic")} and ${visibleToAll(brand)} and (${isOpen("pic")} or ${hiddenByNotice(sql.ref("pic.id"))}))`;
}

/**
 * A condition on joined `picture as pic` and `profile as p` rows: whether the viewer may see an album picture now. For lists of pictures
 * (likes, games), which contain no pictures from messages.
 */
export function albumPictureOpenTo(ctx: Pick<PictureContext, "brand" | "viewer" | "now">): RawBuilder<boolean> {
  return sql<boolean>`(${isOpen("pic")} and ${visibleTo(ctx)}
    and (${isPublic("pic")} or (${isPrivate("pic")} and ${albumOpenTo(ctx, sql.ref("pic.profile_id"))})))`;
}

/** Whether the viewer may see a picture, and how long that may be cached unless the owner or the viewer changes something. */
interface PictureAccess {
  readonly id: number;
  /** Undefined when the picture does not exist or is not visible; null when that depends on the viewer's position. */
  readonly picture: VisiblePicture | undefined | null;
  /** Undefined when it must not be cached. */
  readonly until?: number;
}

type AccessContext = Pick<PictureContext, "db" | "brand" | "viewer" | "now"> & {
  readonly seeExplicit: AgePolicyRow["seeExplicit"];
};

/** The picture if the viewer may see it. Undefined both when it does not exist and when it is not visible. */
export async function findVisiblePicture(ctx: PictureContext, id: number): Promise<VisiblePicture | undefined> {
  const { viewer } = ctx;
  const row = await selectPictureRights({ ...ctx, seeExplicit: ageRule(ctx).seeExplicit }, id).executeTakeFirst();
  if (!row) return undefined;
  const { picture } = decideAccess(viewer, id, row);
  if (picture !== null) return picture;
  // Hidden members cannot read the map chat.
  const readable = viewer.hidden ? [] : sectorAndNeighbors(ownSector(ctx));
  const sectors = JSON.parse(row.sectors) as number[];
  return sectors.some((sector) => readable.includes(sector)) ? toVisiblePicture(viewer, row) : undefined;
}

/** The same for many pictures in one round trip, without those that depend on the viewer's position. */
export async function listPictureAccess(
  ctx: AccessContext & { readonly d1: D1Database },
  ids: readonly number[],
): Promise<PictureAccess[]> {
  const queries = ids.map((id) => selectPictureRights(ctx, id));
  const results = await batch(ctx.d1, queries);
  return ids.map((id, index) => {
    const row = results[index]?.[0];
    return row ? decideAccess(ctx.viewer, id, row) : { id, picture: undefined };
  });
}

type PictureRightsRow = NonNullable<Awaited<ReturnType<ReturnType<typeof selectPictureRights>["executeTakeFirst"]>>>;

function decideAccess(viewer: AccessContext["viewer"], id: number, row: PictureRightsRow): PictureAccess {
  const picture = toVisiblePicture(viewer, row);
  if (picture.own) return { id, picture, until: Number.POSITIVE_INFINITY };
  if (row.hidden_by_staff !== PICTURE_STATES.open || !row.visible) return { id, picture: undefined };
  // What shows a discreet owner may expire.
  if ((row.audience === "public" || row.received) && row.discreet_on) return { id, picture };
  if (row.audience === "public" || row.received) return { id, picture, until: Number.POSITIVE_INFINITY };
  if (row.audience === "private" && row.granted) return { id, picture, until: row.ts_granted_until ?? 0 };
  return { id, picture: row.sectors === "[]" ? undefined : null };
}

function toVisiblePicture(viewer: AccessContext["viewer"], row: PictureRightsRow): VisiblePicture {
  const { id, profile_id, version, width, audience, ts_updated } = row;
  const own = profile_id === viewer.profileId;
  const withheld = Boolean(row.withheld);
  const covered = !own && !row.clear;
  return { id, profile_id, version, width, audience, ts_updated, nsfw: row.nsfw === 1, own, covered, withheld };
}

function selectPictureRights(ctx: AccessContext, id: number) {
  const { db, brand, viewer, now, seeExplicit } = ctx;
  const owner = sql.ref("pic.profile_id");
  return (
    db
      .selectFrom("picture as pic")
      .innerJoin("profile as p", "p.id", "pic.profile_id")
      .select(["pic.id", "pic.profile_id", "pic.version", "pic.width", "pic.audience", "pic.hidden_by_staff"])
      .select(["pic.ts_updated", "p.discreet_on"])
      .select(sql<number>`pic.nsfw_owner | pic.nsfw_community`.as("nsfw"))
      .select((ageAllowsPictureUnder(seeExplicit, viewer) ?? sql<boolean>`1`).as("clear"))
      .select(visibleTo(ctx).as("visible"))
      .select(albumOpenTo({ viewer, now }, owner).as("granted"))
      .select(albumOpenUntil(viewer, owner).as("ts_granted_until"))
      .select(
        sql<number>`exists (select 1 from message_picture mp where mp.picture_id = pic.id and mp.reader_id = ${viewer.profileId})`.as(
          "received",
        ),
      )
      .select(
        sql<string>`(select json_group_array(sector) from (select m.sector from message_picture mp join message m on m.id = mp.message_id
        where mp.picture_id = pic.id and mp.reader_id = 0 and m.brand = ${brand.id}
        order by mp.message_id desc limit ${sql.lit(BROADCASTS_CHECKED_MAX)}))`.as("sectors"),
      )
      .select(hiddenByNotice(sql.ref("pic.id")).as("withheld"))
      .where("pic.id", "=", id)
      // Pictures that open once are served by another route, even to their sender.
      .where("pic.audience", "<>", "once")
  );
}
