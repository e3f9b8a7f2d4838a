/** Lives the weeks of many members by a rule, lets attackers guess, and scores them. */
import type { Precision } from "@lambda/geo/grid";
import { cellAt, centreOfCell } from "@lambda/geo/lattice";
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
  /** Shares found within 50 and 100 m, and the median; in coarser cells all of these times the cell. */
  readonly within50: number;
  readonly within100: number;
  readonly medianMeters: number;
  /** The share of members who were seen in more than one cell at home. */
  readonly flipped: number;
}

export interface Limits {
  readonly within50: number;
  readonly within100: number;
  readonly medianMeters: number;
}

/** What the best attacker may reach, for a street cell. */
const STRICT: Limits = { within50: 0.035, within100: 0.12, medianMeters: 200 };
/** With three known places or two watched accounts: a share within 50 m is not asked for. */
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
  /** Members of the attacker's own making. */
  readonly examples: number;
  readonly precisions: readonly Precision[];
  readonly only?: readonly string[] | undefined;
}

interface Lived {
  readonly world: World;
  readonly nights: Night[][];
}

/** Numbers of members whom the attacker makes up: no member has one of these. */
const EXAMPLES_FROM = 1_000_000;

/** The lives of all watches, each lived once. */
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
      ...{ watch, precision, learner: new Learner(), odds: new NightOdds(), publicGrid: rule.publicGrid },
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

/** The centre of the member's own cell that a marker stands for. */
function centreOf(rule: Rule, { accounts: [{ own }] }: World, marker: Spot, precision: Precision): Spot {
  if (rule.publicGrid) return marker;
  return spotOf(centreOfCell(own, cellAt(own, pointOf(marker), precision)));
}

const sight = (nights: readonly Night[], { watch, precision }: Attacker): { nights: Night[]; sighted: Sighted } => {
  const watched = watchedNights(nights, watch);
  return { nights: watched, sighted: sightHome(watched, precision, watch) };
};

function learn(rule: Rule, { attacker }: Watched, { world, nights: all }: Lived): void {
  const { learner, odds, precision, watch } = attacker;
  const size = cellMeters(precision);
  const { nights, sighted } = sight(all[0]!, attacker);
  const centre = centreOf(rule, world, sighted.marker, precision);
  learner.addHome(sighted, world.home, centre, size);
  const offset = { x: (world.home.x - centre.x) / size, y: (world.home.y - centre.y) / size };
  odds.add(nights, watch, sighted.marker, offset, size);
  for (const [index, place] of world.places.entries()) {
    const marker = sightPlace(nights, index);
    if (marker) learner.addPlace(place, centreOf(rule, world, marker, precision), size);
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
