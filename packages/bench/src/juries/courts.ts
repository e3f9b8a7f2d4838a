/** The rules to simulate: the product's own and, for comparison, the previous ones. */
import type { StaffReason } from "@lambda/contract/admin";
import { type Ballot, countBallots, needsStaff, staffReason } from "@lambda/worker/court-rules";
import { canServe, drawJury, isQualified } from "@lambda/worker/draw-rules";
import { shuffle } from "@lambda/worker/shuffle";
import { type Member, type Random, sample } from "./community.ts";

export interface Filing {
  /** Credibility of the case's most credible reporter. */
  readonly credibility: number;
  readonly tsCleared: number | null;
  readonly now: number;
  /** Members whom one side contacted or disliked on its own initiative, as the attacker arranged. */
  readonly marked: ReadonlySet<number>;
  /** Those who replied; only they count as contact. */
  readonly answered: ReadonlySet<number>;
  readonly served: ReadonlySet<number>;
}

export interface CourtRules {
  readonly name: string;
  /** The jurors of a case, or why staff decide it. */
  readonly seat: (community: readonly Member[], filing: Filing, random: Random) => readonly Member[] | StaffReason;
  /** Whether jurors who do not vote are replaced. */
  readonly replacesSilentJurors: boolean;
  /** The outcome of the votes. "staff": staff decide, and correctly. */
  readonly close: (ballots: readonly Ballot[]) => "sanction" | "clear" | "staff";
  /** Whether appeals against decisions by staff go to staff, not to a jury. */
  readonly staffHearAppealsOfStaff: boolean;
}

export const CURRENT_RULES: CourtRules = {
  name: "the product's rules",
  replacesSilentJurors: false,
  staffHearAppealsOfStaff: true,
  seat: (community, filing, random) => {
    const { now, credibility, tsCleared, answered, served } = filing;
    const reason = staffReason({ staffOnly: false, isPrivate: false, credibility, tsCleared, now });
    if (reason) return reason;
    const candidates = sample(community, random).map((member) => ({
      ...member,
      tsSeen: now,
      metSide: answered.has(member.id),
      served: served.has(member.id),
    }));
    const eligible = candidates.filter((member) => canServe(member, now) && isQualified(member));
    const size = Math.round((community.length * eligible.length) / Math.max(1, candidates.length));
    const draw = drawJury({ candidates, size, sideNetworks: [] }, random, now);
    if ("problem" in draw) return draw.problem;
    const chosen = new Set(draw.jurors);
    return candidates.filter((member) => chosen.has(member.id));
  },
  close: (ballots) => {
    const decision = countBallots(ballots);
    if (!decision) return "staff";
    if (decision.verdict === "no_violation") return "clear";
    // Jury autonomy makes no difference here, because hostile jurors choose sanctions that need no confirmation.
    return needsStaff(decision.sanction ?? "warn", { pool: 0, tested: 0, confirmed: 0 }) ? "staff" : "sanction";
  },
};

/** Five seats, a simple majority, non-voters replaced, everyone excluded whom a side disliked, and a new case at any time. */
export const PREVIOUS_RULES: CourtRules = {
  name: "the previous rules",
  replacesSilentJurors: true,
  staffHearAppealsOfStaff: false,
  seat: (community, { marked, served }, random) => {
    const available = community.filter((member) => !marked.has(member.id) && !served.has(member.id));
    return available.length < 5 ? "few" : shuffle(available, random).slice(0, 5);
  },
  close: (ballots) => {
    const guilty = ballots.filter((ballot) => ballot.verdict === "violation").length;
    return guilty * 2 > ballots.length ? "sanction" : "clear";
  },
};
