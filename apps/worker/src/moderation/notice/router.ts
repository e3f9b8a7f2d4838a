import {
  CounterDraft,
  NoticeAnswer,
  NoticeChallenge,
  NoticeDraft,
  NoticeReceipt,
  NoticeReceived,
  OwnNotice,
  ReceiptAsked,
} from "@lambda/contract/notices";
import { z } from "zod";
import { openProcedure, router, sessionProcedure } from "../../platform/trpc.ts";
import { fileNotice } from "./file.ts";
import { fileCounter, listOwnNotices } from "./own.ts";
import { createChallenge } from "./proof-of-work.ts";
import { answerQuestion, openReceipt } from "./receipt.ts";

export const noticesRouter = router({
  challenge: openProcedure
    .meta({ rest: { method: "POST", path: "/notice-challenge", status: 200, summary: "Work to do before a notice" } })
    .output(NoticeChallenge)
    .mutation(({ ctx }) => createChallenge(ctx)),

  /** Anybody's notice: an intimate picture, or illegal content. */
  file: openProcedure
    .meta({
      rest: { method: "POST", path: "/notices", summary: "Ask for the removal of a picture or of illegal content" },
    })
    .input(NoticeDraft)
    .output(NoticeReceived)
    .mutation(({ ctx, input }) => fileNotice(ctx, input)),

  receipt: openProcedure
    .meta({ rest: { method: "POST", path: "/notice/{ref}/receipt", status: 200, summary: "What became of a notice" } })
    .input(ReceiptAsked)
    .output(NoticeReceipt)
    .mutation(({ ctx, input }) => openReceipt(ctx, input)),

  answer: openProcedure
    .meta({ rest: { method: "POST", path: "/notice/{ref}/answer", status: 200, summary: "Answer what staff asked" } })
    .input(NoticeAnswer)
    .output(NoticeReceipt)
    .mutation(({ ctx, input }) => answerQuestion(ctx, input)),

  mine: sessionProcedure
    .meta({ rest: { method: "GET", path: "/notices/mine", summary: "Notices about own pictures", list: true } })
    .output(z.object({ items: z.array(OwnNotice) }))
    .query(async ({ ctx }) => ({ items: await listOwnNotices(ctx) })),

  /** The owner's one answer; a suspended member may give it too. */
  counter: sessionProcedure
    .meta({ rest: { method: "POST", path: "/notices/mine/{id}/counter", summary: "Object to a notice, once" } })
    .input(CounterDraft)
    .output(OwnNotice)
    .mutation(({ ctx, input }) => fileCounter(ctx, input.id, input.text)),
});
