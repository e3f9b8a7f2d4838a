/** What a settled item means outside of games. Moderation files it; router.ts passes its function in. */
import type { Compiled } from "../../platform/db/batch.ts";
import type { NotifyContext } from "../../social/notifications/notify.ts";
import type { VoteGame } from "./record.ts";

/** What voters or staff found a member to have done. */
export interface Finding {
  readonly rule: "explicit" | "bot";
  readonly subjectId: number;
  /** The picture that breaks the rules. Absent: the finding is about the profile. */
  readonly picture?: { readonly id: number; readonly version: number };
  readonly text: string;
}

/** An answer that an admin gave in the voters' place. */
export interface StaffAnswer {
  readonly adminId: number;
  readonly subjectId: number | null;
  readonly itemId: number;
  readonly game: VoteGame;
  readonly answer: string;
}

export interface SettledAnswer {
  /** The queries that settle the item; a guard among them that fails is thrown. */
  readonly queries: readonly Compiled[];
  readonly finding: Finding | undefined;
  readonly staffAnswer: StaffAnswer | undefined;
}

/** Runs the queries together with the case that a finding opens and the audit entry of staff's answer, all or nothing. */
export type CommitAnswer = (ctx: NotifyContext, settled: SettledAnswer) => Promise<void>;
