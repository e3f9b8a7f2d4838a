/**
 * The map on a visitor's first page: a picture of the brand's city and how many members are in its districts. Drawn once a day,
 * because whoever may look every hour can search for the count at which one member more shows.
 */
import { BRANDS, type Brand } from "@lambda/brands";
import { DAY_MS } from "@lambda/contract/limits";
import type { VisitorMap } from "@lambda/contract/visitor-map";
import { punishingCountryIn } from "@lambda/geo/punishing";
import { type Context, Hono } from "hono";
import { batch } from "../../platform/db/batch.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Env } from "../../platform/env.ts";
import { archiveKey, listArchives } from "../tiles/tiles.ts";
import { boundsOf, countMenQuery, districtsIn, drawTaken, frameAround, shownStep, toRing } from "./districts.ts";
import { drawPicture } from "./picture.ts";

/** No account is needed and everybody gets the same, so browsers may keep it. */
const CACHE_CONTROL = "public, max-age=3600";
/** When the job has failed for longer, visitors get no map. */
const KEPT_DAYS = 2;
const TYPES = { json: "application/json", svg: "image/svg+xml" } as const;
type FileType = keyof typeof TYPES;

const fileKey = ({ id }: Brand, type: FileType) => `visitor-map/${id}.${type}`;
const dayOf = (now: number) => Math.floor(now / DAY_MS);

type Visit = { Bindings: Pick<Env, "TILES">; Variables: { brand: Brand } };
export const visitorMap = new Hono<Visit>();
visitorMap.get("/visitor-map.json", (c) => serve(c, "json"));
visitorMap.get("/visitor-map.svg", (c) => serve(c, "svg"));

async function serve(c: Context<Visit>, type: FileType): Promise<Response> {
  const object = await c.env.TILES.get(fileKey(c.get("brand"), type));
  if (!object || Date.now() - object.uploaded.getTime() > KEPT_DAYS * DAY_MS) return c.body(null, 204);
  return c.body(object.body, 200, { "Content-Type": TYPES[type], "Cache-Control": CACHE_CONTROL });
}

/** Scheduled every hour, for the brands whose map is from an earlier day, so that a new site need not wait for a night. */
export async function drawVisitorMaps(
  env: Pick<Env, "DB" | "TILES" | "ENVIRONMENT">,
  db: Database,
  now: number,
): Promise<void> {
  const { regions } = await listArchives(env.TILES);
  for (const brand of BRANDS) {
    const known = await env.TILES.head(fileKey(brand, "json"));
    if (Number(known?.customMetadata?.day) === dayOf(now)) continue;
    const { firstCity } = brand;
    const frame = frameAround(firstCity);
    const region = regions.find(
      ({ bounds: { west, east, south, north } }) =>
        firstCity.lon > west && firstCity.lon < east && firstCity.lat > south && firstCity.lat < north,
    );
    if (!region || punishingCountryIn(boundsOf(frame))) {
      await env.TILES.delete([fileKey(brand, "json"), fileKey(brand, "svg")]);
      continue;
    }
    const districts = districtsIn(frame);
    const options = { now, withTestAccounts: env.ENVIRONMENT === "development" };
    const counts = await batch(
      env.DB,
      districts.map((district) => countMenQuery(db, brand, district, options)),
    );
    const map: VisitorMap = districts.flatMap((district, index) => {
      const step = shownStep(counts[index]![0]!.men, drawTaken());
      return step === undefined ? [] : [toRing(district, step, frame)];
    });
    await env.TILES.put(fileKey(brand, "svg"), await drawPicture(env.TILES, archiveKey(region.name), frame));
    await env.TILES.put(fileKey(brand, "json"), JSON.stringify(map), { customMetadata: { day: String(dayOf(now)) } });
  }
}
