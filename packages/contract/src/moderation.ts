import { z } from "zod";
import { Id, Time } from "./primitives.ts";

/** The rules that reports and actions refer to. `severity` (1 to 5) orders the queue; `staffOnly` cases are never shown to a jury. */
export const RULES = {
  harassment: { severity: 3, staffOnly: false },
  hate: { severity: 3, staffOnly: false },
  spam: { severity: 1, staffOnly: false },
  scam: { severity: 3, staffOnly: false },
  impersonation: { severity: 2, staffOnly: false },
  bot: { severity: 1, staffOnly: false },
  explicit: { severity: 2, staffOnly: false },
  behaviour: { severity: 3, staffOnly: false },
  other: { severity: 1, staffOnly: false },
  minor: { severity: 5, staffOnly: true },
  threat: { severity: 5, staffOnly: true },
  intimate: { severity: 5, staffOnly: true },
} as const;
export type Rule = keyof typeof RULES;
export const RULE_IDS = Object.keys(RULES) as [Rule, ...Rule[]];
export const Rule = z.enum(RULE_IDS);

export const ActionKind = z.enum(["warn", "hide_picture", "suspend", "ban"]);
export type ActionKind = z.infer<typeof ActionKind>;

export const Outcome = z.enum(["none", "warn", "hide_picture", "suspend", "ban"]);

export const AppealSide = z.enum(["subject", "reporter"]);

/** Whether this side can appeal the decision, and the result if they did. */
export const AppealState = z.object({
  allowed: z.boolean(),
  result: z.enum(["upheld", "reversed"]).nullable(),
  /** An appeal is filed and not decided yet. */
  pending: z.boolean(),
});

/** An action as its subject sees it. */
export const OwnAction = z.object({
  id: Id,
  caseRef: z.string(),
  reportId: Id.nullable(),
  kind: ActionKind,
  rule: Rule,
  reason: z.string(),
  byJury: z.boolean(),
  /** The subject's own content that it was about. Personal messages have no text here, because it would identify the reporter. */
  evidence: z.array(z.object({ kind: z.enum(["profile", "message", "picture", "voice"]), text: z.string() })),
  tsCreated: Time,
  tsUntil: Time.nullable(),
  tsLifted: Time.nullable(),
  liftedBy: z.enum(["time", "appeal", "staff"]).nullable(),
  /** How the case was opened: by a report, by votes in a game, by an automatic comparison, or by staff. */
  detection: z.enum(["notice", "game", "automatic", "own"]),
  appeal: AppealState,
  /** Deadline for an appeal; null if it can no longer be appealed. */
  tsAppealUntil: Time.nullable(),
});
export type OwnAction = z.infer<typeof OwnAction>;

/** The Bad Boy Dungeon: the member's own status and actions, and anonymous community totals. */
export const OwnRecord = z.object({
  status: z.enum(["active", "suspended", "banned"]),
  until: Time.nullable(),
  actions: z.array(OwnAction),
  totals: z.array(z.object({ kind: ActionKind, active: z.number().int(), lifted: z.number().int() })),
});
export type OwnRecord = z.infer<typeof OwnRecord>;
