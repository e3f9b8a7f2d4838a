/** Simulates weeks of many members under a rule, lets attackers guess their homes, and scores the guesses. */
import type { Precision } from "@lambda/geo/grid";
import { cellAt, cellCenter } from "@lambda/geo/lattice";
import { quantile } from "../figures.ts";
import { type Attacker, guessesOf } from "./attackers.ts";
import { Learner } from "./learner.ts";
import { NightOdds } from "./night-odds.ts";
import { liveNights, type Night } from "./nights.ts";
import type { Rule } from "./rules.ts";
import { COARSER, type Life, WATCHES, type Watch } from "./scenarios.ts";
import { type Sighted, sightHome, sightPlace, watchedNights } from "./sightings.ts";
import { cellMeters, pointOf, type Spot, scaleOf, spotOf, type World, worldOf } from "./world.ts";

export interface WeeksScore {
  readonly watch: Watch;
  readonly precision: Precision;
  /** Shares located within 50 and 100 m, and the median error; distances scale with the cell size. */
  readonly within50: number;
  readonly within100: number;
  readonly medianMeters: number;
  /** Share of members seen in more than one cell at home. */
  readonly flipped: number;
}

export interface Limits {
  readonly within50: number;
  readonly within100: number;
  readonly medianMeters: number;
}

/** Limits for the best attacker, for street cells. */
const STRICT: Limits = { within50: 0.035, within100: 0.12, medianMeters: 200 };
/** Limits with three known places or two watched accounts, without one for 50 m. */
const LOOSE: Limits = { within50: 1, within100: 0.18, medianMeters: 160 };

export const limitsOf = ({ strict }: Watch): Limits => (strict ? STRICT : LOOSE);

export function holds({ watch, precision, within50, within100, medianMeters }: WeeksScore): boolean {
  const limits = limitsOf(watch);
  return (
    within50 <= limits.within50 &&
    within100 <= limits.within100 &&
    medianMeters >= limits.medianMeters * scaleOf(precision)
  );
}

export interface WeeksOptions {
  readonly members: number;
  /** Members simulated by the attacker. */
  readonly examples: number;
  readonly precisions: readonly Precision[];
  readonly only?: readonly string[] | undefined;
}

interface Lived {
  readonly world: World;
  readonly nights: Night[][];
}

/** Seeds of the attacker's members start here, so that they differ from those of the victims. */
const EXAMPLES_FROM = 1_000_000;

/** Scores all scenarios; each life is simulated once. */
export function* scoreWeeks(rule: Rule, { members, examples, precisions, only }: WeeksOptions): Generator<WeeksScore> {
  const watches = WATCHES.filter(({ name }) => !only || only.some((part) => name.includes(part)));
  for (const precision of precisions) {
    for (const life of new Set(watches.map((watch) => watch.life))) {
      if (life.coarseNights + life.changeEvery > 0 && !COARSER[precision]) continue;
      yield* scoreLife(
        rule,
        life,
        watches.filter((watch) => watch.life === life),
        precision,
        members,
        examples,
      );
    }
  }
}

const live = (rule: Rule, life: Life, precision: Precision, number: number): Lived => {
  const world = worldOf(number, precision);
  return { world, nights: liveNights(world, life, precision, rule) };
};

interface Watched {
  readonly attacker: Attacker;
  readonly errors: number[][];
  flipped: number;
}

function scoreLife(
  rule: Rule,
  life: Life,
  watches: readonly Watch[],
  precision: Precision,
  members: number,
  examples: number,
): WeeksScore[] {
  const all: Watched[] = watches.map((watch) => ({
    attacker: {
      watch,
      precision,
      learner: new Learner(),
      odds: new NightOdds(),
      publicGrid: rule.publicGrid,
      reachMeters: rule.reachMeters(precision, life.noise),
    },
    errors: [],
    flipped: 0,
  }));
  for (let number = 0; number < examples; number += 1) {
    const lived = live(rule, life, precision, EXAMPLES_FROM + number);
    for (const watched of all) learn(rule, watched, lived);
  }
  for (let number = 0; number < members; number += 1) {
    const lived = live(rule, life, precision, number);
    for (const watched of all) guess(watched, lived);
  }
  return all.map(({ attacker, errors, flipped }) => scoreOf(attacker, errors, flipped / members));
}

/** The center of the member's own cell that a marker represents. */
function cellCenterOf(rule: Rule, { accounts: [{ own }] }: World, marker: Spot, precision: Precision): Spot {
  if (rule.publicGrid) return marker;
  return spotOf(cellCenter(own, cellAt(own, pointOf(marker), precision)));
}

const sight = (nights: readonly Night[], { watch, precision }: Attacker): { nights: Night[]; sighted: Sighted } => {
  const watched = watchedNights(nights, watch);
  return { nights: watched, sighted: sightHome(watched, precision, watch) };
};

function learn(rule: Rule, { attacker }: Watched, { world, nights: all }: Lived): void {
  const { learner, odds, precision, watch } = attacker;
  const size = cellMeters(precision);
  const { nights, sighted } = sight(all[0]!, attacker);
  const center = cellCenterOf(rule, world, sighted.marker, precision);
  learner.addHome(sighted, world.home, center, size);
  const offset = { x: (world.home.x - center.x) / size, y: (world.home.y - center.y) / size };
  odds.add(nights, watch, sighted.marker, offset, size);
  for (const [index, place] of world.places.entries()) {
    const marker = sightPlace(nights, index);
    if (marker) learner.addPlace(place, cellCenterOf(rule, world, marker, precision), size);
  }
}

function guess(watched: Watched, { world, nights }: Lived): void {
  const { attacker, errors } = watched;
  const guesses = guessesOf(
    attacker,
    nights.map((each) => sight(each, attacker)),
    world,
  );
  for (const [index, { x, y }] of guesses.entries()) {
    errors[index] ??= [];
    errors[index].push(Math.hypot(x - world.home.x, y - world.home.y));
  }
  const markers = new Set(watchedNights(nights[0]!, { ...attacker.watch, ways: true }).flatMap(({ atHome }) => atHome));
  if (markers.size > 1) watched.flipped += 1;
}

function scoreOf({ watch, precision }: Attacker, errors: readonly number[][], flipped: number): WeeksScore {
  const scale = scaleOf(precision);
  const share = (meters: number) =>
    Math.max(...errors.map((each) => each.filter((error) => error <= meters * scale).length / each.length));
  const medianMeters = Math.min(...errors.map((each) => quantile(each, 0.5)));
  return { watch, precision, within50: share(50), within100: share(100), medianMeters, flipped };
}
