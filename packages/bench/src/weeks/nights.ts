/** Simulates thirty nights of a member, and what others can see of them. */
import { DAY_MS, MINUTE_MS } from "@lambda/contract/limits";
import type { Precision } from "@lambda/geo/grid";
import type { Rule, Subject } from "./rules.ts";
import { COARSER, type Life } from "./scenarios.ts";
import { ACCURACY, away, pointOf, type Spot, scaleOf, type World } from "./world.ts";

const NIGHTS = 30;
const EVENING = Date.UTC(2026, 10, 20, 19);
/** On foot; scaled with the cell size for coarser precisions. */
const METERS_PER_MINUTE = 75;
const HOME_FIXES = 8;
/** More fixes with high GPS noise, to give it more chances to flip the cell. */
const NOISY_HOME_FIXES = 24;

export interface Night {
  /** Where the evening started: the index of a known place, or -1. */
  readonly place: number;
  /** Markers seen there, on the way, and at home from 20 minutes after returning. */
  readonly atPlace: Spot;
  readonly way: readonly Spot[];
  readonly atHome: readonly Spot[];
  /** The marker at home at a coarser precision, if one was shown. */
  readonly coarse: Spot | undefined;
  readonly onlyCoarse: boolean;
}

const HIGH_NOISE = 15;

/** Simulates 30 nights, and returns what was seen of each account. */
export function liveNights(world: World, life: Life, precision: Precision, rule: Rule): Night[][] {
  const [first] = world.accounts;
  const accounts = world.accounts.slice(0, life.accounts);
  const subjects = accounts.map(({ own, shown }) => rule.subject({ own: life.oneMailbox ? first!.own : own, shown }));
  const nights: Night[][] = subjects.map(() => []);
  for (let night = 0; night < NIGHTS; night += 1) {
    const used = life.inTurn ? [night % subjects.length] : [...subjects.keys()];
    const seen = liveNight(
      world,
      life,
      precision,
      used.map((index) => subjects[index]!),
      night,
    );
    for (const [index, each] of seen.entries()) nights[used[index]!]!.push(each);
  }
  return nights;
}

function liveNight(
  world: World,
  life: Life,
  precision: Precision,
  subjects: readonly Subject[],
  night: number,
): Night[] {
  const { random, home, places } = world;
  const scale = scaleOf(precision);
  const coarser = COARSER[precision];
  const onlyCoarse = coarser !== undefined && night < life.coarseNights;
  const used = onlyCoarse ? coarser : precision;
  let now = EVENING + night * DAY_MS;
  for (const subject of subjects) subject.switchDevice(night % life.devices);
  if (life.freshEvery > 0 && night % life.freshEvery === 0) for (const subject of subjects) subject.forget();
  const fix = (at: Spot, minutes: number, by: Precision = used) => {
    const noise = () => random.gaussian() * life.noise;
    const point = pointOf({ x: at.x + noise(), y: at.y + noise() });
    for (const subject of subjects) subject.fix({ point, precision: by, now, accuracyMeters: ACCURACY * life.noise });
    now += minutes * MINUTE_MS;
  };
  const observe = () => subjects.map((subject) => subject.observe(now));

  const same = life.ways === "same";
  const place = same ? 0 : night % 2 === 0 ? (night / 2) % places.length : -1;
  const start = placeOf(world, life, place, scale);
  const walk = (from: Spot, to: Spot, seen: Spot[][]) => {
    if (life.ways === "closed") return;
    const corner = same ? { x: home.x + 600 * scale, y: home.y - 300 * scale } : away(home, 900 * scale, random);
    for (const spot of steps([from, corner, to], METERS_PER_MINUTE * scale)) {
      fix(spot, 1);
      for (const [index, marker] of observe().entries()) if (seen[index]!.at(-1) !== marker) seen[index]!.push(marker);
    }
  };
  const ways = subjects.map((): Spot[] => []);
  if (night > 0)
    walk(
      home,
      start,
      subjects.map(() => []),
    );
  for (let index = 0; index < 4; index += 1) fix(start, 10);
  const atPlace = observe();
  walk(start, home, ways);
  const homes = subjects.map((): Spot[] => []);
  let coarse: Spot[] = [];
  const fixes = life.noise >= HIGH_NOISE ? NOISY_HOME_FIXES : HOME_FIXES;
  for (let index = 0; index < fixes; index += 1) {
    fix(home, 20);
    for (const [each, seen] of observe().entries()) homes[each]!.push(seen);
    if (coarser && life.changeEvery > 0 && night % life.changeEvery === 0 && index === 3) {
      fix(home, 20, coarser);
      coarse = observe();
    }
  }
  return subjects.map((_, index) => ({
    place,
    atPlace: atPlace[index]!,
    way: ways[index]!,
    atHome: homes[index]!,
    coarse: onlyCoarse ? homes[index]!.at(-1) : coarse[index],
    onlyCoarse,
  }));
}

function placeOf({ random, home, places }: World, life: Life, place: number, scale: number): Spot {
  if (place >= 0) return places[place]!;
  // If the app is closed on the way, it is opened in a different bar near home each time.
  const [min, max] = life.ways === "closed" ? [300, 1200] : [1100, 2200];
  return away(home, scale * (min + (max - min) * random.next()), random);
}

function* steps(way: readonly Spot[], meters: number): Generator<Spot> {
  for (const [index, from] of way.slice(0, -1).entries()) {
    const to = way[index + 1]!;
    const count = Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / meters);
    for (let step = 1; step <= count; step += 1) {
      const part = step / count;
      yield { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
    }
  }
}
