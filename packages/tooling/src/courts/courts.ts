/** The rules that a campaign is played by: the product's own, and for comparison those it had before. */
import type { StaffReason } from "@lambda/contract/admin";
import { type Ballot, countBallots, needsStaff, staffReason } from "@lambda/worker/court-rules";
import { drawJury, isExperienced, mayServe, shuffle } from "@lambda/worker/draw-rules";
import { type Member, type Random, sample } from "./community.ts";

export interface Filing {
  /** Of the most believed reporter of the case. */
  readonly credibility: number;
  readonly tsCleared: number | null;
  readonly now: number;
  /** Members who had to do with a side by that side's own doing, as the hostile person arranged it. */
  readonly marked: ReadonlySet<number>;
  /** Those who answered it: the only ones who count as contact. */
  readonly answered: ReadonlySet<number>;
  readonly served: ReadonlySet<number>;
}

export interface Courts {
  readonly name: string;
  /** The jurors of a case, or why it is for staff. */
  readonly seat: (community: readonly Member[], filing: Filing, random: Random) => readonly Member[] | StaffReason;
  /** Whether a silent juror's seat goes to the next one. */
  readonly replaces: boolean;
  /** What the votes come to; staff: they decide, and are right. */
  readonly close: (ballots: readonly Ballot[]) => "sanction" | "clear" | "staff";
  /** Whether a decided case may be tried again on the same day by a new report. */
  readonly staffHearAppealsOfStaff: boolean;
}

export const OURS: Courts = {
  name: "the product's rules",
  replaces: false,
  staffHearAppealsOfStaff: true,
  seat: (community, filing, random) => {
    const { now, credibility, tsCleared, answered, served } = filing;
    const reason = staffReason({ staffOnly: false, isPrivate: false, credibility, tsCleared, now });
    if (reason) return reason;
    const candidates = sample(community, random).map((one) => ({
      ...one,
      tsSeen: now,
      metSide: answered.has(one.id),
      served: served.has(one.id),
    }));
    const serving = candidates.filter((one) => mayServe(one, now) && isExperienced(one));
    const size = Math.round((community.length * serving.length) / Math.max(1, candidates.length));
    const draw = drawJury({ candidates, size, sideNetworks: [] }, random, now);
    if ("problem" in draw) return draw.problem;
    const chosen = new Set(draw.jurors);
    return candidates.filter((one) => chosen.has(one.id));
  },
  close: (ballots) => {
    const decision = countBallots(ballots);
    if (!decision) return "staff";
    if (decision.verdict === "no_violation") return "clear";
    // Whether juries are trusted with more makes no difference here: the hostile ones ask for what takes effect at once.
    return needsStaff(decision.sanction ?? "warn", { pool: 0, tested: 0, confirmed: 0 }) ? "staff" : "sanction";
  },
};

/** Five seats, a majority, silent jurors replaced, anybody excluded whom a side disliked, and a new case at any time. */
export const BEFORE: Courts = {
  name: "the rules before",
  replaces: true,
  staffHearAppealsOfStaff: false,
  seat: (community, { marked, served }, random) => {
    const free = community.filter((one) => !marked.has(one.id) && !served.has(one.id));
    return free.length < 5 ? "few" : shuffle(free, random).slice(0, 5);
  },
  close: (ballots) => {
    const guilty = ballots.filter((ballot) => ballot.verdict === "violation").length;
    return guilty * 2 > ballots.length ? "sanction" : "clear";
  },
};
