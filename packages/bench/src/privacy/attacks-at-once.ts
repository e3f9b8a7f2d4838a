/** Attacks on a stationary victim: by distances, orders, boxes, counts, cursors and brands. */
import { BRANDS } from "@lambda/brands";
import { type Bounds, distanceMeters, type Point } from "@lambda/geo/distance";
import { decodeNearestCursor } from "@lambda/worker/nearest-cursor";
import {
  type Attacks,
  BOX_DEGREES,
  bisect,
  boxAround,
  DIRECTIONS,
  lookAt,
  mean,
  meanSeen,
  pointOf,
  rankMembers,
  readDistance,
  seeVictim,
  trilaterate,
} from "./observers.ts";
import { gridCenterOf, offset } from "./simulated-town.ts";

/** The distance in a cursor; undefined, because cursors are encrypted. */
function metersIn(cursor: string): number | undefined {
  try {
    return decodeNearestCursor(cursor).meters;
  } catch {
    return undefined;
  }
}

export const ATTACKS_AT_ONCE: Attacks = {
  "read the marker": async (scene) => pointOf(await seeVictim(scene, scene.observers[0]), scene.shown),
  "center of the marker's cell": async (scene) =>
    gridCenterOf(pointOf(await seeVictim(scene, scene.observers[0]), scene.shown)),
  "trilateration by distances": async (scene) => {
    const readings = [];
    for (const direction of DIRECTIONS) readings.push(...(await readDistance(scene, scene.observers[0], direction)));
    return trilaterate(scene.shown, readings);
  },
  "flip point of an order": async (scene) => {
    const { town, shown, victim } = scene;
    const [observer, decoy] = scene.observers;
    const decoyAt = await town.report(decoy, offset(shown, 700, 500));
    const readings = [];
    for (const [east, north] of DIRECTIONS.slice(0, 3)) {
      let at = shown;
      await bisect(10, async (part) => {
        const [a, b] = [
          offset(shown, -east / 3 + north / 4, -north / 3),
          offset(decoyAt, east / 3, north / 3 + east / 4),
        ];
        at = await town.report(observer, {
          lat: a.lat + (b.lat - a.lat) * part,
          lon: a.lon + (b.lon - a.lon) * part,
        });
        const rank = await rankMembers(scene, observer, 1500, 60);
        return rank(victim) < rank(decoy);
      });
      readings.push({ from: at, meters: distanceMeters(at, decoyAt) });
    }
    return trilaterate(shown, readings);
  },
  "bounds bisection": async (scene) => {
    const inside = async (box: Bounds) =>
      (await lookAt(scene, scene.observers[0], box)).some(({ profileId }) => profileId === scene.victim);
    const whole = boxAround(scene.shown);
    const { latMin: south, lonMin: west } = whole;
    const lat = await bisect(14, (part) => inside({ ...whole, latMin: south + 2 * BOX_DEGREES * part }));
    const lon = await bisect(14, (part) => inside({ ...whole, lonMin: west + 2 * BOX_DEGREES * part }));
    return { lat: south + 2 * BOX_DEGREES * lat, lon: west + 2 * BOX_DEGREES * lon };
  },
  "sector differencing, order of a list": async (scene) => {
    const { shown, victim } = scene;
    const items = await lookAt(scene, scene.observers[0], boxAround(shown));
    const index = items.findIndex(({ profileId }) => profileId === victim);
    const adjacent = [items[index - 1], items[index], items[index + 1]].filter((brief) => brief !== undefined);
    return mean(adjacent.map((brief) => pointOf(brief, shown)));
  },
  "aggregate differencing by block": async (scene) => {
    const { town, victim, shown } = scene;
    const [observer] = scene.observers;
    const counts = async () => {
      town.requests += 1;
      const { items } = await town.as(observer).aggregates({ most: 100 });
      return new Map(items.map((item) => [`${item.centerLat}:${item.centerLon}`, item]));
    };
    const before = await counts();
    town.block(observer, victim);
    const after = await counts();
    town.unblock(observer, victim);
    for (const [name, item] of before) {
      if ((after.get(name)?.count ?? 0) >= item.count) continue;
      const clamp = (value: number, center: number, delta: number) =>
        Math.max(center - delta, Math.min(center + delta, value));
      return {
        lat: clamp(shown.lat, item.centerLat, item.deltaLat),
        lon: clamp(shown.lon, item.centerLon, item.deltaLon),
      };
    }
    return shown;
  },
  "order sandwich with a colluder": async (scene) => {
    const { town, shown, victim } = scene;
    const [observer, colluder] = scene.observers;
    const readings = [];
    for (const [east, north] of DIRECTIONS.slice(0, 3)) {
      const from = await town.report(observer, offset(shown, east / 2, north / 2));
      let meters = 0;
      await bisect(10, async (part) => {
        const at = await town.report(colluder, offset(shown, -east * (part - 0.5), -north * (part - 0.5)));
        meters = distanceMeters(from, at);
        const rank = await rankMembers(scene, observer, 1600, 120);
        return rank(colluder) < rank(victim);
      });
      readings.push({ from, meters });
    }
    return trilaterate(shown, readings);
  },
  "colluding pair": async (scene) => {
    const readings = [];
    for (const at of [0, 1] as const)
      readings.push(...(await readDistance(scene, scene.observers[at], DIRECTIONS[at])));
    return trilaterate(scene.shown, readings);
  },
  "ties in one cell": async (scene) => {
    const { town, shown, victim } = scene;
    const [observer, rival] = scene.observers;
    const rivalAt = await town.report(rival, shown);
    const observations: { from: Point; nearer: boolean }[] = [];
    for (const [east, north] of DIRECTIONS) {
      const from = await town.report(observer, offset(shown, east / 2, north / 2));
      const rank = await rankMembers(scene, observer, 1800, 120);
      observations.push({ from, nearer: rank(victim) < rank(rival) });
    }
    const center = gridCenterOf(shown);
    const consistent: Point[] = [];
    for (let step = 0; step < 400; step += 1) {
      const point = offset(center, (((step * 0.618) % 1) - 0.5) * 556, (((step * 0.755) % 1) - 0.5) * 556);
      if (
        observations.every(({ from, nearer }) => distanceMeters(from, point) < distanceMeters(from, rivalAt) === nearer)
      )
        consistent.push(point);
    }
    return consistent.length > 0 ? mean(consistent) : center;
  },
  "distances inside paging cursors": async (scene) => {
    const { town, shown, victim } = scene;
    const [observer] = scene.observers;
    const readings = [];
    for (const [east, north] of DIRECTIONS.slice(0, 4)) {
      const from = await town.report(observer, offset(shown, east / 3, north / 3));
      const rank = (await rankMembers(scene, observer, 1400, 120))(victim);
      if (!Number.isFinite(rank)) continue;
      town.requests += 1;
      const { nextCursor } = await town.as(observer).nearest({ size: rank + 1 });
      const meters = nextCursor === undefined ? undefined : metersIn(nextCursor);
      if (meters !== undefined) readings.push({ from, meters });
    }
    return trilaterate(shown, readings);
  },
  "three sister brands, averaged": async (scene) => {
    for (const brand of BRANDS) await seeVictim(scene, scene.observers[0], scene.shown, BOX_DEGREES, brand);
    return meanSeen(scene);
  },
};
