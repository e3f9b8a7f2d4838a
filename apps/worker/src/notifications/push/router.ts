import { PUSH_SUBSCRIPTIONS_MAX } from "@lambda/contract/limits";
import { Id } from "@lambda/contract/primitives";
import { PushKey, PushSubscriptionDraft, PushSubscriptionEntry } from "@lambda/contract/push";
import { z } from "zod";
import { AppError } from "../../platform/errors.ts";
import { requireFresh } from "../../platform/fresh.ts";
import { memberCommand, memberList, memberProcedure, router } from "../../platform/trpc.ts";
import { requireReachable } from "./endpoints.ts";
import { newestPushKey } from "./push-keys.ts";
import {
  deleteSubscription,
  findTimeOfRemoval,
  listSubscriptions,
  toPushSubscriptionEntry,
  upsertSubscription,
} from "./queries.ts";

export const pushRouter = router({
  list: memberList("GET /push-subscriptions", "The member's devices that get pushes", PushSubscriptionEntry).query(
    async ({ ctx }) => ({
      items: (await listSubscriptions(ctx)).map((row) => toPushSubscriptionEntry(row, ctx.viewer.sessionId)),
    }),
  ),

  /** The key that a browser subscribes with, and whether the member wants this device to have a subscription no more. */
  key: memberProcedure("GET /push-key", "The server's public VAPID key, and when this device was removed")
    .output(PushKey)
    .query(async ({ ctx }) => ({
      applicationServerKey: newestPushKey(ctx.env),
      tsRemoved: await findTimeOfRemoval(ctx),
    })),

  subscribe: memberProcedure("POST /push-subscription", "Subscribe a device")
    .input(PushSubscriptionDraft)
    .output(PushSubscriptionEntry)
    .mutation(async ({ ctx, input }) => {
      await requireReachable(input);
      const row = await upsertSubscription(ctx, input);
      if (!row) {
        const full = (await listSubscriptions(ctx)).length >= PUSH_SUBSCRIPTIONS_MAX;
        throw new AppError("CONFLICT", full ? { message: "Too many devices. Remove one first." } : {});
      }
      return toPushSubscriptionEntry(row, ctx.viewer.sessionId);
    }),

  /** Whoever holds an unlocked phone must not keep alarms from the owner's other devices. */
  unsubscribe: memberCommand("DELETE /push-subscription/{id}", "Remove a device; another one needs a fresh proof")
    .input(z.object({ id: Id }))
    .mutation(async ({ ctx, input }) => {
      const device = (await listSubscriptions(ctx)).find(({ id }) => id === input.id);
      if (device && device.session_id !== ctx.viewer.sessionId) requireFresh(ctx.viewer, ctx.now);
      if (!(await deleteSubscription(ctx, input.id))) throw new AppError("NOT_FOUND");
    }),
});
