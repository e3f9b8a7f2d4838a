/**
 * Types for the life of a case, from the first report until the last appeal window closes. step.ts holds the
 * transitions; docs/decisions/2026-11-22-case-as-a-state-machine.md draws them.
 */
import type { StaffReason } from "@lambda/contract/admin";
import type { JurySanction, Verdict } from "@lambda/contract/arbitration";
import type { ActionKind, Rule } from "@lambda/contract/moderation";
import type { ActiveAction, Ballot, JuryRecord, PoolProblem } from "./rules.ts";

/**
 * Who filed a report: a member, a game's consensus, a notice from a visitor, or the site itself (`clock`), which
 * matched something known.
 */
export type Filer = "member" | "game" | "visitor" | "clock";
export type Side = "subject" | "reporter";
export type Outcome = "none" | ActionKind;
export type AppealResult = "upheld" | "reversed";

/** A jury that is still voting. Each seat is filled once; a seat that falls empty stays empty. */
export interface OpenJury {
  readonly round: number;
  readonly tsSeated: number;
  /** Number of jurors who have neither voted nor stepped back. */
  readonly waiting: number;
  readonly voted: number;
  /** Estimated number of members who could have been drawn. */
  readonly pool: number;
}

export interface Decision {
  readonly outcome: Outcome;
  readonly tsDecided: number;
  /** The sides that have used their one appeal, including an appeal that is still undecided. */
  readonly appealed: readonly Side[];
}

export type Case =
  | { readonly at: "new" }
  /** Waits for staff, or for a jury to be drawn while `reason` is null. */
  | { readonly at: "staff"; readonly rule: Rule; readonly reason: StaffReason | null }
  | { readonly at: "jury"; readonly rule: Rule; readonly jury: OpenJury }
  | { readonly at: "decided"; readonly rule: Rule; readonly decision: Decision }
  /** Decided and under appeal, before a jury or, if `jury` is null, before staff. */
  | {
      readonly at: "appeal";
      readonly rule: Rule;
      readonly decision: Decision;
      readonly side: Side;
      readonly jury: OpenJury | null;
    }
  /** The time to appeal is over and the evidence is deleted. */
  | { readonly at: "closed"; readonly outcome: Outcome };

/** Facts beyond the ballots, read only when the ballots agree. */
export interface JuryFacts {
  /** The picture that the jury could hide; null if there is none or its owner deleted it. */
  readonly pictureId: number | null;
  /** Actions of the case that are still in force. */
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
      /** Whether the reported picture was not public. */
      readonly isPrivate: boolean;
      readonly credibility: number;
      readonly tsCleared: number | null;
    }
  /** Staff act against a member whom nobody reported. */
  | { readonly type: "openedByStaff"; readonly rule: Rule; readonly action: NewStaffAction }
  /** Another report about the same member joins the case. */
  | {
      readonly type: "merged";
      readonly rule: Rule;
      readonly by: Filer;
      readonly isPrivate: boolean;
      /** Whether the same reporter has reported this case before. */
      readonly isRepeated: boolean;
      /** The reporter's id if the reporter is a summoned juror of this case, else null. */
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
      /** Whether evidence that jurors saw has since been deleted, unsent or made private. */
      readonly withdrawn: boolean;
      readonly facts: JuryFacts | null;
      /** The majority's reasons, redacted. */
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

/** Who judges an appeal: staff, with the reason why, or a newly drawn jury. */
export type AppealRoute =
  | { readonly by: "staff"; readonly reason: StaffReason }
  | { readonly by: "jury"; readonly jurors: readonly number[]; readonly pool: number };

export type CaseNotification =
  | { readonly type: "reportDecided"; readonly acted: boolean }
  | { readonly type: "cleared" }
  | { readonly type: "appealed" }
  | { readonly type: "appealDecided"; readonly reversed: boolean };

export interface CaseAction extends Omit<NewStaffAction, "staffId"> {
  readonly by: { readonly staffId: number } | "jury";
}

/** What a transition writes, in this order, in one atomic batch. */
export type Effect =
  /** Aborts the whole transition unless this still holds, that is, unless nobody else was faster. */
  | { readonly type: "require"; readonly still: "undecided" | "waiting" | "juryOpen" | "appealWaiting" }
  | { readonly type: "setStaffReason"; readonly reason: StaffReason | null }
  | { readonly type: "seatJury"; readonly round: number; readonly jurors: readonly number[]; readonly pool: number }
  | { readonly type: "assignToJury" }
  | { readonly type: "recordBallot"; readonly ballot: CastBallot & { readonly reason: string } }
  | { readonly type: "emptySeat"; readonly jurorId: number }
  | { readonly type: "payJurors"; readonly jurors: readonly number[] }
  | { readonly type: "recordVerdict"; readonly verdict: Verdict; readonly sanction: JurySanction | null }
  /** Closes the jury; its case or appeal then waits for staff. */
  | { readonly type: "releaseJury"; readonly reason: StaffReason }
  /** Closes the jury without a verdict because staff decided first. */
  | { readonly type: "dismissJury" }
  | { readonly type: "decide"; readonly outcome: Outcome }
  | { readonly type: "recordPrecedent"; readonly outcome: Outcome; readonly summary: string }
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
  /** Marks majority jurors of earlier rounds whose verdict was the opposite. */
  | { readonly type: "markOverturned"; readonly round: number; readonly verdict: Verdict }
  | { readonly type: "notify"; readonly to: "subject" | "reporters"; readonly notification: CaseNotification }
  | { readonly type: "log"; readonly entry: LogEntry };

/** An audit log entry; the case's reference, rule and brand are added to it later. */
export type LogEntry =
  | { readonly action: "report.filed" | "report.joined"; readonly rule: Rule; readonly by: Filer }
  | { readonly action: "jury.seated"; readonly round: number; readonly seats: number }
  | {
      readonly action: "jury.verdict";
      readonly round: number;
      readonly verdict: Verdict | "undecided";
      readonly sanction: JurySanction | null;
      readonly votes: number;
      /** Whether the case is still undecided; the entry is then published together with the decision. */
      readonly undecided: boolean;
    }
  | { readonly action: "report.decided"; readonly outcome: Outcome; readonly by: "jury" | StaffActor }
  | { readonly action: "appeal.filed"; readonly side: Side; readonly round: number; readonly seated: boolean }
  | {
      readonly action: "appeal.decided";
      readonly result: AppealResult;
      readonly round: number | null;
      readonly by: "jury" | StaffActor;
    };

export interface StaffActor {
  readonly staffId: number;
  readonly reason?: string;
}

export interface Transition {
  readonly state: Case;
  readonly effects: readonly Effect[];
}
