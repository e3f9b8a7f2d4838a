/**
 * The life of a case, from the first report to the day when nobody can appeal any more. Types alone; step.ts holds the
 * transitions, and docs/decisions/2026-11-22-a-case-is-a-state-machine.md draws them.
 */
import type { StaffReason } from "@lambda/contract/admin";
import type { JurySanction, Verdict } from "@lambda/contract/arbitration";
import type { ActionKind, Rule } from "@lambda/contract/moderation";
import type { ActiveAction, Ballot, JuryRecord, PoolProblem } from "./rules.ts";

/** Who a report comes from: a member, the consensus of a game, a notice that needed no account, or the site, which found something known. */
export type Filer = "member" | "game" | "visitor" | "clock";
export type Side = "subject" | "reporter";
export type Outcome = "none" | ActionKind;
export type AppealResult = "upheld" | "reversed";

/** A jury that is still asked. Seats are filled once: one that stays empty is not filled again. */
export interface OpenJury {
  readonly round: number;
  readonly tsSeated: number;
  /** Jurors who neither voted nor stepped back. */
  readonly waiting: number;
  readonly voted: number;
  /** About how many members could have been drawn. */
  readonly pool: number;
}

export interface Decision {
  readonly outcome: Outcome;
  readonly tsDecided: number;
  /** The sides that used their one appeal, an undecided one included. */
  readonly appealed: readonly Side[];
}

export type Case =
  | { readonly at: "new" }
  /** Waits for staff, or for its jury to be drawn. */
  | { readonly at: "staff"; readonly rule: Rule; readonly reason: StaffReason | null }
  | { readonly at: "jury"; readonly rule: Rule; readonly jury: OpenJury }
  | { readonly at: "decided"; readonly rule: Rule; readonly decision: Decision }
  /** Decided, and looked at once more: by a jury, or by staff where `jury` is null. */
  | {
      readonly at: "appeal";
      readonly rule: Rule;
      readonly decision: Decision;
      readonly side: Side;
      readonly jury: OpenJury | null;
    }
  /** Nobody can appeal any more, and the evidence is gone. */
  | { readonly at: "closed"; readonly outcome: Outcome };

/** What the ballots do not say, read when they agree. */
export interface JuryFacts {
  /** The picture that could be hidden; null when there is none, or its owner deleted it. */
  readonly pictureId: number | null;
  /** Actions of the case that still hold. */
  readonly activeActions: readonly ActiveAction[];
  readonly record: JuryRecord;
}

export interface CastBallot extends Ballot {
  readonly jurorId: number;
}

export type CaseEvent =
  | {
      readonly type: "filed";
      readonly rule: Rule;
      readonly by: Filer;
      /** About a picture that was not public. */
      readonly isPrivate: boolean;
      readonly credibility: number;
      readonly tsCleared: number | null;
    }
  /** Staff act on a member whom nobody reported. */
  | { readonly type: "openedByStaff"; readonly rule: Rule; readonly action: NewStaffAction }
  /** Another report of the same member. */
  | {
      readonly type: "merged";
      readonly rule: Rule;
      readonly by: Filer;
      readonly isPrivate: boolean;
      /** This reporter filed it before. */
      readonly isRepeated: boolean;
      /** The reporter, where the reporter is asked as a juror of this very case. */
      readonly jurorId: number | null;
    }
  | { readonly type: "juryDrawn"; readonly jurors: readonly number[]; readonly pool: number }
  | { readonly type: "poolUnfit"; readonly problem: PoolProblem }
  | { readonly type: "voted"; readonly ballot: CastBallot & { readonly reason: string } }
  | { readonly type: "excused"; readonly jurorId: number }
  | { readonly type: "seatsExpired"; readonly seats: number }
  | {
      readonly type: "juryClosed";
      readonly ballots: readonly CastBallot[];
      /** Some of what the jurors saw was deleted, unsent or made private since. */
      readonly withdrawn: boolean;
      readonly facts: JuryFacts | null;
      /** What the majority wrote, redacted. */
      readonly summary: string;
    }
  | { readonly type: "dismissed"; readonly staffId: number; readonly reason: string }
  | { readonly type: "acted"; readonly action: NewStaffAction }
  | {
      readonly type: "appealed";
      readonly side: Side;
      readonly profileId: number;
      readonly text: string;
      readonly route: AppealRoute;
    }
  | {
      readonly type: "appealDecided";
      readonly staffId: number;
      readonly reversed: boolean;
      readonly activeActions: readonly ActiveAction[];
    }
  | { readonly type: "appealTimeOver" };

export interface NewStaffAction {
  readonly staffId: number;
  readonly kind: ActionKind;
  readonly rule: Rule;
  readonly reason: string;
  readonly until: number | null;
  readonly pictureId: number | null;
}

/** Who judges an appeal: staff with the reason, or a jury that was drawn for it. */
export type AppealRoute =
  | { readonly by: "staff"; readonly reason: StaffReason }
  | { readonly by: "jury"; readonly jurors: readonly number[]; readonly pool: number };

export type Notice =
  | { readonly type: "reportDecided"; readonly acted: boolean }
  | { readonly type: "cleared" }
  | { readonly type: "appealed" }
  | { readonly type: "appealDecided"; readonly reversed: boolean };

export interface CaseAction {
  readonly kind: ActionKind;
  readonly rule: Rule;
  readonly reason: string;
  readonly until: number | null;
  readonly pictureId: number | null;
  readonly by: { readonly staffId: number } | "jury";
}

/** What a transition writes, in this order and all or nothing. */
export type Effect =
  /** Nobody was faster: otherwise nothing of the transition is written. */
  | { readonly type: "require"; readonly still: "undecided" | "waiting" | "juryOpen" | "appealWaiting" }
  | { readonly type: "createCase"; readonly state: "staff"; readonly reason: StaffReason | null }
  | { readonly type: "createDecidedCase"; readonly outcome: Outcome }
  | { readonly type: "setStaffReason"; readonly reason: StaffReason | null }
  | { readonly type: "seatJury"; readonly round: number; readonly jurors: readonly number[]; readonly pool: number }
  | { readonly type: "giveToJury" }
  | { readonly type: "recordBallot"; readonly ballot: CastBallot & { readonly reason: string } }
  | { readonly type: "emptySeat"; readonly jurorId: number }
  | { readonly type: "payJurors"; readonly jurors: readonly number[] }
  | { readonly type: "recordVerdict"; readonly verdict: Verdict; readonly sanction: JurySanction | null }
  /** The jury is closed, and its case or appeal waits for staff. */
  | { readonly type: "releaseJury"; readonly reason: StaffReason }
  /** Staff decided first: the jury is closed unheard. */
  | { readonly type: "dismissJury" }
  | { readonly type: "decide"; readonly outcome: Outcome }
  | { readonly type: "keepPrecedent"; readonly outcome: Outcome; readonly summary: string }
  | { readonly type: "takeAction"; readonly action: CaseAction }
  | { readonly type: "liftActions"; readonly actions: readonly ActiveAction[]; readonly staffId: number | null }
  | {
      readonly type: "openAppeal";
      readonly side: Side;
      readonly profileId: number;
      readonly text: string;
      readonly round: number | null;
    }
  | { readonly type: "closeAppeal"; readonly side: Side; readonly result: AppealResult }
  /** Marks the jurors of earlier rounds whose majority said otherwise. */
  | { readonly type: "markOverturned"; readonly round: number; readonly verdict: Verdict }
  | { readonly type: "notify"; readonly to: "subject" | "reporters"; readonly notice: Notice }
  | { readonly type: "log"; readonly entry: LogEntry }
  | { readonly type: "deleteEvidence" };

/** An entry of the audit log, to which the case adds its own reference, rule and brand. */
export type LogEntry =
  | { readonly action: "report.filed" | "report.joined"; readonly rule: Rule; readonly by: Filer }
  | { readonly action: "jury.seated"; readonly round: number; readonly seats: number }
  | {
      readonly action: "jury.verdict";
      readonly round: number;
      readonly verdict: Verdict | "undecided";
      readonly sanction: JurySanction | null;
      readonly votes: number;
      /** The case is not decided: the entry is published with its decision. */
      readonly undecided: boolean;
    }
  | { readonly action: "report.decided"; readonly outcome: Outcome; readonly by: "jury" | StaffBy }
  | { readonly action: "appeal.filed"; readonly side: Side; readonly round: number; readonly seated: boolean }
  | {
      readonly action: "appeal.decided";
      readonly result: AppealResult;
      readonly round: number | null;
      readonly by: "jury" | StaffBy;
    };

export interface StaffBy {
  readonly staffId: number;
  readonly reason?: string;
}

export interface Transition {
  readonly state: Case;
  readonly effects: readonly Effect[];
}
