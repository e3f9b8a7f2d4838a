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
  list: adminProcedure("GET /admin/holds", "Legal holds, the first to end leading", { list: true })
    .input(z.object({ reportId: Id.optional() }))
    .output(z.object({ items: z.array(HoldEntry) }))
    .query(async ({ ctx, input }) => ({ items: await listHolds(ctx, input.reportId) })),

  start: adminProcedure("POST /admin/report/{id}/hold", "Hold a case's evidence", { status: 200 })
    .input(z.object({ id: Id, reason: HoldReason }))
    .output(EmptyObject)
    .mutation(({ ctx, input }) => holdCase(ctx, input.id, input.reason)),

  extend: adminProcedure("POST /admin/hold/{holdRef}/extend", "Extend a hold by 90 days", { status: 200 })
    .input(z.object({ holdRef: HoldRef, reason: HoldReason }))
    .output(EmptyObject)
    .mutation(({ ctx, input }) => extendHold(ctx, input.holdRef, input.reason)),

  ask: adminProcedure("POST /admin/hold/{holdRef}/request", "Ask to open a hold", { status: 200 })
    .input(z.object({ holdRef: HoldRef, reason: HoldReason }))
    .output(EmptyObject)
    .mutation(({ ctx, input }) => askToOpen(ctx, input.holdRef, input.reason)),

  agree: adminProcedure(
    "POST /admin/hold-request/{requestRef}/agree",
    "Agree to open a hold that another admin asked for",
    {
      status: 200,
    },
  )
    .input(z.object({ requestRef: HoldRef }))
    .output(EmptyObject)
    .mutation(({ ctx, input }) => agreeToOpen(ctx, input.requestRef)),

  refuse: adminProcedure("POST /admin/hold-request/{requestRef}/refuse", "Refuse to open a hold, or close it again", {
    status: 200,
  })
    .input(z.object({ requestRef: HoldRef }))
    .output(EmptyObject)
    .mutation(({ ctx, input }) => refuseToOpen(ctx, input.requestRef)),

  /** A mutation because each view is logged in the audit log. */
  read: adminProcedure("POST /admin/hold/{holdRef}/content", "The content of an open hold", { status: 200 })
    .input(z.object({ holdRef: HoldRef }))
    .output(HoldContent)
    .mutation(({ ctx, input }) => readHold(ctx, input.holdRef)),

  tipDraft: adminProcedure("GET /admin/report/{id}/tip", "What the site knows for a CyberTipline report")
    .input(z.object({ id: Id }))
    .output(TipDraft)
    .query(({ ctx, input }) => readTipDraft(ctx, input.id)),

  tipFile: adminProcedure("POST /admin/report/{id}/tip-file", "The CyberTipline report as files", { status: 200 })
    .input(TipFields.extend({ id: Id }))
    .output(TipFile)
    .mutation(({ ctx, input: { id, ...fields } }) => makeTipFile(ctx, id, fields)),

  tipSent: adminProcedure("POST /admin/report/{id}/tip", "Record the CyberTipline report's number", { status: 200 })
    .input(z.object({ id: Id, tipNumber: TipNumber }))
    .output(EmptyObject)
    .mutation(({ ctx, input }) => markTip(ctx, input.id, input.tipNumber)),
});
