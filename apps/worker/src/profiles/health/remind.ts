/** Scheduled test reminders. Their text does not mention health, because bystanders may read it on a phone's screen. */
import { DAY_MS } from "@lambda/contract/limits";
import { sql } from "kysely";
import { announce, insertNotificationQuery, scheduledContext } from "../../notifications/notify.ts";
import { inEachLocale } from "../../platform/copy.ts";
import { batch, openDatabase } from "../../platform/db/database.ts";
import type { Env } from "../../platform/env.ts";
import { forEachDue } from "../../platform/for-each.ts";
import { healthCopy } from "./copy.ts";
import { type DueReminder, listDueReminders, updateReminderQuery } from "./queries.ts";
import { nextReminder } from "./rules.ts";

/** Limited because each reminder takes a round trip of its own. */
const REMINDERS_PER_RUN_MAX = 50;

/** Scheduled: notifies members whose reminder is due, and sets the next one in the same transaction. Returns whether there may be more. */
export async function sendTestReminders(env: Env, now: number, limit: number): Promise<boolean> {
  const max = Math.min(limit, REMINDERS_PER_RUN_MAX);
  const db = openDatabase(env.DB);
  const reminders = await listDueReminders(db, now, max);
  await forEachDue(reminders, async (due) => {
    try {
      await sendTestReminder(env, due, now);
    } catch (error) {
      // Behind the others: one that always fails would end each night's first chunk.
      await batch(env.DB, [updateReminderQuery(db, due.profile_id, now + DAY_MS)]);
      throw error;
    }
  });
  return reminders.length === max;
}

async function sendTestReminder(env: Env, due: DueReminder, now: number): Promise<void> {
  const sending: Promise<unknown>[] = [];
  const ctx = {
    ...scheduledContext(env, due.home_brand, now),
    waitUntil: (work: Promise<unknown>) => sending.push(work),
  };
  const { db, d1 } = ctx;
  const [inserted] = await batch(d1, [
    insertNotificationQuery(ctx, {
      profileId: due.profile_id,
      kind: "reminder",
      bodyText: inEachLocale(healthCopy, (text) => text.reminder),
      url: "/profileEdit#health",
      // Of concurrent runs only the first finds it due, because it sets the next one in the same transaction.
      onlyIf: sql<boolean>`exists (select 1 from health_panel h
        where h.profile_id = ${due.profile_id} and h.ts_reminder <= ${now})`,
    }),
    updateReminderQuery(db, due.profile_id, nextReminder(due.last_test, due.reminder_months, now)),
  ]);
  if (inserted.length === 0) return;
  announce(ctx, due.profile_id, "reminder");
  await Promise.all(sending);
}
