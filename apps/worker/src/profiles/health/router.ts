import { HealthPanel, HealthPanelUpdate } from "@lambda/contract/health";
import { inputProblem } from "../../platform/errors.ts";
import { memberProcedure, router } from "../../platform/trpc.ts";
import { getHealthPanel, toHealthPanel, upsertHealthPanel } from "./queries.ts";
import { isFutureDay, nextReminder } from "./rules.ts";

/** The member's own panel. Others read what it shares with the profile's relation. */
export const healthRouter = router({
  mine: memberProcedure("GET /health-panel", "The viewer's own health panel")
    .output(HealthPanel)
    .query(async ({ ctx }) => toHealthPanel(await getHealthPanel(ctx.db, ctx.viewer.profileId))),

  update: memberProcedure("PUT /health-panel", "Edit it; absent fields keep their values")
    .input(HealthPanelUpdate)
    .output(HealthPanel)
    .mutation(async ({ ctx, input }) => {
      const { db, viewer, now } = ctx;
      if (input.lastTest && isFutureDay(input.lastTest, now)) {
        throw inputProblem("lastTest", "FUTURE");
      }
      const updatesReminder = input.lastTest !== undefined || input.reminderMonths !== undefined;
      const known = updatesReminder ? await getHealthPanel(db, viewer.profileId) : undefined;
      const lastTest = input.lastTest === undefined ? (known?.last_test ?? null) : input.lastTest;
      const months = input.reminderMonths ?? known?.reminder_months ?? 0;
      const row = await upsertHealthPanel(db, viewer.profileId, {
        ...(input.hivStatus !== undefined && { hiv_status: input.hivStatus }),
        ...(input.prep !== undefined && { prep: input.prep }),
        ...(input.doxyPep !== undefined && { doxy_pep: input.doxyPep }),
        ...(input.vaccines !== undefined && { vaccines: JSON.stringify(input.vaccines) }),
        ...(input.lastTest !== undefined && { last_test: input.lastTest }),
        ...(input.reminderMonths !== undefined && { reminder_months: input.reminderMonths }),
        ...(updatesReminder && { ts_reminder: nextReminder(lastTest, months, now) }),
        ...(input.audiences !== undefined && { audiences: JSON.stringify(input.audiences) }),
      });
      return toHealthPanel(row);
    }),
});
