import type { NoticeRow } from "../../platform/db/tables.ts";
import type { AuditEvent } from "../audit/chain.ts";

type NoticeAction =
  | "received"
  | "hidden_at_once"
  | "asked"
  | "picture_named"
  | "decided"
  | "forwarded"
  | "countered"
  | "counter_decided";

/** By default staff did it, and it is withheld from the public chain until the notice is decided, like the entries of a case. */
export function noticeEvent(
  { brand, case_ref: caseRef }: Pick<NoticeRow, "brand" | "case_ref">,
  action: NoticeAction,
  more: Partial<AuditEvent>,
): AuditEvent {
  return { brand, caseRef, action: `notice.${action}`, by: "staff", undecided: true, details: {}, ...more };
}
