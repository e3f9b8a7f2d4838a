/** Which pictures a notice may be about, and whose staff decide about each. */
import { BRANDS, type BrandId, getBrand } from "@lambda/brands";
import { type RawBuilder, sql } from "kysely";
import { reachableByAddress } from "../../pictures/access.ts";
import { hiddenByNotice, isHeld } from "../../pictures/hidden.ts";
import { type Database, valuesOf } from "../../platform/db/database.ts";
import { HASH_QUALITY_MIN } from "../../platform/images/perceptual-hash.ts";
import { isMemberOf } from "../../visibility/visibility.ts";

/** A stored picture that a notice may be about. */
export interface AttachablePicture {
  readonly id: number;
  readonly profile_id: number;
  readonly version: number;
  readonly desk: BrandId;
  /** Whether any member of that brand may see it, or could before a notice hid it. */
  readonly wasPublic: boolean;
  /** Whether it looks like the picture that came with the notice. */
  readonly matches: boolean;
  /** Whether staff have kept it after an earlier notice. */
  readonly cleared: number;
  readonly withheld: number;
  /** Whether it is held as a known picture. */
  readonly held: number;
  /** Null if the picture is too plain to be distinctive. */
  readonly hash: string | null;
  readonly sealed_print: Uint8Array | null;
  /** Whether the notice does not name it, and it only looks like one that it names. */
  readonly alike?: boolean;
}

/** How the sender of a notice identifies pictures. */
interface Named {
  /** Numbers from addresses, which anybody can write. */
  readonly addressed: readonly number[];
  /** Pictures that look like the one that came with the notice, the most similar first. */
  readonly matching: readonly number[];
}

/**
 * Lists the pictures that a notice may be about, of those named: by address alone only what any member of a brand may see. Those with an
 * address come first, so that an owner's decoys that look like the picture cannot crowd them out.
 */
export async function listAttachable(
  db: Database,
  filedOn: string,
  { addressed, matching }: Named,
): Promise<AttachablePicture[]> {
  const ids = [...new Set([...addressed, ...matching])];
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom(valuesOf(ids, "wanted"))
    .innerJoin("picture as pic", "pic.id", "wanted.column1")
    .innerJoin("profile as p", "p.id", "pic.profile_id")
    .innerJoin("account as a", "a.id", "pic.profile_id")
    .leftJoin("picture_hash as x", (join) =>
      join.onRef("x.picture_id", "=", "pic.id").on("x.quality", ">=", sql.lit(HASH_QUALITY_MIN)),
    )
    .select(["pic.id", "pic.profile_id", "pic.version", "a.home_brand", "x.hash", "x.sealed_print"])
    .select(sql<number>`${isHeld("pic")}`.as("held"))
    .select(
      sql<number>`exists (select 1 from notice_picture n where n.picture_id = pic.id and n.state = 'cleared')`.as(
        "cleared",
      ),
    )
    .select(sql<number>`${hiddenByNotice(sql.ref("pic.id"))}`.as("withheld"))
    .select([brandsWhere(reachableByAddress).as("reached"), brandsWhere(isMemberOf).as("joined")])
    .execute();
  const found = rows.map(({ home_brand, reached, joined, ...picture }) => {
    const desk = chooseDesk([filedOn, home_brand], reached === 0 ? joined : reached);
    const wasPublic = (reached & getBrand(desk).bit) !== 0;
    return { ...picture, desk, wasPublic, matches: matching.includes(picture.id) };
  });
  return found
    .filter(({ wasPublic, matches }) => wasPublic || matches)
    .sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
}

/** The bits of the brands for which a condition holds. */
function brandsWhere(condition: (brand: (typeof BRANDS)[number]) => RawBuilder<boolean>): RawBuilder<number> {
  return sql<number>`(${sql.join(
    BRANDS.map((brand) => sql`iif(${condition(brand)}, ${sql.lit(brand.bit)}, 0)`),
    sql` | `,
  )})`;
}

/** The first of the preferred brands, or else of all, that is among the bits. */
function chooseDesk(preferred: readonly string[], bits: number): BrandId {
  const among = BRANDS.filter(({ bit }) => (bits & bit) !== 0).map(({ id }) => id);
  return preferred.map((id) => among.find((brand) => brand === id)).find(Boolean) ?? among[0] ?? BRANDS[0].id;
}
