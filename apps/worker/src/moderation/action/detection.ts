import type { Detection } from "@lambda/contract/statement";
import { type RawBuilder, sql } from "kysely";

/** Selects who filed a case from the audit log, which outlives the reporter's account. Null if staff opened it. */
export function selectFiler(caseRef: RawBuilder<string>): RawBuilder<string | null> {
  return sql<
    string | null
  >`(select e.body ->> '$.by' from audit_entry e where e.case_ref = ${caseRef} and e.action = 'report.filed')`;
}

export function toDetection(filer: string | null): Detection {
  if (filer === "member" || filer === "visitor") return "notice";
  if (filer === "game") return "game";
  return filer === "clock" ? "automatic" : "own";
}
