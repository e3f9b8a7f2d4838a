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
import { openCommand, openProcedure, router, sessionList, sessionProcedure } from "../../platform/trpc.ts";
import { fileNotice } from "./file-notice.ts";
import { fileCounterNotice, listOwnNotices } from "./own-notices.ts";
import { createNoticeChallenge } from "./proof-of-work.ts";
import { answerQuestion, disownNotice, openReceipt } from "./receipt.ts";

export const noticesRouter = router({
  challenge: openProcedure("POST /notice-challenge", "Get the proof-of-work challenge for a notice", {
    worksUnopened: true,
    status: 200,
  })
    .input(NoticeChallengeRequest)
    .output(NoticeChallenge)
    .mutation(({ ctx, input }) => createNoticeChallenge(ctx, input.harder)),

  /** Open to anybody, with or without an account. */
  file: openProcedure("POST /notices", "Ask for the removal of a picture or of illegal content")
    .input(NoticeDraft)
    .output(NoticeResponse)
    .mutation(({ ctx, input }) => fileNotice(ctx, input)),

  receipt: openProcedure("POST /notice/{ref}/receipt", "The state of a notice", { status: 200 })
    .input(NoticeReceiptRequest)
    .output(NoticeReceipt)
    .mutation(({ ctx, input }) => openReceipt(ctx, input)),

  disown: openCommand("POST /notice/{ref}/disown", "Say that somebody else filed a notice in your name", {
    status: 200,
  })
    .input(NoticeDisowning)
    .mutation(({ ctx, input }) => disownNotice(ctx, input)),

  answer: openProcedure("POST /notice/{ref}/answer", "Answer a question from staff", { status: 200 })
    .input(NoticeReply)
    .output(NoticeReceipt)
    .mutation(({ ctx, input }) => answerQuestion(ctx, input)),

  mine: sessionList("GET /notices/mine", "Notices about the member's own pictures", OwnNotice).query(
    async ({ ctx }) => ({ items: await listOwnNotices(ctx) }),
  ),

  /** Suspended members can object too. */
  counter: sessionProcedure("POST /notices/mine/{id}/counter", "Object to a notice, once")
    .input(CounterDraft)
    .output(OwnNotice)
    .mutation(({ ctx, input }) => fileCounterNotice(ctx, input.id, input.text)),
});
