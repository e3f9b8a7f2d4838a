import type { Detection } from "@lambda/contract/statement";
import { type RawBuilder, sql } from "kysely";

/** Who filed a case, from the log: it says so also when the reporter left. Null where staff opened it. */
export function filedBy(caseRef: RawBuilder<string>): RawBuilder<string | null> {
  return sql<
    string | null
  >`(select e.body ->> '$.by' from audit_entry e where e.case_ref = ${caseRef} and e.action = 'report.filed')`;
}

export function detectionOf(by: string | null): Detection {
  if (by === "member" || by === "visitor") return "notice";
  if (by === "game") return "game";
  return by === "clock" ? "automatic" : "own";
}
