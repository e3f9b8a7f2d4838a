import { OwnPicture, Picture, PictureOrder, PicturePreview, PictureUpdate } from "@lambda/contract/pictures";
import { Id, ProfileIds } from "@lambda/contract/primitives";
import { z } from "zod";
import { batch } from "../platform/db/database.ts";
import { countOpened, countShown } from "../platform/rate-limits/usage.ts";
import { type MemberContext, memberCommand, memberList, memberProcedure, router } from "../platform/trpc.ts";
import { arrangePictures } from "./arrange.ts";
import {
  deletePictureQueries,
  getOwnPicture,
  listOwnPictures,
  listPreviews,
  listVisiblePictures,
  toOwnPicture,
  toPicture,
  updatePicture,
} from "./queries.ts";
import { giveBackUpload } from "./storage-quota.ts";
import { deletePictureObjects } from "./store.ts";

async function readOwnPictures(ctx: MemberContext): Promise<{ items: OwnPicture[] }> {
  const rows = await listOwnPictures(ctx.db, ctx.viewer.profileId);
  return { items: rows.map(toOwnPicture) };
}

export const picturesRouter = router({
  mine: memberList("GET /profile-pics/mine", "The viewer's pictures with their marks", OwnPicture).query(({ ctx }) =>
    readOwnPictures(ctx),
  ),

  previews: memberList(
    "GET /profile-pics/previews",
    "Placeholders for these members' tiles until their pictures are loaded",
    PicturePreview,
  )
    .input(z.object({ profileIds: ProfileIds }))
    .query(async ({ ctx, input }) => {
      const rows = await listPreviews(ctx, input.profileIds);
      countShown(
        ctx,
        rows.map(({ profile_id }) => profile_id),
      );
      return { items: rows.map(({ id, preview }) => ({ pictureId: id, preview })) };
    }),

  list: memberList("GET /profile-pics/{profileId}", "A member's pictures, in the member's order", Picture)
    .input(z.object({ profileId: Id }))
    .query(async ({ ctx, input }) => {
      if (input.profileId === ctx.viewer.profileId) return readOwnPictures(ctx);
      countOpened(ctx, input.profileId);
      return { items: (await listVisiblePictures(ctx, input.profileId)).map(toPicture) };
    }),

  arrange: memberList("PUT /profile-pics", "Order the viewer's pictures and move them between albums", OwnPicture)
    .input(PictureOrder)
    .mutation(async ({ ctx, input }) => {
      await arrangePictures(ctx, input);
      return readOwnPictures(ctx);
    }),

  update: memberProcedure("PUT /profile-pic/{id}", "Mark one's own picture")
    .input(PictureUpdate)
    .output(OwnPicture)
    .mutation(async ({ ctx, input }) => {
      const row = await updatePicture(ctx.db, ctx.viewer.profileId, input.id, {
        ts_updated: ctx.now,
        // Setting one mark clears the other, as a picture cannot be both.
        ...(input.nsfw !== undefined && { nsfw_owner: input.nsfw ? 1 : 0, ...(input.nsfw && { harmless_owner: 0 }) }),
        ...(input.harmless !== undefined && {
          harmless_owner: input.harmless ? 1 : 0,
          ...(input.harmless && { nsfw_owner: 0 }),
        }),
        ...(input.wantsCrop !== undefined && { wants_crop: input.wantsCrop ? 1 : 0 }),
      });
      return toOwnPicture(row);
    }),

  delete: memberCommand("DELETE /profile-pic/{id}", "Delete one's own picture and all its files")
    .input(z.object({ id: Id }))
    .mutation(async ({ ctx, input }) => {
      const row = await getOwnPicture(ctx.db, ctx.viewer.profileId, input.id);
      await batch(ctx.d1, deletePictureQueries(ctx.db, row, ctx.now));
      await deletePictureObjects(ctx.env, row);
      await giveBackUpload(ctx, row, { isPicture: true });
    }),
});
