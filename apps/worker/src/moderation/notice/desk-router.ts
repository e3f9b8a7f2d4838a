import {
  CounterDecision,
  DeskNotice,
  DeskNoticeFile,
  NOTICE_VIEWS,
  NoticeCounts,
  NoticeForward,
  NoticePictureNamed,
  NoticeQuestion,
  NoticeRejection,
  NoticeRemoval,
} from "@lambda/contract/notices";
import { Id, Nothing } from "@lambda/contract/primitives";
import { z } from "zod";
import { adminProcedure, router } from "../../platform/trpc.ts";
import { askNotifier, decideCounter, forwardNotice, namePicture, rejectNotice, removePictures } from "./decide.ts";
import { countNotices, listNotices, readNotice } from "./desk.ts";

const post = (path: string, summary: string) => ({
  rest: { method: "POST", path: `/admin/notice/{id}${path}`, status: 200, summary } as const,
});

/** The admin's desk for notices from anybody. */
export const noticeDeskRouter = router({
  list: adminProcedure
    .meta({ rest: { method: "GET", path: "/admin/notices", summary: "Notices, what is due first", list: true } })
    .input(z.object({ view: z.enum(NOTICE_VIEWS).default("open") }))
    .output(z.object({ items: z.array(DeskNotice) }))
    .query(async ({ ctx, input }) => ({ items: await listNotices(ctx, input.view) })),

  counts: adminProcedure
    .meta({ rest: { method: "GET", path: "/admin/notice-counts", summary: "How many notices wait, and how long" } })
    .output(NoticeCounts)
    .query(({ ctx }) => countNotices(ctx)),

  get: adminProcedure
    .meta({ rest: { method: "GET", path: "/admin/notice/{id}", summary: "A notice with its pictures" } })
    .input(z.object({ id: Id }))
    .output(DeskNoticeFile)
    .query(({ ctx, input }) => readNotice(ctx, input.id)),

  remove: adminProcedure
    .meta(post("/remove", "Remove the pictures of a notice"))
    .input(NoticeRemoval)
    .output(Nothing)
    .mutation(async ({ ctx, input }) => {
      await removePictures(ctx, input.id, input.reason);
      return {};
    }),

  reject: adminProcedure
    .meta(post("/reject", "Reject a notice, and show again what it hid"))
    .input(NoticeRejection)
    .output(Nothing)
    .mutation(async ({ ctx, input }) => {
      await rejectNotice(ctx, input);
      return {};
    }),

  ask: adminProcedure
    .meta(post("/ask", "Ask the notifier for more"))
    .input(NoticeQuestion)
    .output(Nothing)
    .mutation(async ({ ctx, input }) => {
      await askNotifier(ctx, input.id, input.text);
      return {};
    }),

  namePicture: adminProcedure
    .meta(post("/picture", "Name a picture that a notice is about"))
    .input(NoticePictureNamed)
    .output(Nothing)
    .mutation(async ({ ctx, input }) => {
      await namePicture(ctx, input.id, input.pictureId);
      return {};
    }),

  forward: adminProcedure
    .meta(post("/forward", "Make a case of a notice"))
    .input(NoticeForward)
    .output(Nothing)
    .mutation(async ({ ctx, input }) => {
      await forwardNotice(ctx, input);
      return {};
    }),

  decideCounter: adminProcedure
    .meta(post("/counter", "Decide what the owner of a removed picture answered"))
    .input(CounterDecision)
    .output(Nothing)
    .mutation(async ({ ctx, input }) => {
      await decideCounter(ctx, input);
      return {};
    }),
});
