import {
  CounterDecision,
  DeskNotice,
  DeskNoticeFile,
  NameNoticePictureRequest,
  NOTICE_VIEWS,
  NoticeCounts,
  NoticeForward,
  NoticeQuestion,
  NoticeRejection,
  NoticeRemoval,
} from "@lambda/contract/notices";
import { Id } from "@lambda/contract/primitives";
import { z } from "zod";
import { adminCommand, adminList, adminProcedure, router } from "../../platform/trpc.ts";
import { askNotifier, decideCounterNotice, namePicture, rejectNotice, removePictures } from "./decide.ts";
import { countNotices, listNotices, readNotice } from "./desk.ts";
import { forwardNotice } from "./forward.ts";

export const noticeDeskRouter = router({
  list: adminList("GET /admin/notices", "Notices, the earliest deadline first", DeskNotice)
    .input(z.object({ view: z.enum(NOTICE_VIEWS).default("open") }))
    .query(async ({ ctx, input }) => ({ items: await listNotices(ctx, input.view) })),

  counts: adminProcedure("GET /admin/notice-counts", "How many notices are waiting, and for how long")
    .output(NoticeCounts)
    .query(({ ctx }) => countNotices(ctx)),

  get: adminProcedure("GET /admin/notice/{id}", "A notice with its pictures")
    .input(z.object({ id: Id }))
    .output(DeskNoticeFile)
    .query(({ ctx, input }) => readNotice(ctx, input.id)),

  remove: adminCommand("POST /admin/notice/{id}/remove", "Remove the pictures of a notice")
    .input(NoticeRemoval)
    .mutation(({ ctx, input }) => removePictures(ctx, input)),

  reject: adminCommand("POST /admin/notice/{id}/reject", "Reject a notice and show its pictures again")
    .input(NoticeRejection)
    .mutation(({ ctx, input }) => rejectNotice(ctx, input)),

  ask: adminCommand("POST /admin/notice/{id}/ask", "Ask the notifier a question")
    .input(NoticeQuestion)
    .mutation(({ ctx, input }) => askNotifier(ctx, input.id, input.text)),

  namePicture: adminCommand("POST /admin/notice/{id}/picture", "Add a picture to a notice")
    .input(NameNoticePictureRequest)
    .mutation(({ ctx, input }) => namePicture(ctx, input.id, input.pictureId)),

  forward: adminCommand("POST /admin/notice/{id}/forward", "Forward a notice to a case")
    .input(NoticeForward)
    .mutation(({ ctx, input }) => forwardNotice(ctx, input)),

  decideCounter: adminCommand("POST /admin/notice/{id}/counter", "Decide the owner's objection to a removal")
    .input(CounterDecision)
    .mutation(({ ctx, input }) => decideCounterNotice(ctx, input)),
});
