/** From the ballots of a jury that waits for nobody to what follows: it decides, recommends, or leaves the case to staff. */
import type { JurySanction } from "@lambda/contract/arbitration";
import type { Case, CaseEvent, Effect, JuryFacts, OpenJury, Outcome, Transition } from "./case.ts";
import { actionOf, countBallots, isMilder, type JuryFinding, needsStaff } from "./rules.ts";

type Closed = Extract<CaseEvent, { type: "juryClosed" }>;
type WithJury = Extract<Case, { at: "jury" }> | (Extract<Case, { at: "appeal" }> & { readonly jury: OpenJury });

/** The jury that sits on a case or on its appeal. */
export function juryOf(state: Case): OpenJury | null {
  return state.at === "jury" || state.at === "appeal" ? state.jury : null;
}

/** Whether the ballots decide anything, so that the facts of the case have to be read. */
export function isDecisive({ ballots, withdrawn }: Pick<Closed, "ballots" | "withdrawn">): boolean {
  return !withdrawn && countBallots(ballots) !== undefined;
}

export function closeJury(state: Case, event: Closed, now: number): Transition | undefined {
  if (!hasJury(state) || state.jury.waiting > 0) return undefined;
  const { ballots, withdrawn, facts, summary } = event;
  const paid: Effect[] = [
    { type: "require", still: "juryOpen" },
    { type: "payJurors", jurors: ballots.map(({ jurorId }) => jurorId) },
  ];
  const finding = withdrawn ? undefined : countBallots(ballots);
  if (!finding || !facts) {
    const reason = withdrawn ? "withdrawn" : "undecided";
    return {
      state: withStaff(state, reason),
      effects: [...paid, { type: "releaseJury", reason }, logVerdict(state, null, ballots.length)],
    };
  }
  const effect = effectOf(state, finding, facts, now);
  const { verdict } = finding;
  const recorded: Effect[] = [
    ...paid,
    { type: "recordVerdict", verdict, sanction: effect.sanction },
    logVerdict(state, { verdict, sanction: effect.sanction }, ballots.length),
  ];
  if (effect.changes && effect.sanction && needsStaff(effect.sanction, facts.record) && !effect.milder) {
    return {
      state: withStaff(state, "recommended"),
      effects: [...recorded, { type: "releaseJury", reason: "recommended" }],
    };
  }
  return {
    state: decidedBy(state, effect.outcome, now),
    effects: [
      ...recorded,
      ...outcomeEffects(state, effect, facts, summary, now),
      ...closingEffects(state, finding, effect),
    ],
  };
}

function hasJury(state: Case): state is WithJury {
  return juryOf(state) !== null;
}

function withStaff(state: WithJury, reason: "withdrawn" | "undecided" | "recommended"): Case {
  return state.at === "jury" ? { at: "staff", rule: state.rule, reason } : { ...state, jury: null };
}

function decidedBy(state: WithJury, outcome: Outcome, now: number): Case {
  const appealed = state.at === "appeal" ? state.decision.appealed : [];
  return { at: "decided", rule: state.rule, decision: { outcome, tsDecided: now, appealed } };
}

/** What a finding would change. */
interface JuryFindingEffect {
  readonly isViolation: boolean;
  readonly wasViolation: boolean;
  readonly sanction: JurySanction | null;
  /** Whether the finding differs from what holds. */
  readonly changes: boolean;
  readonly milder: boolean;
  readonly outcome: Outcome;
}

function effectOf(state: WithJury, finding: JuryFinding, facts: JuryFacts, now: number): JuryFindingEffect {
  const sanction = finding.sanction === "hide_picture" && facts.pictureId === null ? "warn" : finding.sanction;
  const before = state.at === "appeal" ? state.decision.outcome : "none";
  const wasViolation = before !== "none";
  const isViolation = finding.verdict === "violation";
  const milder = wasViolation && isViolation && sanction !== null && isMilder(facts.activeActions, sanction, now);
  const changes = state.at === "jury" || wasViolation !== isViolation || (milder && state.side === "subject");
  const found: Outcome = isViolation && sanction ? actionOf(sanction, now).kind : "none";
  return { isViolation, wasViolation, sanction, changes, milder, outcome: changes ? found : before };
}

function outcomeEffects(
  state: WithJury,
  { changes, isViolation, sanction, outcome }: JuryFindingEffect,
  { pictureId, activeActions }: JuryFacts,
  reason: string,
  now: number,
): Effect[] {
  const effects: Effect[] = changes ? [{ type: "liftActions", actions: activeActions, staffId: null }] : [];
  if (changes && isViolation && sanction) {
    const { kind, until } = actionOf(sanction, now);
    const hidden = kind === "hide_picture" ? pictureId : null;
    effects.push({
      type: "takeAction",
      action: { kind, rule: state.rule, reason, until, pictureId: hidden, by: "jury" },
    });
  }
  return [...effects, { type: "decide", outcome }, { type: "keepPrecedent", outcome, summary: reason }];
}

/** Tells both sides; closes an appeal, and marks the majorities that it overturned. */
function closingEffects(state: WithJury, finding: JuryFinding, effect: JuryFindingEffect): Effect[] {
  const { isViolation, wasViolation, changes, outcome } = effect;
  if (state.at === "jury") {
    return [
      { type: "log", entry: { action: "report.decided", outcome, by: "jury" } },
      { type: "notify", to: "reporters", notice: { type: "reportDecided", acted: isViolation } },
      ...(isViolation ? [] : [{ type: "notify", to: "subject", notice: { type: "cleared" } } as const]),
    ];
  }
  const { round } = state.jury;
  const result = changes ? "reversed" : "upheld";
  const notice = { type: "appealDecided", reversed: changes } as const;
  return [
    { type: "log", entry: { action: "appeal.decided", result, round, by: "jury" } },
    { type: "closeAppeal", side: state.side, result },
    { type: "notify", to: "subject", notice },
    { type: "notify", to: "reporters", notice },
    ...(wasViolation === isViolation ? [] : [{ type: "markOverturned", round, verdict: finding.verdict } as const]),
  ];
}

function logVerdict(state: WithJury, finding: JuryFinding | null, votes: number): Effect {
  return {
    type: "log",
    entry: {
      action: "jury.verdict",
      round: state.jury.round,
      verdict: finding?.verdict ?? "undecided",
      sanction: finding?.sanction ?? null,
      votes,
      undecided: state.at === "jury",
    },
  };
}
