import { DAY_MS, NOTES_PAGE_SIZE, PRIVATE_TAGS_LISTED_MAX } from "@lambda/contract/limits";
import { ListedNote, NotesQuery, PrivateTagCount, ProfileNote, ProfileNoteUpdate } from "@lambda/contract/notes";
import { Id } from "@lambda/contract/primitives";
import { z } from "zod";
import { pageOf } from "../../platform/db/page.ts";
import { decodeTimeCursor, encodeTimeCursor } from "../../platform/db/time-cursor.ts";
import { AppError, quotaExceeded } from "../../platform/errors.ts";
import { spendQuota } from "../../platform/rate-limits/limit.ts";
import { type MemberContext, memberList, memberProcedure, router } from "../../platform/trpc.ts";
import { deleteEmptyNote, findNote, listNotes, listTags, toListedNote, toNote, upsertNote } from "./queries.ts";

/** Throws NOT_ALLOWED for other authors' notes, which are visible to their author alone. */
function requireAuthor(ctx: MemberContext, authorId: number | undefined): number {
  if (authorId !== undefined && authorId !== ctx.viewer.profileId) throw new AppError("NOT_ALLOWED");
  return ctx.viewer.profileId;
}

export const notesRouter = router({
  get: memberProcedure("GET /profile-note", "The viewer's note about a member; empty if there is none")
    .input(z.object({ authorProfileId: Id.optional(), aboutProfileId: Id }))
    .output(ProfileNote)
    .query(async ({ ctx, input }) => {
      const author = requireAuthor(ctx, input.authorProfileId);
      const row = await findNote(ctx.db, ctx, input.aboutProfileId);
      if (!row) throw new AppError("NOT_FOUND");
      return toNote(row, author);
    }),

  put: memberProcedure("PUT /profile-note", "Write a note; absent fields keep their values", {
    mayReachRegionsLate: true,
  })
    .input(ProfileNoteUpdate)
    .output(ProfileNote)
    .mutation(async ({ ctx, input }) => {
      const author = requireAuthor(ctx, input.authorProfileId);
      const { aboutProfileId: aboutId } = input;
      await spendQuota(ctx, "notes", author, { noteSavesPerMinute: 1, noteSaves: 1 });
      const row = await upsertNote(ctx.db, ctx, aboutId, input, ctx.now);
      if (!row && (await findNote(ctx.db, ctx, aboutId))) throw quotaExceeded("noteBytes", DAY_MS);
      if (!row) throw new AppError("NOT_FOUND");
      if (row.body_text === "" && row.private_tags === "[]") await deleteEmptyNote(ctx.db, author, aboutId);
      return toNote(row, author);
    }),

  list: memberProcedure("GET /profile-notes", "All notes of the viewer", { list: true })
    .input(NotesQuery)
    .output(z.object({ items: z.array(ListedNote), nextCursor: z.string().optional() }))
    .query(async ({ ctx, input }) => {
      const author = requireAuthor(ctx, input.authorProfileId);
      const after = decodeTimeCursor(input.cursor);
      const rows = await listNotes(ctx.db, ctx, input, { after, limit: NOTES_PAGE_SIZE + 1 });
      return pageOf(
        rows,
        NOTES_PAGE_SIZE,
        (row) => toListedNote(row, author, ctx.now),
        ({ ts_updated: ts, about_id: id }) => encodeTimeCursor({ ts, id, tieBreaker: 0 }),
      );
    }),

  tags: memberList("GET /profile-notes/tags", "The viewer's private tags", PrivateTagCount).query(async ({ ctx }) => ({
    items: await listTags(ctx.db, ctx.viewer.profileId, PRIVATE_TAGS_LISTED_MAX),
  })),
});
