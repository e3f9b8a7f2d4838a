import {
  CounterDraft,
  NoticeChallenge,
  NoticeChallengeRequest,
  NoticeDisowning,
  NoticeDraft,
  NoticeReceipt,
  NoticeReceiptRequest,
  NoticeReply,
  NoticeResponse,
  OwnNotice,
} from "@lambda/contract/notices";
import { EmptyObject } from "@lambda/contract/primitives";
import { z } from "zod";
import { openProcedure, router, sessionProcedure } from "../../platform/trpc.ts";
import { fileNotice } from "./file-notice.ts";
import { fileCounterNotice, listOwnNotices } from "./own-notices.ts";
import { createNoticeChallenge } from "./proof-of-work.ts";
import { answerQuestion, disownNotice, openReceipt } from "./receipt.ts";

export const noticesRouter = router({
  challenge: openProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/notice-challenge",
        status: 200,
        summary: "Get the proof-of-work challenge for a notice",
      },
    })
    .input(NoticeChallengeRequest)
    .output(NoticeChallenge)
    .mutation(({ ctx, input }) => createNoticeChallenge(ctx, input.harder)),

  /** Open to anybody, with or without an account. */
  file: openProcedure
    .meta({
      rest: { method: "POST", path: "/notices", summary: "Ask for the removal of a picture or of illegal content" },
    })
    .input(NoticeDraft)
    .output(NoticeResponse)
    .mutation(({ ctx, input }) => fileNotice(ctx, input)),

  receipt: openProcedure
    .meta({ rest: { method: "POST", path: "/notice/{ref}/receipt", status: 200, summary: "The state of a notice" } })
    .input(NoticeReceiptRequest)
    .output(NoticeReceipt)
    .mutation(({ ctx, input }) => openReceipt(ctx, input)),

  disown: openProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/notice/{ref}/disown",
        status: 200,
        summary: "Say that somebody else filed a notice in your name",
      },
    })
    .input(NoticeDisowning)
    .output(EmptyObject)
    .mutation(async ({ ctx, input }) => {
      await disownNotice(ctx, input);
      return {};
    }),

  answer: openProcedure
    .meta({
      rest: { method: "POST", path: "/notice/{ref}/answer", status: 200, summary: "Answer a question from staff" },
    })
    .input(NoticeReply)
    .output(NoticeReceipt)
    .mutation(({ ctx, input }) => answerQuestion(ctx, input)),

  mine: sessionProcedure
    .meta({
      rest: { method: "GET", path: "/notices/mine", summary: "Notices about the member's own pictures", list: true },
    })
    .output(z.object({ items: z.array(OwnNotice) }))
    .query(async ({ ctx }) => ({ items: await listOwnNotices(ctx) })),

  /** Suspended members can object too. */
  counter: sessionProcedure
    .meta({ rest: { method: "POST", path: "/notices/mine/{id}/counter", summary: "Object to a notice, once" } })
    .input(CounterDraft)
    .output(OwnNotice)
    .mutation(({ ctx, input }) => fileCounterNotice(ctx, input.id, input.text)),
});
