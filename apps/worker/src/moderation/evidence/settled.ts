import { APPEAL_WINDOW_MS } from "@lambda/contract/limits";
import { type RawBuilder, sql } from "kysely";

/** Whether a case, as a `report r` row, is decided and can no longer be appealed, so that its evidence may be deleted. */
export function isSettled(now: number): RawBuilder<boolean> {
  return sql<boolean>`(r.state = 'decided' and r.ts_decided < ${now - APPEAL_WINDOW_MS} and not ${isUnderAppeal("r.id")})`;
}

/** Whether the case of this column has an appeal that nobody decided. */
export const isUnderAppeal = (reportId: string) =>
  sql<number>`exists (select 1 from appeal open where open.report_id = ${sql.ref(reportId)} and open.result is null)`;
