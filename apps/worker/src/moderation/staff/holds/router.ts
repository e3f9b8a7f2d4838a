import {
  HoldContent,
  HoldEntry,
  HoldReason,
  HoldRef,
  TipDraft,
  TipFields,
  TipFile,
  TipNumber,
} from "@lambda/contract/holds";
import { EmptyObject, Id } from "@lambda/contract/primitives";
import { z } from "zod";
import { adminProcedure, router } from "../../../platform/trpc.ts";
import { readHold } from "./content.ts";
import { extendHold, holdCase, listHolds, markTip } from "./holds.ts";
import { agreeToOpen, askToOpen, refuseToOpen } from "./opening.ts";
import { makeTipFile, readTipDraft } from "./tip.ts";

export const holdsRouter = router({
  list: adminProcedure
    .meta({
      rest: { method: "GET", path: "/admin/holds", summary: "Legal holds, the first to end leading", list: true },
    })
    .input(z.object({ reportId: Id.optional() }))
    .output(z.object({ items: z.array(HoldEntry) }))
    .query(async ({ ctx, input }) => ({ items: await listHolds(ctx, input.reportId) })),

  start: adminProcedure
    .meta({ rest: { method: "POST", path: "/admin/report/{id}/hold", status: 200, summary: "Hold a case's evidence" } })
    .input(z.object({ id: Id, reason: HoldReason }))
    .output(EmptyObject)
    .mutation(async ({ ctx, input }) => {
      await holdCase(ctx, input.id, input.reason);
      return {};
    }),

  extend: adminProcedure
    .meta({
      rest: { method: "POST", path: "/admin/hold/{holdRef}/extend", status: 200, summary: "Extend a hold by 90 days" },
    })
    .input(z.object({ holdRef: HoldRef, reason: HoldReason }))
    .output(EmptyObject)
    .mutation(async ({ ctx, input }) => {
      await extendHold(ctx, input.holdRef, input.reason);
      return {};
    }),

  ask: adminProcedure
    .meta({
      rest: { method: "POST", path: "/admin/hold/{holdRef}/request", status: 200, summary: "Ask to open a hold" },
    })
    .input(z.object({ holdRef: HoldRef, reason: HoldReason }))
    .output(EmptyObject)
    .mutation(async ({ ctx, input }) => {
      await askToOpen(ctx, input.holdRef, input.reason);
      return {};
    }),

  agree: adminProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/admin/hold-request/{requestRef}/agree",
        status: 200,
        summary: "Agree to open a hold that another admin asked for",
      },
    })
    .input(z.object({ requestRef: HoldRef }))
    .output(EmptyObject)
    .mutation(async ({ ctx, input }) => {
      await agreeToOpen(ctx, input.requestRef);
      return {};
    }),

  refuse: adminProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/admin/hold-request/{requestRef}/refuse",
        status: 200,
        summary: "Refuse to open a hold, or close it again",
      },
    })
    .input(z.object({ requestRef: HoldRef }))
    .output(EmptyObject)
    .mutation(async ({ ctx, input }) => {
      await refuseToOpen(ctx, input.requestRef);
      return {};
    }),

  /** A mutation because each view is logged in the audit log. */
  read: adminProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/admin/hold/{holdRef}/content",
        status: 200,
        summary: "The content of an open hold",
      },
    })
    .input(z.object({ holdRef: HoldRef }))
    .output(HoldContent)
    .mutation(({ ctx, input }) => readHold(ctx, input.holdRef)),

  tipDraft: adminProcedure
    .meta({
      rest: { method: "GET", path: "/admin/report/{id}/tip", summary: "What the site knows for a CyberTipline report" },
    })
    .input(z.object({ id: Id }))
    .output(TipDraft)
    .query(({ ctx, input }) => readTipDraft(ctx, input.id)),

  tipFile: adminProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/admin/report/{id}/tip-file",
        status: 200,
        summary: "The CyberTipline report as files",
      },
    })
    .input(TipFields.extend({ id: Id }))
    .output(TipFile)
    .mutation(({ ctx, input: { id, ...fields } }) => makeTipFile(ctx, id, fields)),

  tipSent: adminProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/admin/report/{id}/tip",
        status: 200,
        summary: "Record the CyberTipline report's number",
      },
    })
    .input(z.object({ id: Id, tipNumber: TipNumber }))
    .output(EmptyObject)
    .mutation(async ({ ctx, input }) => {
      await markTip(ctx, input.id, input.tipNumber);
      return {};
    }),
});
