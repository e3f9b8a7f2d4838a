import { z } from "zod";
import { Id, Time } from "./primitives.ts";

/**
 * Why something is reported; also the rule that an action names. severity orders the queue, 1 to 5. staffOnly: never shown
 * to a jury of members.
 */
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

export const ACTION_KINDS = ["warn", "hide_picture", "suspend", "ban"] as const;
export const ActionKind = z.enum(ACTION_KINDS);
export type ActionKind = z.infer<typeof ActionKind>;

export const OUTCOMES = ["none", "warn", "hide_picture", "suspend", "ban"] as const;
export const Outcome = z.enum(OUTCOMES);

export const AppealSide = z.enum(["subject", "reporter"]);
export const AppealResult = z.enum(["upheld", "reversed"]);

/** Whether, and how, a decision can still be appealed by this side. */
export const AppealState = z.object({
  allowed: z.boolean(),
  result: AppealResult.nullable(),
  /** An appeal that is not decided yet. */
  pending: z.boolean(),
});

/** An action as its subject reads it. */
export const OwnAction = z.object({
  id: Id,
  caseRef: z.string(),
  reportId: Id.nullable(),
  kind: ActionKind,
  rule: Rule,
  reason: z.string(),
  byJury: z.boolean(),
  /** Own words and pictures that it was about. A personal message has no text here: only the one who got it can have reported it. */
  evidence: z.array(z.object({ kind: z.enum(["profile", "message", "picture", "voice"]), text: z.string() })),
  tsCreated: Time,
  tsUntil: Time.nullable(),
  tsLifted: Time.nullable(),
  liftedBy: z.enum(["time", "appeal", "staff"]).nullable(),
  /** How the case began: reported by somebody, by the votes of a game, by a comparison that the site makes, or by staff. */
  detection: z.enum(["notice", "game", "automatic", "own"]),
  appeal: AppealState,
  /** Until when it can be appealed; null where it cannot be any more. */
  tsAppealUntil: Time.nullable(),
});
export type OwnAction = z.infer<typeof OwnAction>;

/** The Bad Boy Dungeon: the member's status and actions, and the community's totals without any name. */
export const OwnRecord = z.object({
  status: z.enum(["active", "suspended", "banned"]),
  until: Time.nullable(),
  actions: z.array(OwnAction),
  totals: z.array(z.object({ kind: ActionKind, active: z.number().int(), lifted: z.number().int() })),
});
export type OwnRecord = z.infer<typeof OwnRecord>;
