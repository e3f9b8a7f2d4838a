/**
 * Closes a jury that waits for nobody: its ballots decide the case, recommend a sanction to staff, or leave the case to
 * staff.
 */
import type { Case, CaseEvent, Effect, JuryFacts, OpenJury, Outcome, Transition } from "./case.ts";
import { type Ballot, countBallots, isMilder, needsStaff, toAction } from "./rules.ts";

type JuryClosed = Extract<CaseEvent, { type: "juryClosed" }>;
type WithJury = Extract<Case, { at: "jury" }> | (Extract<Case, { at: "appeal" }> & { readonly jury: OpenJury });

/** The open jury on a case or on its appeal, if any. */
export function juryOf(state: Case): OpenJury | null {
  return state.at === "jury" || state.at === "appeal" ? state.jury : null;
}

/** Whether the ballots lead to a verdict, in which case the caller must read the jury facts. */
export function isDecisive({ ballots, withdrawn }: Pick<JuryClosed, "ballots" | "withdrawn">): boolean {
  return !withdrawn && countBallots(ballots) !== undefined;
}

export function closeJury(state: Case, event: JuryClosed, now: number): Transition | undefined {
  if (!hasJury(state) || state.jury.waiting > 0) return undefined;
  const { ballots, withdrawn, facts, summary } = event;
  const closing: Effect[] = [
    { type: "require", still: "juryOpen" },
    { type: "payJurors", jurors: ballots.map(({ jurorId }) => jurorId) },
  ];
  const finding = withdrawn ? undefined : countBallots(ballots);
  if (!finding || !facts) {
    const reason = withdrawn ? "withdrawn" : "undecided";
    return {
      state: passToStaff(state, reason),
      effects: [...closing, { type: "releaseJury", reason }, logVerdict(state, null, ballots.length)],
    };
  }
  const impact = impactOf(state, finding, facts, now);
  const { verdict } = finding;
  const recorded: Effect[] = [
    ...closing,
    { type: "recordVerdict", verdict, sanction: impact.sanction },
    logVerdict(state, { verdict, sanction: impact.sanction }, ballots.length),
  ];
  if (impact.changes && impact.sanction && needsStaff(impact.sanction, facts.record) && !impact.milder) {
    return {
      state: passToStaff(state, "recommended"),
      effects: [...recorded, { type: "releaseJury", reason: "recommended" }],
    };
  }
  return {
    state: decide(state, impact.outcome, now),
    effects: [
      ...recorded,
      ...outcomeEffects(state, impact, facts, summary, now),
      ...notifyEffects(state, finding, impact),
    ],
  };
}

const hasJury = (state: Case): state is WithJury => juryOf(state) !== null;

function passToStaff(state: WithJury, reason: "withdrawn" | "undecided" | "recommended"): Case {
  return state.at === "jury" ? { at: "staff", rule: state.rule, reason } : { ...state, jury: null };
}

function decide(state: WithJury, outcome: Outcome, now: number): Case {
  const appealed = state.at === "appeal" ? state.decision.appealed : [];
  return { at: "decided", rule: state.rule, decision: { outcome, tsDecided: now, appealed } };
}

type FindingImpact = ReturnType<typeof impactOf>;

function impactOf(state: WithJury, finding: Ballot, facts: JuryFacts, now: number) {
  const sanction = finding.sanction === "hide_picture" && facts.pictureId === null ? "warn" : finding.sanction;
  const before = state.at === "appeal" ? state.decision.outcome : "none";
  const wasViolation = before !== "none";
  const isViolation = finding.verdict === "violation";
  const milder = wasViolation && isViolation && sanction !== null && isMilder(facts.activeActions, sanction, now);
  // Whether the finding changes the current outcome.
  const changes = state.at === "jury" || wasViolation !== isViolation || (milder && state.side === "subject");
  const newOutcome: Outcome = isViolation && sanction ? toAction(sanction, now).kind : "none";
  return { isViolation, wasViolation, sanction, changes, milder, outcome: changes ? newOutcome : before };
}

function outcomeEffects(
  state: WithJury,
  { changes, isViolation, sanction, outcome }: FindingImpact,
  { pictureId, activeActions }: JuryFacts,
  reason: string,
  now: number,
): Effect[] {
  const effects: Effect[] = changes ? [{ type: "liftActions", actions: activeActions, staffId: null }] : [];
  if (changes && isViolation && sanction) {
    const { kind, until } = toAction(sanction, now);
    const hidden = kind === "hide_picture" ? pictureId : null;
    effects.push({
      type: "takeAction",
      action: { kind, rule: state.rule, reason, until, pictureId: hidden, by: "jury" },
    });
  }
  return [...effects, { type: "decide", outcome }, { type: "recordPrecedent", outcome, summary: reason }];
}

/** Logs the outcome, notifies both sides and, for an appeal, closes it and marks the jurors whom it overturned. */
function notifyEffects(state: WithJury, finding: Ballot, impact: FindingImpact): Effect[] {
  const { isViolation, wasViolation, changes, outcome } = impact;
  if (state.at === "jury") {
    return [
      { type: "log", entry: { action: "report.decided", outcome, by: "jury" } },
      { type: "notify", to: "reporters", notification: { type: "reportDecided", acted: isViolation } },
      ...(isViolation ? [] : [{ type: "notify", to: "subject", notification: { type: "cleared" } } as const]),
    ];
  }
  const { round } = state.jury;
  const result = changes ? "reversed" : "upheld";
  const notification = { type: "appealDecided", reversed: changes } as const;
  return [
    { type: "log", entry: { action: "appeal.decided", result, round, by: "jury" } },
    { type: "closeAppeal", side: state.side, result },
    { type: "notify", to: "subject", notification },
    { type: "notify", to: "reporters", notification },
    ...(wasViolation === isViolation ? [] : [{ type: "markOverturned", round, verdict: finding.verdict } as const]),
  ];
}

function logVerdict(state: WithJury, finding: Ballot | null, votes: number): Effect {
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
