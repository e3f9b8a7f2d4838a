import { type AuditEvent, publicTime } from "../audit/chain.ts";
import type { LogEntry } from "../case/case.ts";
import type { CaseHeader } from "./find-case.ts";

type LoggedCase = Pick<CaseHeader, "brand" | "caseRef" | "subjectId" | "rule" | "tsCreated">;
type By = Pick<AuditEvent, "by" | "actorId" | "privateDetails">;

export function toAuditEvent(
  { brand, caseRef, subjectId, rule, tsCreated }: LoggedCase,
  entry: LogEntry,
  now: number,
): AuditEvent {
  const event = { brand, action: entry.action, caseRef, subjectId };
  switch (entry.action) {
    case "jury.seated": {
      const { round, seats } = entry;
      return { ...event, subjectId: null, by: "clock", undecided: true, details: { round, seats } };
    }
    case "jury.verdict": {
      const { round, verdict, sanction, votes, undecided } = entry;
      return { ...event, by: "jury", undecided, details: { round, verdict, sanction, votes } };
    }
    case "report.decided": {
      const waitedMs = publicTime(now) - publicTime(tsCreated);
      return { ...event, ...byOf(entry.by), details: { rule, outcome: entry.outcome, waitedMs } };
    }
    case "appeal.filed": {
      const { side, round, seated } = entry;
      return { ...event, by: "member", details: { side, round, jury: seated ? "yes" : "staff" } };
    }
    case "appeal.decided": {
      const { result, round } = entry;
      return { ...event, ...byOf(entry.by), details: { result, ...(round !== null && { round }) } };
    }
    case "report.filed":
    case "report.joined":
      return { ...event, by: entry.by, undecided: true, details: { rule: entry.rule } };
  }
}

function byOf(by: Extract<LogEntry, { action: "report.decided" }>["by"]): By {
  if (by === "jury") return { by };
  const { staffId, reason } = by;
  return { by: "staff", actorId: staffId, ...(reason !== undefined && { privateDetails: { reason } }) };
}
