import { APPEAL_WINDOW_MS } from "@lambda/contract/limits";
import { type RawBuilder, sql } from "kysely";

/** Whether a case, as a `report` row, is decided and can no longer be appealed, so that its evidence may be deleted. */
export function isSettled(now: number, report = "r"): RawBuilder<boolean> {
  const at = (column: string) => sql.ref(`${report}.${column}`);
  return sql<boolean>`(${at("state")} = 'decided' and ${at("ts_decided")} < ${now - APPEAL_WINDOW_MS}
    and not ${isUnderAppeal(`${report}.id`)})`;
}

/** Whether the case of this column has an appeal that nobody decided. */
export const isUnderAppeal = (reportId: string) =>
  sql<number>`exists (select 1 from appeal open where open.report_id = ${sql.ref(reportId)} and open.result is null)`;
