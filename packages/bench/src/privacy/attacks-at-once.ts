/** Attacks on a victim who rests: by distances, orders, boxes, counts, cursors and brands. */
import { BRANDS } from "@lambda/brands";
import { distanceMeters, type Point } from "@lambda/geo/distance";
import { decodeNearestCursor } from "@lambda/worker/nearest-cursor";
import { type Attack, BOX, COMPASS, halve, look, mean, meanSeen, pointOf, ranks, trilaterate } from "./observers.ts";
import { centreOfCell, offset } from "./simulated-town.ts";

/** The distance that a cursor tells: none, since it is sealed. */
function metersIn(cursor: string): number | undefined {
  try {
    return decodeNearestCursor(cursor).meters;
  } catch {
    return undefined;
  }
}

export const ATTACKS_AT_ONCE: readonly Attack[] = [
  { name: "read the marker", guess: async (scene) => pointOf(await look(scene, scene.observers[0]), scene.shown) },
  {
    name: "centre of the marker's cell",
    guess: async (scene) => centreOfCell(pointOf(await look(scene, scene.observers[0]), scene.shown)),
  },
  {
    name: "trilateration by distances",
    guess: async (scene) => {
      const readings = [];
      for (const [east, north] of COMPASS) {
        const from = await scene.town.report(scene.observers[0], offset(scene.shown, east, north));
        const brief = await look(scene, scene.observers[0]);
        if (brief?.distanceMeters != null) readings.push({ from, meters: brief.distanceMeters });
      }
      return trilaterate(scene.shown, readings);
    },
  },
  {
    name: "flip point of an order",
    guess: async (scene) => {
      const { town, shown, victim } = scene;
      const [observer, decoy] = scene.observers;
      const decoyAt = await town.report(decoy, offset(shown, 700, 500));
      const readings = [];
      for (const [east, north] of COMPASS.slice(0, 3)) {
        let at = shown;
        await halve(10, async (part) => {
          const [a, b] = [
            offset(shown, -east / 3 + north / 4, -north / 3),
            offset(decoyAt, east / 3, north / 3 + east / 4),
          ];
          at = await town.report(observer, {
            lat: a.lat + (b.lat - a.lat) * part,
            lon: a.lon + (b.lon - a.lon) * part,
          });
          const rank = await ranks(scene, observer, 1500, 60);
          return rank(victim) < rank(decoy);
        });
        readings.push({ from: at, meters: distanceMeters(at, decoyAt) });
      }
      return trilaterate(shown, readings);
    },
  },
  {
    name: "bounds bisection",
    guess: async (scene) => {
      const { shown, victim, town } = scene;
      const inside = async (box: { latMin: number; latMax: number; lonMin: number; lonMax: number }) => {
        town.requests += 1;
        return (await town.as(scene.observers[0]).byBounds(box)).items.some(({ profileId }) => profileId === victim);
      };
      const [south, west] = [shown.lat - BOX, shown.lon - BOX];
      const whole = { latMin: south, latMax: shown.lat + BOX, lonMin: west, lonMax: shown.lon + BOX };
      const lat = await halve(14, (part) => inside({ ...whole, latMin: south + 2 * BOX * part }));
      const lon = await halve(14, (part) => inside({ ...whole, lonMin: west + 2 * BOX * part }));
      return { lat: south + 2 * BOX * lat, lon: west + 2 * BOX * lon };
    },
  },
  {
    name: "sector differencing, order of a list",
    guess: async (scene) => {
      const { shown, victim, town } = scene;
      town.requests += 1;
      const box = {
        latMin: shown.lat - BOX,
        latMax: shown.lat + BOX,
        lonMin: shown.lon - BOX,
        lonMax: shown.lon + BOX,
      };
      const { items } = await town.as(scene.observers[0]).byBounds(box);
      const place = items.findIndex(({ profileId }) => profileId === victim);
      const beside = [items[place - 1], items[place], items[place + 1]].filter((brief) => brief !== undefined);
      return mean(beside.map((brief) => pointOf(brief, shown)));
    },
  },
  {
    name: "aggregate differencing by block",
    guess: async (scene) => {
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
        const within = (value: number, centre: number, delta: number) =>
          Math.max(centre - delta, Math.min(centre + delta, value));
        return {
          lat: within(shown.lat, item.centerLat, item.deltaLat),
          lon: within(shown.lon, item.centerLon, item.deltaLon),
        };
      }
      return shown;
    },
  },
  {
    name: "order sandwich with a colluder",
    guess: async (scene) => {
      const { town, shown, victim } = scene;
      const [observer, colluder] = scene.observers;
      const readings = [];
      for (const [east, north] of COMPASS.slice(0, 3)) {
        const from = await town.report(observer, offset(shown, east / 2, north / 2));
        let meters = 0;
        await halve(10, async (part) => {
          const at = await town.report(colluder, offset(shown, -east * (part - 0.5), -north * (part - 0.5)));
          meters = distanceMeters(from, at);
          const rank = await ranks(scene, observer, 1600, 120);
          return rank(colluder) < rank(victim);
        });
        readings.push({ from, meters });
      }
      return trilaterate(shown, readings);
    },
  },
  {
    name: "colluding pair",
    guess: async (scene) => {
      const readings = [];
      for (const [index, observer] of [scene.observers[0], scene.observers[1]].entries()) {
        const [east, north] = COMPASS[index]!;
        const from = await scene.town.report(observer, offset(scene.shown, east, north));
        const brief = await look(scene, observer);
        if (brief?.distanceMeters != null) readings.push({ from, meters: brief.distanceMeters });
      }
      return trilaterate(scene.shown, readings);
    },
  },
  {
    name: "ties in one cell",
    guess: async (scene) => {
      const { town, shown, victim } = scene;
      const [observer, rival] = scene.observers;
      const rivalAt = await town.report(rival, shown);
      const facts: { from: Point; nearer: boolean }[] = [];
      for (const [east, north] of COMPASS) {
        const from = await town.report(observer, offset(shown, east / 2, north / 2));
        const rank = await ranks(scene, observer, 1800, 120);
        facts.push({ from, nearer: rank(victim) < rank(rival) });
      }
      const centre = centreOfCell(shown);
      const fitting: Point[] = [];
      for (let step = 0; step < 400; step += 1) {
        const point = offset(centre, (((step * 0.618) % 1) - 0.5) * 556, (((step * 0.755) % 1) - 0.5) * 556);
        if (facts.every(({ from, nearer }) => distanceMeters(from, point) < distanceMeters(from, rivalAt) === nearer))
          fitting.push(point);
      }
      return fitting.length > 0 ? mean(fitting) : centre;
    },
  },
  {
    name: "distances inside paging cursors",
    guess: async (scene) => {
      const { town, shown, victim } = scene;
      const [observer] = scene.observers;
      const readings = [];
      for (const [east, north] of COMPASS.slice(0, 4)) {
        const from = await town.report(observer, offset(shown, east / 3, north / 3));
        const rank = (await ranks(scene, observer, 1400, 120))(victim);
        if (!Number.isFinite(rank)) continue;
        town.requests += 1;
        const { nextCursor } = await town.as(observer).nearest({ size: rank + 1 });
        const meters = nextCursor === undefined ? undefined : metersIn(nextCursor);
        if (meters !== undefined) readings.push({ from, meters });
      }
      return trilaterate(shown, readings);
    },
  },
  {
    name: "three sister brands, averaged",
    guess: async (scene) => {
      const { town, victim, shown } = scene;
      const box = {
        latMin: shown.lat - BOX,
        latMax: shown.lat + BOX,
        lonMin: shown.lon - BOX,
        lonMax: shown.lon + BOX,
      };
      const seen: Point[] = [];
      for (const brand of BRANDS) {
        town.requests += 1;
        const { items } = await town.as(scene.observers[0], brand).byBounds(box);
        seen.push(
          pointOf(
            items.find(({ profileId }) => profileId === victim),
            shown,
          ),
        );
      }
      return meanSeen(scene, seen);
    },
  },
];
