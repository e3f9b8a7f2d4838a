/**
 * The share of explicit pictures by brand and by the country of the owner's published position, on which some laws
 * depend. No country is stored per member: a nightly job counts, and countries with few members are merged into the
 * rest of their brand.
 */
import { BRANDS, type Brand, type BrandId } from "@lambda/brands";
import { EXPLICIT_SHARE_OWNERS_MIN } from "@lambda/contract/limits";
import { pointOfKey, toCurveKey } from "@lambda/geo/curve";
import { sectorOfPoint } from "@lambda/geo/sector";
import { countryOfSector } from "@lambda/geo/sector-countries";
import { sql } from "kysely";
import { isPrivate, isPublic } from "../../pictures/access.ts";
import { isOpen } from "../../pictures/hidden.ts";
import { batch, type Database, insertFrom, itemsOf, openDatabase, rowsOf } from "../../platform/db/database.ts";
import type { ExplicitShareRow } from "../../platform/db/tables.ts";
import type { Env } from "../../platform/env.ts";
import { listedOn } from "../../visibility/visibility.ts";

/** The country code for members without a position, or with too few others in their country. */
const ELSEWHERE = "";
/** `key >> 34` is the square degree of a published position. */
const KEYS_PER_SQUARE = 2 ** 34;

export async function countExplicitShare(env: Env, now: number): Promise<void> {
  const db = openDatabase(env.DB);
  const rows: Share[] = [];
  for (const brand of BRANDS) rows.push(...toShares(brand.id, await listCounted(db, brand)));
  await batch(env.DB, [
    db.deleteFrom("explicit_share").where("brand", "is not", null),
    insertFrom(db, "explicit_share", db.selectFrom(rowsOf(rows, SHARE, "row")).select(SHARE), { ts_counted: now }),
  ]);
}

/** Counts the public and private album pictures of members listed on the brand, without hidden and held ones. */
function listCounted(db: Database, brand: Brand) {
  const square = sql<number | null>`pos.key >> 34`;
  return db
    .selectFrom("picture as pic")
    .innerJoin("profile as p", "p.id", "pic.profile_id")
    .leftJoin("position as pos", "pos.profile_id", "p.id")
    .select(square.as("square"))
    .select(sql<number>`count(distinct pic.profile_id)`.as("owners"))
    .select(sql<number>`count(*)`.as("pictures"))
    .select(sql<number>`sum(pic.nsfw_owner | pic.nsfw_community)`.as("explicit"))
    .where(sql<boolean>`(${isPublic("pic")} or ${isPrivate("pic")})`)
    .where(isOpen("pic"))
    .where(listedOn(brand))
    .groupBy(square)
    .execute();
}

const SHARE = ["brand", "country", "pictures", "explicit"] as const;
type Share = Pick<ExplicitShareRow, (typeof SHARE)[number]>;

/** Sums a brand's counts by country and merges small countries. */
function toShares(brand: BrandId, squares: Awaited<ReturnType<typeof listCounted>>): Share[] {
  const sum = (counts: typeof squares, what: "owners" | "pictures" | "explicit") =>
    counts.reduce((total, count) => total + count[what], 0);
  const counted = squares.map((count) => ({ ...count, country: countryOf(count.square) }));
  const countries = Map.groupBy(counted, ({ country }) => country);
  const isSmall = (country: string) => sum(countries.get(country)!, "owners") < EXPLICIT_SHARE_OWNERS_MIN;
  const merged = Map.groupBy(counted, ({ country }) => (isSmall(country) ? ELSEWHERE : country));
  return [...merged].map(([country, counts]) => {
    return { brand, country, pictures: sum(counts, "pictures"), explicit: sum(counts, "explicit") };
  });
}

function countryOf(square: number | null): string {
  if (square === null) return ELSEWHERE;
  return countryOfSector(sectorOfPoint(pointOfKey(toCurveKey(square * KEYS_PER_SQUARE))));
}

/** Lists the shares of the last count, the highest share first. */
export function listExplicitShares(db: Database, brands: readonly string[]): Promise<ExplicitShareRow[]> {
  return db
    .selectFrom("explicit_share")
    .selectAll()
    .where("brand", "in", (listed) => listed.selectFrom(itemsOf(brands, "b")).select("b.value"))
    .orderBy("brand")
    .orderBy(sql`1.0 * explicit / pictures`, "desc")
    .execute();
}
