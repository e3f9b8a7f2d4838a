/**
 * The share of explicit pictures, which laws count: by brand, and by the country of the published position. No country is kept with
 * anybody: positions become counts here, once a night, and counts of few members join the rest of their brand.
 */
import { BRANDS, type Brand, type BrandId } from "@lambda/brands";
import { EXPLICIT_SHARE_OWNERS_MIN } from "@lambda/contract/limits";
import { pointOfKey, toCurveKey } from "@lambda/geo/curve";
import { sectorOfPoint } from "@lambda/geo/sector";
import { countryOfSector } from "@lambda/geo/sector-countries";
import { sql } from "kysely";
import { listedOn } from "../../members/visibility/visibility.ts";
import { batch } from "../../platform/db/batch.ts";
import { itemsOf, rowsOf } from "../../platform/db/d1.ts";
import { type Database, openDatabase } from "../../platform/db/database.ts";
import type { ExplicitShareRow } from "../../platform/db/tables.ts";
import type { Env } from "../../platform/env.ts";

/** Of members whose position is unknown, or who are too few in their country. */
const ELSEWHERE = "";
/** A published position as its square degree: key >> 34. */
const KEYS_PER_SQUARE = 2 ** 34;

interface Counted {
  readonly square: number | null;
  readonly owners: number;
  readonly pictures: number;
  readonly explicit: number;
}

/** Run by schedule: counts anew. */
export async function countExplicitShare(env: Env, now: number): Promise<void> {
  const db = openDatabase(env.DB);
  const rows: Share[] = [];
  for (const brand of BRANDS) rows.push(...sharesOf(brand.id, await listCounted(db, brand)));
  await batch(env.DB, [
    db.deleteFrom("explicit_share").where("brand", "is not", null).compile(),
    db
      .insertInto("explicit_share")
      .columns(["brand", "country", "pictures", "explicit", "ts_counted"])
      .expression((select) =>
        select
          .selectFrom(rowsOf(rows, ["brand", "country", "pictures", "explicit"], "row"))
          .select(["row.brand", "row.country", "row.pictures", "row.explicit", sql.val(now).as("ts_counted")]),
      )
      .compile(),
  ]);
}

/** Album pictures of members whom the brand lists, which others see or are shown on request; what staff hid or hold is not among them. */
function listCounted(db: Database, brand: Brand): Promise<Counted[]> {
  const square = sql<number | null>`pos.key >> 34`;
  return db
    .selectFrom("picture as pic")
    .innerJoin("profile as p", "p.id", "pic.profile_id")
    .leftJoin("position as pos", "pos.profile_id", "p.id")
    .select(square.as("square"))
    .select(sql<number>`count(distinct pic.profile_id)`.as("owners"))
    .select(sql<number>`count(*)`.as("pictures"))
    .select(sql<number>`sum(pic.nsfw_owner | pic.nsfw_community)`.as("explicit"))
    .where("pic.audience", "in", ["public", "private"])
    .where("pic.hidden_by_staff", "=", 0)
    .where(listedOn(brand))
    .groupBy(square)
    .execute();
}

type Share = Pick<ExplicitShareRow, "brand" | "country" | "pictures" | "explicit">;

/** Pure: a brand's counts by country. */
function sharesOf(brand: BrandId, counted: readonly Counted[]): Share[] {
  const countries = new Map<string, { owners: number; pictures: number; explicit: number }>();
  const add = (country: string, { owners, pictures, explicit }: Omit<Counted, "square">) => {
    const sum = countries.get(country) ?? { owners: 0, pictures: 0, explicit: 0 };
    countries.set(country, {
      owners: sum.owners + owners,
      pictures: sum.pictures + pictures,
      explicit: sum.explicit + explicit,
    });
  };
  for (const count of counted) add(count.square === null ? ELSEWHERE : countryOf(count.square), count);
  for (const [country, sum] of [...countries]) {
    if (country === ELSEWHERE || sum.owners >= EXPLICIT_SHARE_OWNERS_MIN) continue;
    countries.delete(country);
    add(ELSEWHERE, sum);
  }
  return [...countries].map(([country, { pictures, explicit }]) => ({ brand, country, pictures, explicit }));
}

function countryOf(square: number): string {
  return countryOfSector(sectorOfPoint(pointOfKey(toCurveKey(square * KEYS_PER_SQUARE))));
}

/** As counted last, the most explicit first. */
export function listExplicitShares(db: Database, brands: readonly string[]): Promise<ExplicitShareRow[]> {
  return db
    .selectFrom("explicit_share")
    .selectAll()
    .where("brand", "in", (some) => some.selectFrom(itemsOf(brands, "b")).select("b.value"))
    .orderBy("brand")
    .orderBy(sql`1.0 * explicit / pictures`, "desc")
    .execute();
}
