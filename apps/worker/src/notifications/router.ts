import { Locale } from "@lambda/contract/accounts";
import { LIST_PAGE_SIZE } from "@lambda/contract/limits";
import { Notification, NotificationPreferences } from "@lambda/contract/notifications";
import { Id } from "@lambda/contract/primitives";
import { z } from "zod";
import { pageOf } from "../platform/db/page.ts";
import { AppError } from "../platform/errors.ts";
import { localeOf } from "../platform/http/locale.ts";
import { router, sessionCommand, sessionProcedure } from "../platform/trpc.ts";
import { getPreferences, updatePreferences, withoutProtected } from "./preferences.ts";
import { deleteNotification, listNotifications, toNotification } from "./queries.ts";

/** Open to suspended members too, who learn the outcome of an appeal here. */
export const notificationsRouter = router({
  list: sessionProcedure("GET /notifications/{id}", "The viewer's notifications", { list: true })
    .input(z.object({ id: Id, beforeId: Id.optional(), locale: Locale.optional() }))
    .output(z.object({ items: z.array(Notification), nextCursor: z.number().nullable() }))
    .query(async ({ ctx, input }) => {
      if (input.id !== ctx.viewer.profileId) throw new AppError("NOT_ALLOWED");
      const rows = await listNotifications(ctx.db, ctx, input.beforeId, LIST_PAGE_SIZE + 1);
      const locale = input.locale ?? localeOf(ctx.request);
      const toItem = (row: (typeof rows)[number]) => toNotification(row, locale);
      return { nextCursor: null, ...pageOf(rows, LIST_PAGE_SIZE, toItem, ({ id }) => id) };
    }),

  delete: sessionCommand("DELETE /notification/{id}", "Delete a notification")
    .input(z.object({ id: Id }))
    .mutation(({ ctx, input }) => deleteNotification(ctx.db, ctx, input.id)),

  preferences: sessionProcedure("GET /notification-preferences", "Kinds that are turned off")
    .output(NotificationPreferences)
    .query(async ({ ctx }) => ({ off: (await getPreferences(ctx.db, ctx.viewer.profileId)).notificationsOff })),

  updatePreferences: sessionProcedure("PUT /notification-preferences", "Turn kinds off and on")
    .input(NotificationPreferences)
    .output(NotificationPreferences)
    .mutation(async ({ ctx, input }) => {
      const off = withoutProtected([...new Set(input.off)]);
      await updatePreferences(ctx.db, ctx.viewer.profileId, { notificationsOff: off });
      return { off };
    }),
});
