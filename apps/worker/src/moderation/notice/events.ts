import { type AuditEvent, publicTime } from "../audit/chain.ts";

interface LoggedNotice {
  readonly brand: string;
  readonly case_ref: string;
  readonly category: string;
}

const baseOf = ({ brand, case_ref: caseRef }: LoggedNotice) => ({ brand, caseRef });

/** Withheld from the public chain until the notice is decided, like the entries of a case. */
export function receivedEvent(notice: LoggedNotice): AuditEvent {
  const details = { rule: notice.category };
  return { ...baseOf(notice), action: "notice.received", by: "visitor", undecided: true, details };
}

export function withheldEvent(notice: LoggedNotice, pictureIds: readonly number[]): AuditEvent {
  return {
    ...baseOf(notice),
    action: "notice.hidden_at_once",
    by: "clock",
    undecided: true,
    details: {},
    privateDetails: { pictures: pictureIds.join(" ") },
  };
}

interface Decided {
  readonly staffId: number;
  readonly subjectId?: number | null;
  readonly reason: string;
}

export function askedEvent(notice: LoggedNotice, { staffId, reason }: Decided): AuditEvent {
  const event = { ...baseOf(notice), action: "notice.asked", by: "staff", undecided: true, details: {} } as const;
  return { ...event, actorId: staffId, privateDetails: { reason } };
}

export function namedEvent(notice: LoggedNotice, staffId: number, subjectId: number, pictureId: number): AuditEvent {
  const event = {
    ...baseOf(notice),
    action: "notice.picture_named",
    by: "staff",
    undecided: true,
    details: {},
  } as const;
  return { ...event, actorId: staffId, subjectId, privateDetails: { pictureId } };
}

export function decidedEvent(
  notice: LoggedNotice & { ts_created: number },
  outcome: "removed" | "rejected",
  { staffId, subjectId = null, reason }: Decided,
  now: number,
): AuditEvent {
  const waitedMs = publicTime(now) - publicTime(notice.ts_created);
  return {
    ...baseOf(notice),
    action: "notice.decided",
    by: "staff",
    details: { rule: notice.category, outcome, waitedMs },
    subjectId,
    actorId: staffId,
    privateDetails: { reason },
  };
}

/** Logged under the case's reference, so that it is published once the case is decided. */
export function forwardedEvent(notice: LoggedNotice, caseRef: string, rule: string, decided: Decided): AuditEvent {
  return {
    brand: notice.brand,
    caseRef,
    action: "notice.forwarded",
    by: "staff",
    undecided: true,
    details: { rule },
    subjectId: decided.subjectId ?? null,
    actorId: decided.staffId,
    privateDetails: { reason: decided.reason },
  };
}

export function counteredEvent(notice: LoggedNotice, subjectId: number, undecided: boolean): AuditEvent {
  return { ...baseOf(notice), action: "notice.countered", by: "member", undecided, details: {}, subjectId };
}

export function counterDecidedEvent(notice: LoggedNotice, result: "upheld" | "refused", decided: Decided): AuditEvent {
  return {
    ...baseOf(notice),
    action: "notice.counter_decided",
    by: "staff",
    details: { result },
    subjectId: decided.subjectId ?? null,
    actorId: decided.staffId,
    privateDetails: { reason: decided.reason },
  };
}
