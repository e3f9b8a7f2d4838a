import { HealthPanel, HealthPanelUpdate } from "@lambda/contract/health";
import { batch } from "../../platform/db/database.ts";
import { inputProblem } from "../../platform/errors.ts";
import { memberProcedure, router } from "../../platform/trpc.ts";
import { discloseLoosenedQuery } from "../../visibility/statements/disclosures.ts";
import { getHealthPanel, toHealthPanel, upsertHealthPanel } from "./queries.ts";
import { isFutureDay, nextReminder, parseAudiences, widenedAudiences } from "./rules.ts";

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
      const known = updatesReminder || input.audiences ? await getHealthPanel(db, viewer.profileId) : undefined;
      const widened = known && widenedAudiences(parseAudiences(known.audiences), input.audiences ?? {});
      if (widened) await batch(ctx.d1, [discloseLoosenedQuery(ctx, "health", widened)]);
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
