/** Scheduled test reminders. Their text does not mention health, because bystanders may read it on a phone's screen. */
import { BRANDS } from "@lambda/brands";
import { sql } from "kysely";
import { inEachLocale } from "../../platform/copy.ts";
import { batch } from "../../platform/db/batch.ts";
import { openDatabase } from "../../platform/db/database.ts";
import type { Env } from "../../platform/env.ts";
import { announce } from "../notifications/announce.ts";
import { insertNotificationQuery } from "../notifications/notify.ts";
import { healthCopy } from "./copy.ts";
import { listDueReminders, updateReminderQuery } from "./queries.ts";
import { nextReminder } from "./rules.ts";

/** Limited because each reminder takes a round trip of its own. */
const REMINDERS_PER_RUN_MAX = 50;

/** Notifies members whose reminder is due, and sets the next one in the same transaction. Returns whether there may be more. */
export async function sendTestReminders(env: Env, now: number, atOnce: number): Promise<boolean> {
  const limit = Math.min(atOnce, REMINDERS_PER_RUN_MAX);
  const db = openDatabase(env.DB);
  const reminders = await listDueReminders(db, now, limit);
  for (const due of reminders) {
    const brand = BRANDS.find((candidate) => candidate.id === due.home_brand);
    if (!brand) continue;
    const [inserted] = await batch<[{ id: number }[], unknown[]]>(env.DB, [
      insertNotificationQuery(
        { db, brand, now },
        {
          profileId: due.profile_id,
          kind: "reminder",
          bodyText: inEachLocale(healthCopy, (text) => text.reminder),
          url: "/profileEdit#health",
          // Of concurrent runs only the first finds it due, because it sets the next one in the same transaction.
          onlyIf: sql<boolean>`exists (select 1 from health_panel h
            where h.profile_id = ${due.profile_id} and h.ts_reminder <= ${now})`,
        },
      ),
      updateReminderQuery(db, due.profile_id, nextReminder(due.last_test, due.reminder_months, now)),
    ]);
    if (inserted.length === 0) continue;
    const sending: Promise<unknown>[] = [];
    announce({ env, brand, now, waitUntil: (work) => sending.push(work) }, due.profile_id, "reminder");
    await Promise.all(sending);
  }
  return reminders.length === limit;
}
