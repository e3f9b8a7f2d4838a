/** Simulates weeks of many members under a rule, lets attackers guess their homes, and scores the guesses. */
import type { Precision } from "@lambda/geo/grid";
import { cellAt, cellCenter } from "@lambda/geo/lattice";
import { bestOf, type Found, holds, LIMITS } from "../privacy/score.ts";
import { type Attacker, guessesOf } from "./attackers.ts";
import { Learner } from "./learner.ts";
import { liveNights, type Night } from "./nights.ts";
import type { Rule } from "./rules.ts";
import { COARSER, type Life, WATCHES, type Watch } from "./scenarios.ts";
import { type Sighted, sightHome, sightPlace, watchedNights } from "./sightings.ts";
import { cellMeters, pointOf, type Spot, scaleOf, spotOf, type World, worldOf } from "./world.ts";

/** Distances scale with the cell size. */
export interface WeeksScore extends Found {
  readonly watch: Watch;
  readonly precision: Precision;
  /** Share of members seen in more than one cell at home. */
  readonly flipped: number;
}

const LIMITS_OF: Readonly<Record<Watch["limits"], Found>> = {
  strict: LIMITS,
  // With three known places or two accounts, without a limit for 50 m.
  loose: { within50: 1, within100: 0.18, medianMeters: 160 },
  none: { within50: 1, within100: 1, medianMeters: 0 },
};

export const limitsOf = ({ limits }: Watch): Found => LIMITS_OF[limits];

export const holdsForWeeks = (score: WeeksScore) => holds(score, limitsOf(score.watch), scaleOf(score.precision));

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
      publicGrid: rule.publicGrid,
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
function cellCenterOf(rule: Rule, { accounts }: World, marker: Spot, precision: Precision): Spot {
  if (rule.publicGrid) return marker;
  const { own } = accounts[0]!;
  return spotOf(cellCenter(own, cellAt(own, pointOf(marker), precision)));
}

const sight = (nights: readonly Night[], { watch, precision }: Attacker): { nights: Night[]; sighted: Sighted } => {
  const watched = watchedNights(nights, watch);
  return { nights: watched, sighted: sightHome(watched, precision, watch) };
};

function learn(rule: Rule, { attacker }: Watched, { world, nights: all }: Lived): void {
  const { learner, precision } = attacker;
  const size = cellMeters(precision);
  const { nights, sighted } = sight(all[0]!, attacker);
  const center = cellCenterOf(rule, world, sighted.marker, precision);
  learner.addHome(sighted, world.home, center, size);
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
  return { watch, precision, ...bestOf(errors, scaleOf(precision)), flipped };
}
