/**
 * Simulates thirty days of an attacker with many accounts against a brand's juries, trying to get an innocent member punished or to
 * shield a guilty one (themselves). The attacker knows the rules and each decision; staff decisions are assumed to be correct.
 */
import type { StaffReason } from "@lambda/contract/admin";
import { DAY_MS } from "@lambda/contract/limits";
import { type Ballot, countBallots, needsStaff, staffReason } from "@lambda/worker/court-rules";
import { canServe, drawJury, isQualified } from "@lambda/worker/draw-rules";
import { reporterCredibility } from "@lambda/worker/report-rules";
import { type Member, type Random, START, sample } from "./community.ts";

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

interface Filing {
  /** Credibility of the case's most credible reporter. */
  readonly credibility: number;
  readonly tsCleared: number | null;
  readonly now: number;
}

interface Scene {
  readonly community: readonly Member[];
  readonly random: Random;
  readonly guilty: boolean;
  readonly tally: Tally;
  /** Members whom one side wrote to and who replied; only they count as contact. */
  readonly answered: ReadonlySet<number>;
  readonly summoned: Map<number, number>;
}

function makeScene(community: readonly Member[], random: Random, guilty: boolean): Scene {
  const honest = community.filter((member) => !member.hostile);
  // The attacker gets a few of the honest members to reply.
  const answering = honest.length < community.length ? honest.filter(() => random() < ANSWERED_SHARE) : [];
  const answered = new Set(answering.map(({ id }) => id));
  return { community, random, guilty, answered, tally: { cases: 0, byStaff: 0 }, summoned: new Map() };
}

/** The jurors of a case, or why staff decide it, by the product's rules. */
function seatJury(
  { community, answered, summoned, random }: Scene,
  { credibility, tsCleared, now }: Filing,
  served: ReadonlySet<number>,
): readonly Member[] | StaffReason {
  const reason = staffReason({ staffOnly: false, isPrivate: false, credibility, tsCleared, now });
  if (reason) return reason;
  const candidates = sample(community, random).map((member) => ({
    ...member,
    tsSeen: now,
    tsSummoned: summoned.get(member.id) ?? member.tsSummoned,
    metSide: answered.has(member.id),
    served: served.has(member.id),
  }));
  const eligible = candidates.filter((member) => canServe(member, now) && isQualified(member));
  const size = Math.round((community.length * eligible.length) / Math.max(1, candidates.length));
  const draw = drawJury({ candidates, size, sideNetworks: [] }, random, now);
  if ("problem" in draw) return draw.problem;
  const chosen = new Set(draw.jurors);
  return candidates.filter((member) => chosen.has(member.id));
}

/** The outcome of the votes. "staff": staff decide, and correctly. */
function closeJury(ballots: readonly Ballot[]): Result | "staff" {
  const decision = countBallots(ballots);
  if (!decision) return "staff";
  if (decision.verdict === "no_violation") return "clear";
  // Jury autonomy makes no difference here, because hostile jurors choose sanctions that need no confirmation.
  return needsStaff(decision.sanction ?? "warn", { pool: 0, tested: 0, confirmed: 0 }) ? "staff" : "sanction";
}

/** Decides a case by one jury, or by staff instead. */
function decideCase(scene: Scene, filing: Filing, served: Set<number>): { result: Result; byStaff: boolean } {
  const { random, guilty, tally } = scene;
  tally.cases += 1;
  const jurors = seatJury(scene, filing, served);
  let closed: Result | "staff" = "staff";
  if (typeof jurors !== "string") {
    const difficulty = random() * 0.2 - 0.05;
    const ballots: Ballot[] = [];
    for (const juror of jurors) {
      served.add(juror.id);
      scene.summoned.set(juror.id, filing.now);
      const ballot = vote(scene, juror, difficulty);
      if (ballot) ballots.push(ballot);
    }
    closed = closeJury(ballots);
  }
  if (closed !== "staff") return { result: closed, byStaff: false };
  tally.byStaff += 1;
  return { result: guilty ? "sanction" : "clear", byStaff: true };
}

/** Undefined if the juror does not vote. Hostile jurors always vote, and only for sanctions that staff need not confirm. */
function vote({ guilty, random }: Scene, juror: Member, difficulty: number): Ballot | undefined {
  if (juror.hostile) {
    return guilty ? { verdict: "no_violation", sanction: null } : { verdict: "violation", sanction: "suspend_3" };
  }
  if (random() >= HONEST_TURNOUT) return undefined;
  const isCorrect = random() < HONEST_ACCURACY - difficulty;
  return isCorrect === guilty
    ? { verdict: "violation", sanction: random() < 0.5 ? "warn" : "suspend_3" }
    : { verdict: "no_violation", sanction: null };
}

/** Plays a case from its report through all possible appeals, each of which is filed. */
function playCase(scene: Scene, filing: Filing): Result {
  const served = new Set<number>();
  let { result, byStaff } = decideCase(scene, filing, served);
  for (const side of result === "clear" ? (["reporter", "subject"] as const) : (["subject", "reporter"] as const)) {
    const lost = side === "reporter" ? result === "clear" : result === "sanction";
    if (!lost) continue;
    // A case that staff dismissed does not go to a jury on appeal.
    if (side === "reporter" && byStaff) {
      scene.tally.cases += 1;
      scene.tally.byStaff += 1;
      continue;
    }
    ({ result, byStaff } = decideCase(scene, { ...filing, tsCleared: null, credibility: 1 }, served));
  }
  return result;
}

/** The hostile accounts take turns reporting an innocent member and appealing, whenever no case is open. */
export function playInnocent(community: readonly Member[], random: Random): Campaign {
  const scene = makeScene(community, random, false);
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
export function playGuilty(community: readonly Member[], random: Random): Campaign {
  const scene = makeScene(community, random, true);
  const first = playCase(scene, { credibility: reporterCredibility(0, 0), tsCleared: null, now: START });
  return { wrong: first === "clear", tally: scene.tally };
}
