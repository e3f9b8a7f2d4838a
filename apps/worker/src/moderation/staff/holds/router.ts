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
import { Id } from "@lambda/contract/primitives";
import { z } from "zod";
import { adminCommand, adminList, adminProcedure, router } from "../../../platform/trpc.ts";
import { extendHold, holdCase, listHolds, markTip } from "./holds.ts";
import { agreeToOpen, askToOpen, readHold, refuseToOpen } from "./opening.ts";
import { makeTipFile, readTipDraft } from "./tip.ts";

export const holdsRouter = router({
  list: adminList("GET /admin/holds", "Legal holds, the first to end leading", HoldEntry)
    .input(z.object({ reportId: Id.optional() }))
    .query(async ({ ctx, input }) => ({ items: await listHolds(ctx, input.reportId) })),

  start: adminCommand("POST /admin/report/{id}/hold", "Hold a case's evidence")
    .input(z.object({ id: Id, reason: HoldReason }))
    .mutation(({ ctx, input }) => holdCase(ctx, input.id, input.reason)),

  extend: adminCommand("POST /admin/hold/{holdRef}/extend", "Extend a hold by 90 days")
    .input(z.object({ holdRef: HoldRef, reason: HoldReason }))
    .mutation(({ ctx, input }) => extendHold(ctx, input.holdRef, input.reason)),

  ask: adminCommand("POST /admin/hold/{holdRef}/request", "Ask to open a hold")
    .input(z.object({ holdRef: HoldRef, reason: HoldReason }))
    .mutation(({ ctx, input }) => askToOpen(ctx, input.holdRef, input.reason)),

  agree: adminCommand(
    "POST /admin/hold-request/{requestRef}/agree",
    "Agree to open a hold that another admin asked for",
  )
    .input(z.object({ requestRef: HoldRef }))
    .mutation(({ ctx, input }) => agreeToOpen(ctx, input.requestRef)),

  refuse: adminCommand("POST /admin/hold-request/{requestRef}/refuse", "Refuse to open a hold, or close it again")
    .input(z.object({ requestRef: HoldRef }))
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

  tipSent: adminCommand("POST /admin/report/{id}/tip", "Record the CyberTipline report's number")
    .input(z.object({ id: Id, tipNumber: TipNumber }))
    .mutation(({ ctx, input }) => markTip(ctx, input.id, input.tipNumber)),
});
