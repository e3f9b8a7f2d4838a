/** Ways to find out where a member is. Each may do what any account may, as often as it likes within its budget. */
import { BRANDS } from "@lambda/brands";
import { cellBounds, cellCentre, distanceMetres, nextCell, type Point, snap } from "@lambda/contract/grid";
import { decodeNearestCursor } from "../../../../apps/worker/src/features/positions/cursor.ts";
import { type Brief, between, centreOfCell, offset, type Town } from "./town.ts";

export interface Scene {
  readonly town: Town;
  readonly victim: number;
  /** Accounts that the attacker runs. */
  readonly spies: readonly [number, number, number];
  /** Where the victim's marker was last seen: any member may look it up on the map. */
  readonly shown: Point;
}

export interface Attack {
  readonly name: string;
  /** The attacker's guess. */
  readonly guess: (scene: Scene) => Promise<Point>;
}

const BOX = 0.006;

/** The victim's brief as a spy sees it now on the map around a place. */
async function look(scene: Scene, spy: number, around: Point = scene.shown): Promise<Brief | undefined> {
  scene.town.requests += 1;
  const { items } = await scene.town.as(spy).byBounds({
    ...{ latMin: around.lat - BOX, latMax: around.lat + BOX, lonMin: around.lon - BOX, lonMax: around.lon + BOX },
  });
  return items.find((brief) => brief.profileId === scene.victim);
}

/** The order of members around a spy: the place of each, last for who is not in it. */
async function ranks(scene: Scene, spy: number, maxDistanceMeters: number, size: number) {
  scene.town.requests += 1;
  const { items } = await scene.town.as(spy).nearest({ size, maxDistanceMeters });
  const places = new Map(items.map(({ profileId }, index) => [profileId, index]));
  return (id: number) => places.get(id) ?? Number.POSITIVE_INFINITY;
}

const pointOf = (brief: Brief | undefined, fallback: Point): Point =>
  brief?.lat != null && brief.lon != null ? { lat: brief.lat, lon: brief.lon } : fallback;

function mean(points: readonly Point[]): Point {
  const sum = (pick: (point: Point) => number) =>
    points.reduce((total, point) => total + pick(point), 0) / points.length;
  return { lat: sum(({ lat }) => lat), lon: sum(({ lon }) => lon) };
}

/** Least squares by Gauss-Newton: the point whose distances fit best. */
function trilaterate(start: Point, readings: readonly { from: Point; metres: number }[]): Point {
  let at = start;
  for (let round = 0; round < 12; round += 1) {
    let [a, b, c, e, f] = [1e-9, 0, 1e-9, 0, 0];
    for (const { from, metres } of readings) {
      const away = between(from, at);
      const length = Math.max(1e-6, Math.hypot(away.east, away.north));
      const [x, y] = [away.east / length, away.north / length];
      const error = metres - length;
      a += x * x;
      b += x * y;
      c += y * y;
      e += x * error;
      f += y * error;
    }
    const determinant = a * c - b * b;
    if (Math.abs(determinant) < 1e-12) break;
    at = offset(at, (c * e - b * f) / determinant, (a * f - b * e) / determinant);
  }
  return at;
}

/** Walks a spy along a line and finds, by halving, where an answer changes. */
async function halve(steps: number, isBefore: (part: number) => Promise<boolean>): Promise<number> {
  let [low, high] = [0, 1];
  for (let step = 0; step < steps; step += 1) {
    const middle = (low + high) / 2;
    if (await isBefore(middle)) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

const COMPASS = [
  [1800, 0],
  [0, 1800],
  [-1500, 900],
  [-900, -1500],
  [1200, -1200],
  [300, 2100],
] as const;

/** A client at home with a wavering GPS: reports every 20 minutes through the real state machine. */
async function liveAtHome(scene: Scene, reports: number, noise: number, seen: (point: Point) => void): Promise<void> {
  const { town, victim } = scene;
  const home = town.raw.get(victim)!;
  let cell: number | null = null;
  for (let index = 0; index < reports; index += 1) {
    const fix = offset(home, town.random.gaussian() * noise, town.random.gaussian() * noise);
    const next: number = nextCell(cell, fix.lat, fix.lon, "street");
    town.pass(20);
    // A control build has no cells: its client sends what it has.
    if (next !== cell || index % 10 === 0) await town.reportFix(victim, fix, cellCentre(next));
    cell = next;
    if (index % 10 === 0) {
      const brief = await look(scene, scene.spies[0]);
      if (brief) seen(pointOf(brief, scene.shown));
    }
  }
}

export const ATTACKS: readonly Attack[] = [
  { name: "read the marker", guess: async (scene) => pointOf(await look(scene, scene.spies[0]), scene.shown) },
  {
    name: "centre of the marker's cell",
    guess: async (scene) => centreOfCell(pointOf(await look(scene, scene.spies[0]), scene.shown)),
  },
  {
    name: "trilateration by distances",
    guess: async (scene) => {
      const readings = [];
      for (const [east, north] of COMPASS) {
        const from = await scene.town.report(scene.spies[0], offset(scene.shown, east, north));
        const brief = await look(scene, scene.spies[0]);
        if (brief?.distanceMeters != null) readings.push({ from, metres: brief.distanceMeters });
      }
      return trilaterate(scene.shown, readings);
    },
  },
  {
    name: "flip point of an order",
    guess: async (scene) => {
      const { town, shown, victim } = scene;
      const [spy, decoy] = scene.spies;
      const decoyAt = await town.report(decoy, offset(shown, 700, 500));
      const readings = [];
      for (const [east, north] of COMPASS.slice(0, 3)) {
        let at = shown;
        await halve(10, async (part) => {
          const [a, b] = [
            offset(shown, -east / 3 + north / 4, -north / 3),
            offset(decoyAt, east / 3, north / 3 + east / 4),
          ];
          at = await town.report(spy, { lat: a.lat + (b.lat - a.lat) * part, lon: a.lon + (b.lon - a.lon) * part });
          const rank = await ranks(scene, spy, 1500, 60);
          return rank(victim) < rank(decoy);
        });
        readings.push({ from: at, metres: distanceMetres(at, decoyAt) });
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
        return (await town.as(scene.spies[0]).byBounds(box)).items.some(({ profileId }) => profileId === victim);
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
      const { items } = await town.as(scene.spies[0]).byBounds(box);
      const place = items.findIndex(({ profileId }) => profileId === victim);
      const beside = [items[place - 1], items[place], items[place + 1]].filter((brief) => brief !== undefined);
      return mean(beside.map((brief) => pointOf(brief, shown)));
    },
  },
  {
    name: "aggregate differencing by block",
    guess: async (scene) => {
      const { town, victim, shown } = scene;
      const [spy] = scene.spies;
      const counts = async () => {
        town.requests += 1;
        const { items } = await town.as(spy).aggregates({ most: 100 });
        return new Map(items.map((item) => [`${item.centerLat}:${item.centerLon}`, item]));
      };
      const before = await counts();
      town.block(spy, victim);
      const after = await counts();
      town.unblock(spy, victim);
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
      const [spy, colluder] = scene.spies;
      const readings = [];
      for (const [east, north] of COMPASS.slice(0, 3)) {
        const from = await town.report(spy, offset(shown, east / 2, north / 2));
        let metres = 0;
        await halve(10, async (part) => {
          const at = await town.report(colluder, offset(shown, -east * (part - 0.5), -north * (part - 0.5)));
          metres = distanceMetres(from, at);
          const rank = await ranks(scene, spy, 1600, 120);
          return rank(colluder) < rank(victim);
        });
        readings.push({ from, metres });
      }
      return trilaterate(shown, readings);
    },
  },
  {
    name: "colluding pair",
    guess: async (scene) => {
      const readings = [];
      for (const [index, spy] of [scene.spies[0], scene.spies[1]].entries()) {
        const [east, north] = COMPASS[index]!;
        const from = await scene.town.report(spy, offset(scene.shown, east, north));
        const brief = await look(scene, spy);
        if (brief?.distanceMeters != null) readings.push({ from, metres: brief.distanceMeters });
      }
      return trilaterate(scene.shown, readings);
    },
  },
  {
    name: "ties in one cell",
    guess: async (scene) => {
      const { town, shown, victim } = scene;
      const [spy, rival] = scene.spies;
      const rivalAt = await town.report(rival, shown);
      const facts: { from: Point; nearer: boolean }[] = [];
      for (const [east, north] of COMPASS) {
        const from = await town.report(spy, offset(shown, east / 2, north / 2));
        const rank = await ranks(scene, spy, 1800, 120);
        facts.push({ from, nearer: rank(victim) < rank(rival) });
      }
      const centre = centreOfCell(shown);
      const fitting: Point[] = [];
      for (let step = 0; step < 400; step += 1) {
        const point = offset(centre, (((step * 0.618) % 1) - 0.5) * 556, (((step * 0.755) % 1) - 0.5) * 556);
        if (facts.every(({ from, nearer }) => distanceMetres(from, point) < distanceMetres(from, rivalAt) === nearer))
          fitting.push(point);
      }
      return fitting.length > 0 ? mean(fitting) : centre;
    },
  },
  {
    name: "distances inside paging cursors",
    guess: async (scene) => {
      const { town, shown, victim } = scene;
      const [spy] = scene.spies;
      const readings = [];
      for (const [east, north] of COMPASS.slice(0, 4)) {
        const from = await town.report(spy, offset(shown, east / 3, north / 3));
        const rank = (await ranks(scene, spy, 1400, 120))(victim);
        if (!Number.isFinite(rank)) continue;
        town.requests += 1;
        const { nextCursor } = await town.as(spy).nearest({ size: rank + 1 });
        if (nextCursor) readings.push({ from, metres: decodeNearestCursor(nextCursor).metres });
      }
      return trilaterate(shown, readings);
    },
  },
  {
    name: "hide and show, averaged",
    guess: async (scene) => {
      const { town, victim } = scene;
      const home = town.raw.get(victim)!;
      const seen: Point[] = [];
      for (let turn = 0; turn < 8; turn += 1) {
        const at = offset(home, town.random.gaussian() * 10, town.random.gaussian() * 10);
        await town.reportFix(victim, at, cellCentre(snap(home.lat, home.lon, "street")), { hide: true });
        town.pass(20);
        await town.reportFix(victim, at, cellCentre(snap(home.lat, home.lon, "street")), { hide: false });
        seen.push(pointOf(await look(scene, scene.spies[0]), scene.shown));
      }
      return mean(seen);
    },
  },
  {
    name: "block and undo, averaged",
    guess: async (scene) => {
      const { town, victim } = scene;
      const [spy] = scene.spies;
      const seen: Point[] = [];
      for (let turn = 0; turn < 6; turn += 1) {
        town.block(spy, victim);
        const during = await look(scene, spy);
        if (during) seen.push(pointOf(during, scene.shown));
        town.unblock(spy, victim);
        seen.push(pointOf(await look(scene, spy), scene.shown));
      }
      return mean(seen);
    },
  },
  {
    name: "jitter of many reports, averaged",
    guess: async (scene) => {
      const seen: Point[] = [];
      await liveAtHome(scene, 100, 15, (point) => seen.push(point));
      return mean(seen);
    },
  },
  {
    name: "corner flips of a wavering GPS",
    guess: async (scene) => {
      const seen: Point[] = [];
      await liveAtHome(scene, 100, 60, (point) => seen.push(centreOfCell(point)));
      return mean(seen);
    },
  },
  {
    name: "timing of a walk home",
    guess: async (scene) => {
      const { town, victim, shown } = scene;
      const home = town.raw.get(victim)!;
      const sightings: { point: Point; minutes: number }[] = [];
      let cell: number | null = null;
      // He comes from 3 km east at 100 m a minute; the attacker looks every minute until half an hour after.
      for (let minutes = 0; minutes < 60; minutes += 1) {
        const at = offset(home, Math.max(0, 3000 - 100 * minutes), 0);
        const next: number = nextCell(cell, at.lat, at.lon, "street");
        town.pass(1);
        if (next !== cell || minutes % 5 === 0) await town.reportFix(victim, at, cellCentre(next), {}, "DEVICE_GPS");
        cell = next;
        const brief =
          (await look(scene, scene.spies[0], shown)) ?? (await look(scene, scene.spies[0], offset(shown, 1100, 0)));
        const point = pointOf(brief, shown);
        if (brief && sightings[sightings.length - 1]?.point.lon !== point.lon) sightings.push({ point, minutes });
      }
      const last = sightings[sightings.length - 1];
      if (!last) return shown;
      // He walked on for what is left of the cell he was first seen in: half of it, as far as timing can say.
      return offset(centreOfCell(last.point), -(last.minutes % 15) * 5 + 35, 0);
    },
  },
  {
    name: "bytes and ETags after small moves",
    guess: async (scene) => {
      const { town, victim } = scene;
      const home = town.raw.get(victim)!;
      const seen: Point[] = [];
      let last = "";
      for (let turn = 0; turn < 12; turn += 1) {
        const at = offset(home, town.random.gaussian() * 20, town.random.gaussian() * 20);
        await town.reportFix(
          victim,
          at,
          cellCentre(nextCell(snap(home.lat, home.lon, "street"), at.lat, at.lon, "street")),
        );
        const brief = await look(scene, scene.spies[0]);
        const bytes = JSON.stringify(brief);
        if (bytes !== last && brief) seen.push(pointOf(brief, scene.shown));
        last = bytes;
      }
      return mean(seen);
    },
  },
  {
    name: "changes of precision, intersected",
    guess: async (scene) => {
      const { town, victim, shown } = scene;
      const home = town.raw.get(victim)!;
      const box = { latMin: -90, latMax: 90, lonMin: -180, lonMax: 180 };
      for (const precision of ["street", "district", "city"] as const) {
        const at = await town.report(victim, home, "OVERRIDE", { precision });
        const seen = pointOf(await look(scene, scene.spies[0], at), shown);
        const cell = cellBounds(snap(seen.lat, seen.lon, precision));
        box.latMin = Math.max(box.latMin, cell.latMin);
        box.latMax = Math.min(box.latMax, cell.latMax);
        box.lonMin = Math.max(box.lonMin, cell.lonMin);
        box.lonMax = Math.min(box.lonMax, cell.lonMax);
      }
      return { lat: (box.latMin + box.latMax) / 2, lon: (box.lonMin + box.lonMax) / 2 };
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
        const { items } = await town.as(scene.spies[0], brand).byBounds(box);
        seen.push(
          pointOf(
            items.find(({ profileId }) => profileId === victim),
            shown,
          ),
        );
      }
      return mean(seen);
    },
  },
];
