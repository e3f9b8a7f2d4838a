/**
 * Who may see a picture. The owner always. Another member only while the owner is visible to them, and then: public pictures;
 * private ones with a grant that has not expired; any picture that a message carried to them. What staff hid is for its
 * owner alone: staff look at the evidence of its case. Checked on every request for bytes, by one round trip.
 */
import { sectorsAround } from "@lambda/geo/sector";
import { type RawBuilder, sql } from "kysely";
import { clearFor } from "../../members/age/cover.ts";
import { albumOpenTo, visibleTo } from "../../members/visibility/visibility.ts";
import { ownSector } from "../../places/areas/area.ts";
import type { PictureRow } from "../../platform/db/tables.ts";
import type { MemberContext } from "../../platform/trpc.ts";

/** Sectors of a broadcast looked at: a picture sent to more areas than this is open by its latest ones. */
const BROADCASTS_LOOKED_AT = 20;

export type PictureAsker = Pick<MemberContext, "db" | "brand" | "viewer" | "now" | "env" | "request">;

export interface OpenPicture {
  readonly id: number;
  readonly profile_id: number;
  readonly version: number;
  readonly width: number;
  readonly audience: PictureRow["audience"];
  readonly nsfw: boolean;
  /** Only the pixelated version is for this viewer, who has not proved their age. */
  readonly covered: boolean;
  readonly own: boolean;
  /** A notice withholds it from everybody: its owner sees it pixelated, to know what is meant. */
  readonly withheld: boolean;
  readonly ts_updated: number;
}

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

/** The picture, if this member may see it; undefined alike for absent and for invisible. */
export async function findOpenPicture(asker: PictureAsker, id: number): Promise<OpenPicture | undefined> {
  const { db, brand, viewer } = asker;
  const clear = clearFor(asker);
  const row = await db
    .selectFrom("picture as pic")
    .innerJoin("profile as p", "p.id", "pic.profile_id")
    .select(["pic.id", "pic.profile_id", "pic.version", "pic.width", "pic.audience", "pic.hidden_by_staff"])
    .select("pic.ts_updated")
    .select(sql<number>`pic.nsfw_owner | pic.nsfw_community`.as("nsfw"))
    .select((clear ?? sql<boolean>`1`).as("clear"))
    .select(visibleTo(asker).as("visible"))
    .select(albumOpenTo(asker, sql.ref("pic.profile_id")).as("granted"))
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
    .executeTakeFirst();
  if (!row) return undefined;

  const own = row.profile_id === viewer.profileId;
  const open: OpenPicture = {
    ...row,
    nsfw: row.nsfw === 1,
    own,
    covered: !own && !row.clear,
    withheld: row.withheld === 1,
  };
  if (own) return open;
  if (row.hidden_by_staff || !row.visible) return undefined;
  if (row.audience === "public") return open;
  if (row.audience === "private" && row.granted) return open;
  if (row.received) return open;
  // Whoever hides does not read the map chat.
  const heard = viewer.hidden ? [] : sectorsAround(ownSector(asker));
  return (JSON.parse(row.sectors) as number[]).some((sector) => heard.includes(sector)) ? open : undefined;
}
