/**
 * The transitions of a case: `step` maps a state and an event to the next state and the effects to write. Pure, so that
 * every path of a case is tested without a database; callers read what an event needs and run the effects in one batch.
 */
import type { StaffReason } from "@lambda/contract/admin";
import { APPEAL_WINDOW_MS, JURY_VOTING_MS } from "@lambda/contract/limits";
import { RULES } from "@lambda/contract/moderation";
import { canAppeal } from "./appeal-rules.ts";
import type { Case, CaseEvent, Decision, Effect, NewStaffAction, OpenJury, Outcome, Side, Transition } from "./case.ts";
import { closeJury, juryOf } from "./close-jury.ts";
import { staffReason } from "./rules.ts";

type EventOf<Type extends CaseEvent["type"]> = Extract<CaseEvent, { type: Type }>;
type Stage<At extends Case["at"]> = Extract<Case, { at: At }>;

/** An event that cannot happen in the current state: somebody else was faster, or the caller has a bug. */
export class IllegalTransition extends Error {
  constructor(state: Case, event: CaseEvent) {
    super(`A case in state ${state.at} cannot handle the event ${event.type}.`);
    this.name = "IllegalTransition";
  }
}

/** Throws IllegalTransition if the event cannot happen in this state. */
export function step(state: Case, event: CaseEvent, now: number): Transition {
  const next = transition(state, event, now);
  if (!next) throw new IllegalTransition(state, event);
  return next;
}

function transition(state: Case, event: CaseEvent, now: number): Transition | undefined {
  switch (event.type) {
    case "filed":
      return state.at === "new" ? file(event, now) : undefined;
    case "openedByStaff":
      return state.at === "new" ? openByStaff(event, now) : undefined;
    case "merged":
      return state.at === "staff" || state.at === "jury" ? merge(state, event) : undefined;
    case "juryDrawn":
      return state.at === "staff" ? seatFirstJury(state, event, now) : undefined;
    case "poolUnfit":
      return state.at === "staff" ? assignToStaff(state, event.problem) : undefined;
    case "voted":
    case "excused":
    case "seatsExpired":
      return applySeatEvent(state, event, now);
    case "juryClosed":
      return closeJury(state, event, now);
    case "dismissed":
      return state.at === "staff" || state.at === "jury" ? dismiss(state, event, now) : undefined;
    case "acted":
      return actOnCase(state, event.action, now);
    case "appealed":
      return state.at === "decided" ? appeal(state, event, now) : undefined;
    case "appealDecided":
      return state.at === "appeal" && state.jury === null ? decideAppeal(state, event, now) : undefined;
    case "appealTimeOver":
      return state.at === "decided" ? close(state, now) : undefined;
  }
}

function file(event: EventOf<"filed">, now: number): Transition {
  const { rule, by, isPrivate, credibility, tsCleared } = event;
  const ruleReason = staffReason({ staffOnly: RULES[rule].staffOnly, isPrivate, credibility, tsCleared, now }) ?? null;
  // Automatic matches go to staff, who know how the matching can be wrong.
  const reason = by === "clock" && ruleReason !== "rule" ? "found" : ruleReason;
  return {
    state: { at: "staff", rule, reason },
    effects: [{ type: "log", entry: { action: "report.filed", rule, by } }],
  };
}

/** Staff's own action gets a case, so that it can be appealed like any other. */
function openByStaff({ rule, action }: EventOf<"openedByStaff">, now: number): Transition {
  return {
    state: { at: "decided", rule, decision: { outcome: action.kind, tsDecided: now, appealed: [] } },
    effects: [takeAction(action)],
  };
}

/**
 * A report about another rule, about a private picture or after the first vote moves the case to staff: the jurors have
 * not seen it.
 */
function merge(state: Stage<"staff" | "jury">, event: EventOf<"merged">): Transition {
  const { rule, by, isPrivate, isRepeated, jurorId } = event;
  const log: Effect[] = isRepeated ? [] : [{ type: "log", entry: { action: "report.joined", rule, by } }];
  if (state.at === "staff") return { state, effects: log };
  if (rule !== state.rule || isPrivate || (!isRepeated && state.jury.voted > 0)) {
    return {
      state: { at: "staff", rule: state.rule, reason: "joined" },
      effects: [{ type: "require", still: "juryOpen" }, { type: "releaseJury", reason: "joined" }, ...log],
    };
  }
  if (jurorId === null) return { state, effects: log };
  const jury = { ...state.jury, waiting: state.jury.waiting - 1 };
  return { state: { ...state, jury }, effects: [{ type: "emptySeat", jurorId }, ...log] };
}

function seatFirstJury(state: Stage<"staff">, event: EventOf<"juryDrawn">, now: number): Transition | undefined {
  if (state.reason !== null) return undefined;
  const { jurors, pool } = event;
  const jury: OpenJury = { round: 1, tsSeated: now, waiting: jurors.length, voted: 0, pool };
  return {
    state: { at: "jury", rule: state.rule, jury },
    effects: [
      { type: "require", still: "waiting" },
      { type: "seatJury", round: 1, jurors, pool },
      { type: "assignToJury" },
      { type: "log", entry: { action: "jury.seated", round: 1, seats: jurors.length } },
    ],
  };
}

function assignToStaff(state: Stage<"staff">, reason: StaffReason): Transition | undefined {
  if (state.reason !== null) return undefined;
  return { state: { ...state, reason }, effects: [{ type: "setStaffReason", reason }] };
}

type SeatEvent = EventOf<"voted" | "excused" | "seatsExpired">;

/** Ballots, excuses and expired seats each reduce the number of jurors that the jury waits for. */
function applySeatEvent(state: Case, event: SeatEvent, now: number): Transition | undefined {
  const jury = juryOf(state);
  const used = event.type === "seatsExpired" ? event.seats : 1;
  if (!jury || jury.waiting < used) return undefined;
  if (event.type === "seatsExpired" && now < voteDeadline(jury)) return undefined;
  const left = { ...jury, waiting: jury.waiting - used, voted: jury.voted + (event.type === "voted" ? 1 : 0) };
  return { state: { ...(state as Stage<"jury">), jury: left }, effects: seatEffects(event) };
}

function seatEffects(event: SeatEvent): Effect[] {
  if (event.type === "voted") return [{ type: "recordBallot", ballot: event.ballot }];
  if (event.type === "excused") return [{ type: "emptySeat", jurorId: event.jurorId }];
  // jury/votes.ts empties the expired seats of all juries in one statement.
  return [];
}

/** When jurors must have voted; seats without a vote are emptied then. */
export const voteDeadline = (jury: OpenJury): number => jury.tsSeated + JURY_VOTING_MS;

function dismiss({ rule }: Stage<"staff" | "jury">, event: EventOf<"dismissed">, now: number): Transition {
  const { staffId, reason } = event;
  return { state: decidedCase(rule, "none", now), effects: staffDecision("none", { staffId, reason }) };
}

/** Staff act on an open case, or grant a reporter's appeal that waits for them. */
function actOnCase(state: Case, action: NewStaffAction, now: number): Transition | undefined {
  const { kind, staffId } = action;
  if (state.at === "staff" || state.at === "jury") {
    return {
      state: decidedCase(state.rule, kind, now),
      effects: [takeAction(action), ...staffDecision(kind, { staffId, reason: "" })],
    };
  }
  if (state.at !== "appeal" || state.jury !== null || state.side !== "reporter") return undefined;
  return {
    state: { at: "decided", rule: state.rule, decision: { ...state.decision, outcome: kind, tsDecided: now } },
    effects: [
      takeAction(action),
      ...closeStaffAppeal("reporter", "reversed", staffId),
      { type: "decide", outcome: kind },
      { type: "notify", to: "reporters", notification: { type: "appealDecided", reversed: true } },
    ],
  };
}

function decidedCase(rule: Stage<"decided">["rule"], outcome: Outcome, now: number): Stage<"decided"> {
  return { at: "decided", rule, decision: { outcome, tsDecided: now, appealed: [] } };
}

function takeAction({ staffId, kind, rule, reason, until, pictureId }: NewStaffAction): Effect {
  return { type: "takeAction", action: { kind, rule, reason, until, pictureId, by: { staffId } } };
}

function staffDecision(outcome: Outcome, by: { readonly staffId: number; readonly reason: string }): Effect[] {
  return [
    { type: "require", still: "undecided" },
    { type: "decide", outcome },
    { type: "dismissJury" },
    { type: "notify", to: "reporters", notification: { type: "reportDecided", acted: outcome !== "none" } },
    { type: "log", entry: { action: "report.decided", outcome, by } },
  ];
}

function appeal(state: Stage<"decided">, event: EventOf<"appealed">, now: number): Transition | undefined {
  const { side, profileId, text, route } = event;
  if (!canAppeal(state.decision, side, now)) return undefined;
  const round = 2 + state.decision.appealed.length;
  const seated = route.by === "jury";
  const jury = seated ? { round, tsSeated: now, waiting: route.jurors.length, voted: 0, pool: route.pool } : null;
  return {
    state: {
      at: "appeal",
      rule: state.rule,
      decision: { ...state.decision, appealed: [...state.decision.appealed, side] },
      side,
      jury,
    },
    effects: [
      ...(seated ? [{ type: "seatJury", round, jurors: route.jurors, pool: route.pool } as const] : []),
      { type: "setStaffReason", reason: seated ? null : route.reason },
      { type: "openAppeal", side, profileId, text, round: seated ? round : null },
      { type: "notify", to: side === "subject" ? "reporters" : "subject", notification: { type: "appealed" } },
      { type: "log", entry: { action: "appeal.filed", side, round, seated } },
    ],
  };
}

/** Staff grant a reporter's appeal by taking an action instead: see `actOnCase`. */
function decideAppeal(
  state: Stage<"appeal">,
  { staffId, reversed, activeActions }: EventOf<"appealDecided">,
  now: number,
): Transition | undefined {
  const { rule, decision, side } = state;
  if (reversed && side === "reporter") return undefined;
  const after: Decision = reversed ? { ...decision, outcome: "none", tsDecided: now } : decision;
  const notification = { type: "appealDecided", reversed } as const;
  return {
    state: { at: "decided", rule, decision: after },
    effects: [
      ...closeStaffAppeal(side, reversed ? "reversed" : "upheld", staffId),
      ...(reversed
        ? ([
            { type: "decide", outcome: "none" },
            { type: "liftActions", actions: activeActions, staffId },
          ] as const)
        : []),
      { type: "notify", to: "subject", notification },
      { type: "notify", to: "reporters", notification },
    ],
  };
}

function closeStaffAppeal(side: Side, result: "upheld" | "reversed", staffId: number): Effect[] {
  return [
    { type: "require", still: "appealWaiting" },
    { type: "closeAppeal", side, result },
    { type: "log", entry: { action: "appeal.decided", result, round: null, by: { staffId } } },
  ];
}

function close({ decision }: Stage<"decided">, now: number): Transition | undefined {
  if (now - decision.tsDecided <= APPEAL_WINDOW_MS) return undefined;
  return { state: { at: "closed", outcome: decision.outcome }, effects: [] };
}
