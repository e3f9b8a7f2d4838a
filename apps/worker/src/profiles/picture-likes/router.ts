import { LikeType, ProfilePicLike, ProfilePicLikeUpdate } from "@lambda/contract/likes";
import { DAY_MS, LIKED_PICS_PAGE_SIZE } from "@lambda/contract/limits";
import { Id, ListCursor, pageSize } from "@lambda/contract/primitives";
import { z } from "zod";
import { announce, insertNotificationQuery } from "../../notifications/notify.ts";
import { inEachLocale } from "../../platform/copy.ts";
import { batch, type Query } from "../../platform/db/database.ts";
import { pageOf } from "../../platform/db/page.ts";
import { decodeTimeCursor, encodeTimeCursor } from "../../platform/db/time-cursor.ts";
import { AppError } from "../../platform/errors.ts";
import { isWithinLimit, spendQuota } from "../../platform/rate-limits/limit.ts";
import { mayReachRegionsLateIf, memberList, memberProcedure, router } from "../../platform/trpc.ts";
import { likesCopy } from "../likes/copy.ts";
import {
  getRateablePicture,
  listGivenPictureLikes,
  listPictureLikesAbout,
  listReceivedPictureLikes,
  toProfilePicLike,
  upsertPictureLikeQuery,
} from "./queries.ts";

const ListInput = z.object({ id: Id, size: pageSize(LIKED_PICS_PAGE_SIZE), cursor: ListCursor.optional() });
const ListOutput = z.object({ items: z.array(ProfilePicLike), nextCursor: z.string().optional() });

type Rows = Awaited<ReturnType<typeof listReceivedPictureLikes>>;

const toPage = (rows: Rows, size: number): z.infer<typeof ListOutput> =>
  pageOf(rows, size, toProfilePicLike, ({ ts_created, picture_id, liker_id }) =>
    encodeTimeCursor({ ts: ts_created, id: picture_id, tieBreaker: liker_id }),
  );

/** Ratings can be read only by the members who gave or received them. */
export const pictureLikesRouter = router({
  put: memberProcedure("PUT /profile-pic-like", "Rate another member's picture", {
    readsNearby: true,
  })
    .input(ProfilePicLikeUpdate)
    .use(mayReachRegionsLateIf(({ likeType }) => likeType === "LIKE"))
    .output(ProfilePicLike)
    .mutation(async ({ ctx, input }) => {
      const likerId = ctx.viewer.profileId;
      if (input.likerProfileId !== undefined && input.likerProfileId !== likerId) throw new AppError("NOT_ALLOWED");
      const { profilePicId: pictureId, likeType } = input;
      await spendQuota(ctx, "picture-likes", likerId, { likesPerMinute: 1, pictureLikes: 1 });
      const picture = await getRateablePicture(ctx, pictureId);
      const ownerId = picture.owner_id;
      const statements: Query[] = [
        upsertPictureLikeQuery(ctx.db, { likerId, pictureId, ownerId, likeType, now: ctx.now }),
      ];
      // A first rating notifies the owner once a day, so that neither toggling it nor liking every picture rings their phone all night.
      const isTold =
        picture.mine === null &&
        likeType === "LIKE" &&
        (await isWithinLimit(ctx.env, `picture-like:${likerId}:${ownerId}`, 1, DAY_MS));
      if (isTold) {
        const notification = {
          profileId: ownerId,
          kind: "like",
          aboutId: likerId,
          bodyText: inEachLocale(likesCopy, (text) => text.pictureLiked),
        } as const;
        statements.push(insertNotificationQuery(ctx, { ...notification, url: "/likes/profilelikedyourpics" }));
      }
      const [, notified] = await batch(ctx.d1, statements);
      if (notified?.length) announce(ctx, ownerId, "like", likerId);
      return toProfilePicLike({
        liker_id: likerId,
        picture_id: pictureId,
        owner_id: ownerId,
        like_type: likeType,
        ts_created: ctx.now,
      });
    }),

  byLiker: memberProcedure(
    "GET /profile-pic-likes/by-liker-profileid/{id}",
    "The viewer's ratings of pictures, newest first",
    {
      list: true,
    },
  )
    .input(ListInput.extend({ likeType: LikeType.default("LIKE") }))
    .output(ListOutput)
    .query(async ({ ctx, input }) => {
      if (input.id !== ctx.viewer.profileId) throw new AppError("NOT_ALLOWED");
      const after = decodeTimeCursor(input.cursor);
      return toPage(await listGivenPictureLikes(ctx, input.likeType, after, input.size + 1), input.size);
    }),

  byLiked: memberProcedure(
    "GET /profile-pic-likes/by-liked-profileid/{id}",
    "Who likes the viewer's pictures, newest first",
    {
      list: true,
    },
  )
    .input(ListInput)
    .output(ListOutput)
    .query(async ({ ctx, input }) => {
      if (input.id !== ctx.viewer.profileId) throw new AppError("NOT_ALLOWED");
      return toPage(await listReceivedPictureLikes(ctx, decodeTimeCursor(input.cursor), input.size + 1), input.size);
    }),

  about: memberList(
    "GET /profile-pic-likes/about/{profileId}",
    "The viewer's ratings of one member's pictures",
    ProfilePicLike,
  )
    .input(z.object({ profileId: Id }))
    .query(async ({ ctx, input }) => ({
      items: (await listPictureLikesAbout(ctx, input.profileId)).map(toProfilePicLike),
    })),
});
