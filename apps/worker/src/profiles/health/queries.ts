import type { HealthPanel } from "@lambda/contract/health";
import { sql } from "kysely";
import type { Database } from "../../platform/db/database.ts";
import { toIsoOrNull } from "../../platform/iso-time.ts";
import { type HealthRow, parseAudiences } from "./rules.ts";

const EMPTY = { hiv_status: null, prep: null, doxy_pep: null, vaccines: "[]", last_test: null } as const;

/** The member's own panel, or an empty one if they never filled it in. */
export async function getHealthPanel(db: Database, profileId: number): Promise<HealthRow> {
  const row = await db.selectFrom("health_panel").selectAll().where("profile_id", "=", profileId).executeTakeFirst();
  return row ?? { ...EMPTY, profile_id: profileId, audiences: "{}", reminder_months: 0, ts_reminder: null };
}

/** Writes only the given columns. Audiences are merged field by field in the database, so that two tabs do not undo each other's changes. */
export async function upsertHealthPanel(
  db: Database,
  profileId: number,
  changes: Partial<Omit<HealthRow, "profile_id">>,
): Promise<HealthRow> {
  const { audiences, ...columns } = changes;
  return db
    .insertInto("health_panel")
    .values({ profile_id: profileId, ...changes })
    .onConflict((conflict) =>
      conflict.column("profile_id").doUpdateSet({
        ...columns,
        audiences: sql<string>`json_patch(health_panel.audiences, ${audiences ?? "{}"})`,
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

export type DueReminder = Awaited<ReturnType<typeof listDueReminders>>[number];

export function listDueReminders(db: Database, now: number, limit: number) {
  return db
    .selectFrom("health_panel as h")
    .innerJoin("account as a", "a.id", "h.profile_id")
    .select(["h.profile_id", "h.last_test", "h.reminder_months", "a.home_brand"])
    .where("h.ts_reminder", "<=", now)
    .orderBy("h.ts_reminder")
    .limit(limit)
    .execute();
}

export function updateReminderQuery(db: Database, profileId: number, tsReminder: number | null) {
  return db.updateTable("health_panel").set({ ts_reminder: tsReminder }).where("profile_id", "=", profileId);
}

/** Everything, for the member's own panel. What others read goes through sharedHealth. */
export function toHealthPanel(row: HealthRow): HealthPanel {
  return {
    profileId: row.profile_id,
    hivStatus: row.hiv_status,
    prep: row.prep,
    doxyPep: row.doxy_pep,
    vaccines: JSON.parse(row.vaccines) as HealthPanel["vaccines"],
    lastTest: row.last_test,
    reminderMonths: row.reminder_months,
    audiences: parseAudiences(row.audiences),
    tsReminder: toIsoOrNull(row.ts_reminder),
  };
}
