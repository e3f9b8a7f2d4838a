/**
 * Counts the members in a brand's city by district, for whoever has no account. Refuses to tell of one member: groups below ten
 * are left out, and of each count a random part is taken away before it is rounded down.
 */

import type { Brand } from "@lambda/brands";
import { DAY_MS } from "@lambda/contract/limits";
import { VISITOR_COUNT_STEPS, type VisitorRing } from "@lambda/contract/visitor-map";
import { keysOfSquare, UNITS_PER_DEGREE } from "@lambda/geo/curve";
import type { Bounds, Point } from "@lambda/geo/distance";
import { latitudeFromMercator, type MercatorPoint, toMercator } from "@lambda/geo/mercator";
import type { Database, Query } from "../../platform/db/database.ts";
import { visibleToAll } from "../../visibility/visibility.ts";

/** Districts are the same for every brand: about 3.5 km high, and 2.8 km wide in California. */
const DISTRICT_BITS = 12;
const DISTRICT_DEGREES = 2 ** DISTRICT_BITS / UNITS_PER_DEGREE;
/** Half the side of the picture, in degrees of longitude. */
const REACH_DEGREES = 0.08;
/** New accounts do not count: otherwise ten of them fill a district until one more member shows. */
const ESTABLISHED_MS = 30 * DAY_MS;
const MOST = VISITOR_COUNT_STEPS[VISITOR_COUNT_STEPS.length - 1]!;
/** What is taken away from a count is the sum of two numbers below this. */
const TAKEN_END = 10;
const TAKEN_MAX = 2 * (TAKEN_END - 1);

export interface District {
  readonly center: Point;
  readonly lo: number;
  readonly hi: number;
}

/** The picture's square, in Mercator. */
export interface Frame extends MercatorPoint {
  readonly side: number;
}

export function frameAround({ lat, lon }: Point): Frame {
  const { x, y } = toMercator(lat, lon);
  const reach = REACH_DEGREES / 360;
  return { x: x - reach, y: y - reach, side: 2 * reach };
}

export function boundsOf({ x, y, side }: Frame): Bounds {
  return {
    latMin: latitudeFromMercator(y + side),
    latMax: latitudeFromMercator(y),
    lonMin: x * 360 - 180,
    lonMax: (x + side) * 360 - 180,
  };
}

export function districtsIn(frame: Frame): District[] {
  const { latMin, latMax, lonMin, lonMax } = boundsOf(frame);
  const first = (degrees: number) => Math.ceil(degrees / DISTRICT_DEGREES - 0.5);
  const districts: District[] = [];
  for (let row = first(latMin + 90); (row + 0.5) * DISTRICT_DEGREES <= latMax + 90; row += 1) {
    for (let column = first(lonMin + 180); (column + 0.5) * DISTRICT_DEGREES <= lonMax + 180; column += 1) {
      districts.push({
        center: { lat: (row + 0.5) * DISTRICT_DEGREES - 90, lon: (column + 0.5) * DISTRICT_DEGREES - 180 },
        ...keysOfSquare(column * 2 ** DISTRICT_BITS, row * 2 ** DISTRICT_BITS, DISTRICT_BITS),
      });
    }
  }
  return districts;
}

/**
 * Counts the established members of a district who reported a place of their own within the last day and whom every member
 * sees. Nobody counts on two brands, or while traveling.
 */
export function countMenQuery(
  db: Database,
  brand: Brand,
  { lo, hi }: District,
  { now, withTestAccounts }: { readonly now: number; readonly withTestAccounts: boolean },
): Query<{ men: number }> {
  const today = Math.floor(now / DAY_MS);
  return db
    .selectFrom(
      db
        .selectFrom("presence as s")
        .innerJoin("profile as p", "p.id", "s.profile_id")
        .innerJoin("account as a", "a.id", "s.profile_id")
        .innerJoin("position as at", "at.profile_id", "s.profile_id")
        .select("s.profile_id")
        .where("s.brand", "=", brand.bit)
        .where("s.key", ">=", lo as never)
        .where("s.key", "<", hi as never)
        .where("s.ts_effective_until", ">", now)
        .where(visibleToAll(brand))
        .where("a.home_brand", "=", brand.id)
        .where("a.ts_created", "<", now - ESTABLISHED_MS)
        .where("a.is_test", "<=", withTestAccounts ? 1 : 0)
        .where("at.use", "<>", "RANDOM")
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(selectFrom("travel_stay as y").select("y.profile_id").whereRef("y.profile_id", "=", "s.profile_id")),
          ),
        )
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom("trip as t")
                .select("t.id")
                .whereRef("t.profile_id", "=", "s.profile_id")
                .where("t.day_from", "<=", today)
                .where("t.day_to", ">=", today),
            ),
          ),
        )
        .limit(MOST + TAKEN_MAX)
        .as("counted"),
    )
    .select(({ fn }) => fn.countAll<number>().as("men"));
}

/** What is taken away from a count: 0 to 18, most often 9. Drawn once a day for each district. */
export function drawTaken(): number {
  const [one, other] = crypto.getRandomValues(new Uint32Array(2));
  return (one! % TAKEN_END) + (other! % TAKEN_END);
}

/** The step that visitors see; undefined if too few are left. One member more or less changes it once in ten days at most. */
export function shownStep(men: number, taken: number): number | undefined {
  return VISITOR_COUNT_STEPS.findLast((step) => step <= men - taken);
}

export function toRing({ center }: District, men: number, { x, y, side }: Frame): VisitorRing {
  const at = toMercator(center.lat, center.lon);
  const round = (value: number) => Math.round(value * 1000) / 1000;
  return { x: round((at.x - x) / side), y: round((at.y - y) / side), men };
}
