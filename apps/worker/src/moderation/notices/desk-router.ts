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
import { EmptyObject, Id } from "@lambda/contract/primitives";
import { z } from "zod";
import { adminProcedure, router } from "../../platform/trpc.ts";
import { askNotifier, decideCounterNotice, namePicture, rejectNotice, removePictures } from "./decide.ts";
import { countNotices, listNotices, readNotice } from "./desk.ts";
import { forwardNotice } from "./forward.ts";

const adminPost = (path: string, summary: string) =>
  adminProcedure(`POST /admin/notice/{id}${path}`, summary, { status: 200 });

export const noticeDeskRouter = router({
  list: adminProcedure("GET /admin/notices", "Notices, the earliest deadline first", { list: true })
    .input(z.object({ view: z.enum(NOTICE_VIEWS).default("open") }))
    .output(z.object({ items: z.array(DeskNotice) }))
    .query(async ({ ctx, input }) => ({ items: await listNotices(ctx, input.view) })),

  counts: adminProcedure("GET /admin/notice-counts", "How many notices are waiting, and for how long")
    .output(NoticeCounts)
    .query(({ ctx }) => countNotices(ctx)),

  get: adminProcedure("GET /admin/notice/{id}", "A notice with its pictures")
    .input(z.object({ id: Id }))
    .output(DeskNoticeFile)
    .query(({ ctx, input }) => readNotice(ctx, input.id)),

  remove: adminPost("/remove", "Remove the pictures of a notice")
    .input(NoticeRemoval)
    .output(EmptyObject)
    .mutation(({ ctx, input }) => removePictures(ctx, input)),

  reject: adminPost("/reject", "Reject a notice and show its pictures again")
    .input(NoticeRejection)
    .output(EmptyObject)
    .mutation(({ ctx, input }) => rejectNotice(ctx, input)),

  ask: adminPost("/ask", "Ask the notifier a question")
    .input(NoticeQuestion)
    .output(EmptyObject)
    .mutation(({ ctx, input }) => askNotifier(ctx, input.id, input.text)),

  namePicture: adminPost("/picture", "Add a picture to a notice")
    .input(NameNoticePictureRequest)
    .output(EmptyObject)
    .mutation(({ ctx, input }) => namePicture(ctx, input.id, input.pictureId)),

  forward: adminPost("/forward", "Forward a notice to a case")
    .input(NoticeForward)
    .output(EmptyObject)
    .mutation(({ ctx, input }) => forwardNotice(ctx, input)),

  decideCounter: adminPost("/counter", "Decide the owner's objection to a removal")
    .input(CounterDecision)
    .output(EmptyObject)
    .mutation(({ ctx, input }) => decideCounterNotice(ctx, input)),
});
