/** Consequences of a settled item outside the games. Moderation implements them; router.ts passes its function in. */

import type { Query } from "../platform/db/database.ts";
import type { MemberContext } from "../platform/trpc.ts";
import type { VoteGame } from "./record.ts";

/** A rule violation that voters or staff found. */
export interface Finding {
  readonly rule: "explicit" | "bot";
  readonly subjectId: number;
  /** The picture that violates the rule; absent if the finding is about the profile. */
  readonly picture?: { readonly id: number; readonly version: number };
  readonly text: string;
}

/** What is logged of an answer that the viewer, an admin, gave instead of the voters. */
interface StaffAnswer {
  readonly subjectId: number | null;
  readonly details: { readonly game: VoteGame };
  readonly privateDetails: { readonly itemId: number; readonly answer: string };
}

interface SettledAnswer {
  /** The queries that settle the item, including a guard. */
  readonly queries: readonly Query[];
  readonly finding: Finding | undefined;
  readonly staffAnswer: StaffAnswer | undefined;
}

/** Runs the queries in one batch with those that open a case for the finding and write the audit entry of a staff answer. */
export type CommitAnswer = (ctx: MemberContext, settled: SettledAnswer) => Promise<void>;
