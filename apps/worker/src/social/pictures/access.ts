/**
 * Who may see a picture. The owner always. Another member only while the owner is visible to them, and then: public pictures;
 * private ones with a grant that has not expired; any picture that a message carried to them. What staff hid is for its
 * owner alone: staff look at the evidence of its case. Checked on every request for bytes, by one round trip.
 */

import type { AgePolicyRow } from "@lambda/contract/age-policy";
import { sectorsAround } from "@lambda/geo/sector";
import { type RawBuilder, sql } from "kysely";
import { clearWhere } from "../../members/age/cover.ts";
import { ageRule } from "../../members/age/policy.ts";
import { albumOpenTo, albumOpenUntil, visibleTo } from "../../members/visibility/visibility.ts";
import { ownSector } from "../../places/areas/area.ts";
import { batch } from "../../platform/db/batch.ts";
import type { OpenPicture } from "../../platform/known-picture.ts";
import type { MemberContext } from "../../platform/trpc.ts";

/** Sectors of a broadcast looked at: a picture sent to more areas than this is open by its latest ones. */
const BROADCASTS_LOOKED_AT = 20;

export type PictureAsker = Pick<MemberContext, "db" | "brand" | "viewer" | "now" | "env" | "request">;

/**
 * As a condition on joined `picture` and `profile` rows: an album picture that the onlooker may see now. For lists of
 * pictures (likes, games); pictures that only a message carries are not in lists.
 */
export function albumPictureOpenTo(
  asker: Pick<PictureAsker, "brand" | "viewer" | "now">,
  picture = "pic",
  profile = "p",
): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(`${picture}.hidden_by_staff`)} = 0 and ${visibleTo(asker, profile)}
    and (${sql.ref(`${picture}.audience`)} = 'public' or (${sql.ref(`${picture}.audience`)} = 'private' and ${albumOpenTo(asker, sql.ref(`${picture}.profile_id`))})))`;
}

/** What follows from one row: the picture, if it is open, and until when that stays true unless somebody concerned changes something. */
interface Judged {
  readonly id: number;
  /** Undefined alike for absent and for invisible; null where it depends on where the viewer is now. */
  readonly picture: OpenPicture | undefined | null;
  /** Undefined for what is not to be kept. */
  readonly until?: number;
}

type Judge = Pick<PictureAsker, "db" | "brand" | "viewer" | "now"> & {
  readonly seeExplicit: AgePolicyRow["seeExplicit"];
};

/** The picture, if this member may see it; undefined alike for absent and for invisible. */
export async function findOpenPicture(asker: PictureAsker, id: number): Promise<OpenPicture | undefined> {
  const { viewer } = asker;
  const row = await pictureQuery({ ...asker, seeExplicit: ageRule(asker).seeExplicit }, id).executeTakeFirst();
  if (!row) return undefined;
  const { picture } = judge(viewer, id, row);
  if (picture !== null) return picture;
  // Whoever hides does not read the map chat.
  const heard = viewer.hidden ? [] : sectorsAround(ownSector(asker));
  const sent = JSON.parse(row.sectors) as number[];
  return sent.some((sector) => heard.includes(sector)) ? toOpen(viewer, row) : undefined;
}

/** The same for many at once, in one round trip, without what depends on where the viewer is. */
export async function judgePictures(
  asker: Judge & { readonly d1: D1Database },
  ids: readonly number[],
): Promise<Judged[]> {
  const queries = ids.map((id) => pictureQuery(asker, id).compile());
  const answers = await batch<PictureRightsRow[][]>(asker.d1, queries);
  return ids.map((id, index) => {
    const row = answers[index]?.[0];
    return row ? judge(asker.viewer, id, row) : { id, picture: undefined };
  });
}

type PictureRightsRow = NonNullable<Awaited<ReturnType<ReturnType<typeof pictureQuery>["executeTakeFirst"]>>>;

function judge(viewer: Judge["viewer"], id: number, row: PictureRightsRow): Judged {
  const picture = toOpen(viewer, row);
  if (picture.own) return { id, picture, until: Number.POSITIVE_INFINITY };
  if (row.hidden_by_staff || !row.visible) return { id, picture: undefined };
  if (row.audience === "public" || row.received) return { id, picture, until: Number.POSITIVE_INFINITY };
  if (row.audience === "private" && row.granted) return { id, picture, until: row.ts_granted_until ?? 0 };
  return { id, picture: row.sectors === "[]" ? undefined : null };
}

function toOpen(viewer: Judge["viewer"], row: PictureRightsRow): OpenPicture {
  const { id, profile_id, version, width, audience, ts_updated } = row;
  const own = profile_id === viewer.profileId;
  const withheld = row.withheld === 1;
  const covered = !own && !row.clear;
  return { id, profile_id, version, width, audience, ts_updated, nsfw: row.nsfw === 1, own, covered, withheld };
}

function pictureQuery(asker: Judge, id: number) {
  const { db, brand, viewer, now, seeExplicit } = asker;
  const owner = sql.ref("pic.profile_id");
  return (
    db
      .selectFrom("picture as pic")
      .innerJoin("profile as p", "p.id", "pic.profile_id")
      .select(["pic.id", "pic.profile_id", "pic.version", "pic.width", "pic.audience", "pic.hidden_by_staff"])
      .select("pic.ts_updated")
      .select(sql<number>`pic.nsfw_owner | pic.nsfw_community`.as("nsfw"))
      .select((clearWhere(seeExplicit, viewer) ?? sql<boolean>`1`).as("clear"))
      .select(visibleTo(asker).as("visible"))
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
        order by mp.message_id desc limit ${sql.lit(BROADCASTS_LOOKED_AT)}))`.as("sectors"),
      )
      .select(
        sql<number>`exists (select 1 from notice_picture n where n.picture_id = pic.id and n.state in ('hidden', 'removed'))`.as(
          "withheld",
        ),
      )
      .where("pic.id", "=", id)
      // One that opens once has a path of its own, also for its sender.
      .where("pic.audience", "<>", "once")
  );
}
