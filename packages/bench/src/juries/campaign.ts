/**
 * Simulates thirty days of an attacker with many accounts against a brand's juries, trying to get an innocent member punished or to
 * shield a guilty one (themselves). The attacker knows the rules and each decision; staff decisions are assumed to be correct.
 */
import { DAY_MS } from "@lambda/contract/limits";
import type { Ballot } from "@lambda/worker/court-rules";
import { reporterCredibility } from "@lambda/worker/report-rules";
import { type Member, type Random, START } from "./community.ts";
import type { CourtRules, Filing } from "./courts.ts";

const DAYS = 30;
/** Share of honest jurors who vote in time ... */
const HONEST_TURNOUT = 0.7;
/** ... and who vote correctly in a case of medium difficulty, as in the simulation of vote games. */
const HONEST_ACCURACY = 0.86;
/** Share of the pool that the attacker gets a reply from before a case, just below what would be noticed. */
const ANSWERED_SHARE = 0.09;

export interface Tally {
  /** Decided cases, including appeals. */
  cases: number;
  byStaff: number;
}

export interface Campaign {
  /** Whether an innocent member was punished, or a guilty one was not. */
  readonly wrong: boolean;
  readonly tally: Tally;
}

type Result = "sanction" | "clear";

interface Scene {
  readonly courts: CourtRules;
  readonly community: readonly Member[];
  readonly random: Random;
  readonly guilty: boolean;
  readonly tally: Tally;
  readonly marked: ReadonlySet<number>;
  readonly answered: ReadonlySet<number>;
  readonly summoned: Map<number, number>;
}

function makeScene(courts: CourtRules, community: readonly Member[], random: Random, guilty: boolean): Scene {
  const honest = community.filter((member) => !member.hostile);
  const attacked = honest.length < community.length;
  // The attacker secretly dislikes all honest members, and gets a few of them to reply.
  const marked = new Set(attacked ? honest.map((member) => member.id) : []);
  const answering = attacked ? honest.filter(() => random() < ANSWERED_SHARE).map((member) => member.id) : [];
  return {
    courts,
    community,
    random,
    guilty,
    marked,
    answered: new Set(answering),
    tally: { cases: 0, byStaff: 0 },
    summoned: new Map(),
  };
}

/** Decides a case by one jury, or by staff instead. */
function decideCase(
  scene: Scene,
  filing: Pick<Filing, "credibility" | "tsCleared" | "now">,
  served: Set<number>,
): { result: Result; byStaff: boolean } {
  const { courts, random, guilty, tally } = scene;
  const correct: Result = guilty ? "sanction" : "clear";
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
    return { result: correct, byStaff: true };
  }
  const difficulty = random() * 0.2 - 0.05;
  const ballots: Ballot[] = [];
  for (const juror of jurors) {
    served.add(juror.id);
    scene.summoned.set(juror.id, filing.now);
    const ballot = vote(scene, juror, difficulty);
    if (ballot) ballots.push(ballot);
    else if (courts.replacesSilentJurors) ballots.push(vote(scene, juror, difficulty, true)!);
  }
  const closed = courts.close(ballots);
  if (closed !== "staff") return { result: closed, byStaff: false };
  tally.byStaff += 1;
  return { result: correct, byStaff: true };
}

/** Undefined if the juror does not vote. Hostile jurors always vote, and only for sanctions that staff need not confirm. */
function vote(scene: Scene, juror: Member, difficulty: number, alwaysVotes = false): Ballot | undefined {
  const { guilty, random } = scene;
  if (juror.hostile) {
    return guilty ? { verdict: "no_violation", sanction: null } : { verdict: "violation", sanction: "suspend_3" };
  }
  if (!alwaysVotes && random() >= HONEST_TURNOUT) return undefined;
  const isCorrect = random() < HONEST_ACCURACY - difficulty;
  return isCorrect === guilty
    ? { verdict: "violation", sanction: random() < 0.5 ? "warn" : "suspend_3" }
    : { verdict: "no_violation", sanction: null };
}

/** Plays a case from its report through all possible appeals, each of which is filed. */
function playCase(scene: Scene, filing: Pick<Filing, "credibility" | "tsCleared" | "now">): Result {
  const served = new Set<number>();
  let { result, byStaff } = decideCase(scene, filing, served);
  for (const side of result === "clear" ? (["reporter", "subject"] as const) : (["subject", "reporter"] as const)) {
    const lost = side === "reporter" ? result === "clear" : result === "sanction";
    if (!lost) continue;
    // A case that staff dismissed does not go to a jury on appeal.
    if (side === "reporter" && byStaff && scene.courts.staffHearAppealsOfStaff) {
      scene.tally.cases += 1;
      scene.tally.byStaff += 1;
      continue;
    }
    ({ result, byStaff } = decideCase(scene, { ...filing, tsCleared: null, credibility: 1 }, served));
  }
  return result;
}

/** The hostile accounts take turns reporting an innocent member and appealing, whenever no case is open. */
export function playInnocent(courts: CourtRules, community: readonly Member[], random: Random): Campaign {
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
    // Without hostile accounts, nobody reports again.
    if (!community.some((member) => member.hostile)) break;
  }
  return { wrong: false, tally: scene.tally };
}

/** An honest member reports a guilty one once. */
export function playGuilty(courts: CourtRules, community: readonly Member[], random: Random): Campaign {
  const scene = makeScene(courts, community, random, true);
  const first = playCase(scene, { credibility: reporterCredibility(0, 0), tsCleared: null, now: START });
  return { wrong: first === "clear", tally: scene.tally };
}
