import { LikedBrief, LikeTab, LikeType, ProfileLike, ProfileLikeUpdate } from "@lambda/contract/likes";
import { LIKED_PICS_PAGE_SIZE, LIKES_PAGE_SIZE } from "@lambda/contract/limits";
import { Id, ListCursor, ProfileIds } from "@lambda/contract/primitives";
import { z } from "zod";
import { pageOf } from "../../platform/db/page.ts";
import { decodeTimeCursor, encodeTimeCursor } from "../../platform/db/time-cursor.ts";
import { AppError } from "../../platform/errors.ts";
import { spendQuota } from "../../platform/rate-limits/limit.ts";
import { type MemberContext, mayReachRegionsLateIf, memberList, memberProcedure, router } from "../../platform/trpc.ts";
import { listLikedBriefs, toLikedBrief } from "./briefs.ts";
import { findLike, listLikedOf, listLikes, toProfileLike } from "./queries.ts";
import { type OnBlock, setLike } from "./set-like.ts";

const LikesOf = z.object({ id: Id, likeType: LikeType.default("LIKE"), cursor: ListCursor.optional() });
const LikePage = z.object({ items: z.array(ProfileLike), nextCursor: z.string().optional() });

/** Members can read only their own lists, and of received likes only those of type LIKE. */
async function readLikes(ctx: MemberContext, input: z.output<typeof LikesOf>, side: "given" | "received") {
  if (input.id !== ctx.viewer.profileId) throw new AppError("NOT_ALLOWED");
  const after = decodeTimeCursor(input.cursor);
  const likeType = side === "received" ? "LIKE" : input.likeType;
  const rows = await listLikes(ctx.db, ctx, side, likeType, { after, limit: LIKES_PAGE_SIZE + 1 });
  return pageOf(
    rows,
    LIKES_PAGE_SIZE,
    (row) => toProfileLike(row, false),
    ({ ts_created: ts, liked_id, liker_id }) =>
      encodeTimeCursor({ ts, id: side === "given" ? liked_id : liker_id, tieBreaker: 0 }),
  );
}

async function readLikedAmong(ctx: MemberContext, profileIds: readonly number[]): Promise<{ items: ProfileLike[] }> {
  const rows = await listLikedOf(ctx.db, ctx, profileIds);
  return { items: rows.map((row) => toProfileLike(row, false)) };
}

async function readLike(ctx: MemberContext, likerId: number, likedId: number): Promise<ProfileLike> {
  const me = ctx.viewer.profileId;
  if (likerId !== me && likedId !== me) throw new AppError("NOT_ALLOWED");
  const row = await findLike(ctx.db, ctx, likerId, likedId);
  if (!row) throw new AppError("NOT_FOUND");
  return toProfileLike(row, row.blocked === 1);
}

/** Spends the quotas. Throws NOT_ALLOWED for a like in another member's name, and BAD_INPUT for a like of oneself. */
async function requireLikeAllowed(ctx: MemberContext, update: z.output<typeof ProfileLikeUpdate>): Promise<void> {
  const { likerProfileId, likedProfileId, likeType, blocked } = update;
  const me = ctx.viewer.profileId;
  if (likerProfileId !== undefined && likerProfileId !== me) throw new AppError("NOT_ALLOWED");
  if (likedProfileId === me) {
    throw new AppError("BAD_INPUT", { field: "likedProfileId", message: "likedProfileId: that is you" });
  }
  await spendQuota(ctx, "likes", me, {
    likesPerMinute: 1,
    ...(likeType !== undefined && { likes: 1 }),
    ...(blocked && { relations: 1 }),
  });
}

async function readLikedBriefs(ctx: MemberContext, tab: LikeTab, cursor: string | undefined) {
  const size = tab === "profilelikedyou" || tab === "youlikedprofile" ? LIKES_PAGE_SIZE : LIKED_PICS_PAGE_SIZE;
  const after = decodeTimeCursor(cursor);
  const rows = await listLikedBriefs(ctx.db, ctx, tab, { after, limit: size + 1 }, ctx.now);
  return pageOf(
    rows,
    size,
    (row) => toLikedBrief(row, ctx.now),
    ({ ts_liked: ts, id, picture_id }) => encodeTimeCursor({ ts, id, tieBreaker: picture_id ?? 0 }),
  );
}

/** A like hides nothing from anybody, but a dislike may undo a match, and a block hides both members. */
const isLikeAlone = ({ likeType, blocked }: z.output<typeof ProfileLikeUpdate>) =>
  likeType === "LIKE" && blocked === undefined;

export const createLikesRouter = (onBlock: OnBlock) =>
  router({
    byLiker: memberProcedure("GET /profile-likes/by-liker/{id}", "Likes that the viewer gave", { list: true })
      .input(LikesOf)
      .output(LikePage)
      .query(({ ctx, input }) => readLikes(ctx, input, "given")),

    byLiked: memberProcedure("GET /profile-likes/by-liked/{id}", "Likes that the viewer received", { list: true })
      .input(LikesOf)
      .output(LikePage)
      .query(({ ctx, input }) => readLikes(ctx, input, "received")),

    among: memberList("GET /profile-likes/among", "Which of these members the viewer likes", ProfileLike)
      .input(z.object({ profileIds: ProfileIds }))
      .query(({ ctx, input }) => readLikedAmong(ctx, input.profileIds)),

    get: memberProcedure("GET /profile-like", "One like, the viewer's or of the viewer")
      .input(z.object({ likerProfileId: Id, likedProfileId: Id }))
      .output(ProfileLike)
      .query(({ ctx, input }) => readLike(ctx, input.likerProfileId, input.likedProfileId)),

    put: memberProcedure("PUT /profile-like", "Like, dislike, skip or block a member", {
      readsNearby: true,
      keepsSafe: true,
    })
      .input(ProfileLikeUpdate)
      .use(mayReachRegionsLateIf(isLikeAlone))
      .output(ProfileLike)
      .mutation(async ({ ctx, input }) => {
        await requireLikeAllowed(ctx, input);
        return setLike(ctx, onBlock, input);
      }),

    briefs: memberProcedure("GET /profile-briefs/likes/{tab}", "One of the four lists", { list: true })
      .input(z.object({ tab: LikeTab, cursor: ListCursor.optional() }))
      .output(z.object({ items: z.array(LikedBrief), nextCursor: z.string().optional() }))
      .query(({ ctx, input }) => readLikedBriefs(ctx, input.tab, input.cursor)),
  });
