/**
 * Thirty days of one hostile person against the court of a brand: to have an innocent member punished, or to keep a guilty
 * one (themselves) unpunished. They know the rules, when a case is decided and how; staff are right whenever they decide.
 */
import { DAY_MS } from "@lambda/contract/limits";
import type { Ballot } from "@lambda/worker/court-rules";
import { reporterCredibility } from "@lambda/worker/report-rules";
import { type Member, type Random, START } from "./community.ts";
import type { Courts, Filing } from "./courts.ts";

const DAYS = 30;
/** Of honest jurors vote in time ... */
const HONEST_TURNOUT = 0.7;
/** ... and are right in a case of middle difficulty, as in the vote games' simulation. */
const HONEST_ACCURACY = 0.86;
/** The part of the pool that a side gets an answer from before a case, just short of what would be noticed. */
const ANSWERED_SHARE = 0.09;

export interface Tally {
  /** Cases, appeals included, that came to a decision. */
  cases: number;
  byStaff: number;
}

export interface Campaign {
  /** Whether the member was punished when innocent, or ended unpunished when guilty. */
  readonly wrong: boolean;
  readonly tally: Tally;
}

type Result = "sanction" | "clear";

interface Scene {
  readonly courts: Courts;
  readonly community: readonly Member[];
  readonly random: Random;
  readonly guilty: boolean;
  readonly tally: Tally;
  readonly marked: ReadonlySet<number>;
  readonly answered: ReadonlySet<number>;
  readonly summoned: Map<number, number>;
}

function makeScene(courts: Courts, community: readonly Member[], random: Random, guilty: boolean): Scene {
  const honest = community.filter((member) => !member.hostile);
  const attacked = honest.length < community.length;
  // Everyone but the own accounts gets a dislike that nobody sees; a few are talked into an answer.
  const marked = new Set(attacked ? honest.map((member) => member.id) : []);
  const answering = attacked ? honest.filter(() => random() < ANSWERED_SHARE).map((member) => member.id) : [];
  return {
    ...{ courts, community, random, guilty, marked },
    answered: new Set(answering),
    tally: { cases: 0, byStaff: 0 },
    summoned: new Map(),
  };
}

/** One jury, or staff in its place. */
function judge(
  scene: Scene,
  filing: Pick<Filing, "credibility" | "tsCleared" | "now">,
  served: Set<number>,
): { result: Result; byStaff: boolean } {
  const { courts, random, guilty, tally } = scene;
  const right: Result = guilty ? "sanction" : "clear";
  tally.cases += 1;
  const community = scene.community.map((member) => {
    const tsSummoned = scene.summoned.get(member.id);
    return tsSummoned === undefined ? member : { ...member, tsSummoned };
  });
  const { marked, answered } = scene;
  const jurors = courts.seat(
    scene.summoned.size === 0 ? scene.community : community,
    { ...filing, marked, answered, served },
    random,
  );
  if (typeof jurors === "string") {
    tally.byStaff += 1;
    return { result: right, byStaff: true };
  }
  const hard = random() * 0.2 - 0.05;
  const ballots: Ballot[] = [];
  for (const juror of jurors) {
    served.add(juror.id);
    scene.summoned.set(juror.id, filing.now);
    const ballot = vote(scene, juror, hard);
    if (ballot) ballots.push(ballot);
    else if (courts.replaces) ballots.push(vote(scene, juror, hard, true)!);
  }
  const closed = courts.close(ballots);
  if (closed !== "staff") return { result: closed, byStaff: false };
  tally.byStaff += 1;
  return { result: right, byStaff: true };
}

/** Undefined: silent. Hostile jurors always vote, and for what takes effect without staff. */
function vote(scene: Scene, juror: Member, hard: number, surely = false): Ballot | undefined {
  const { guilty, random } = scene;
  if (juror.hostile) {
    return guilty ? { verdict: "no_violation", sanction: null } : { verdict: "violation", sanction: "suspend_3" };
  }
  if (!surely && random() >= HONEST_TURNOUT) return undefined;
  const right = random() < HONEST_ACCURACY - hard;
  return right === guilty
    ? { verdict: "violation", sanction: random() < 0.5 ? "warn" : "suspend_3" }
    : { verdict: "no_violation", sanction: null };
}

/** A case from its filing through all appeals that its sides may file, each of which is always filed. */
function playCase(scene: Scene, filing: Pick<Filing, "credibility" | "tsCleared" | "now">): Result {
  const served = new Set<number>();
  let { result, byStaff } = judge(scene, filing, served);
  for (const side of result === "clear" ? (["reporter", "subject"] as const) : (["subject", "reporter"] as const)) {
    const lost = side === "reporter" ? result === "clear" : result === "sanction";
    if (!lost) continue;
    // What staff cleared is not tried again by a jury.
    if (side === "reporter" && byStaff && scene.courts.staffHearAppealsOfStaff) {
      scene.tally.cases += 1;
      scene.tally.byStaff += 1;
      continue;
    }
    ({ result, byStaff } = judge(scene, { ...filing, tsCleared: null, credibility: 1 }, served));
  }
  return result;
}

/** The hostile accounts report an innocent member one after the other, each appeals, whenever nothing is open. */
export function playInnocent(courts: Courts, community: readonly Member[], random: Random): Campaign {
  const scene = makeScene(courts, community, random, false);
  const reporters = Math.max(1, community.filter((member) => member.hostile).length);
  const rejected = new Map<number, number>();
  let tsCleared: number | null = null;
  for (let day = 0; day < DAYS; day += 2) {
    const now = START + day * DAY_MS;
    const reporter = (day / 2) % reporters;
    const credibility = reporterCredibility(rejected.get(reporter) ?? 0, 0);
    if (playCase(scene, { credibility, tsCleared, now }) === "sanction") return { wrong: true, tally: scene.tally };
    rejected.set(reporter, (rejected.get(reporter) ?? 0) + 1);
    tsCleared = now + DAY_MS;
    // Without hostile accounts nobody reports the same thing again.
    if (!community.some((member) => member.hostile)) break;
  }
  return { wrong: false, tally: scene.tally };
}

/** A guilty member is reported by an honest one; if cleared, by another one ten days later, as the offence goes on. */
export function playGuilty(courts: Courts, community: readonly Member[], random: Random): Campaign {
  const scene = makeScene(courts, community, random, true);
  const first = playCase(scene, { credibility: reporterCredibility(0, 0), tsCleared: null, now: START });
  return { wrong: first === "clear", tally: scene.tally };
}
