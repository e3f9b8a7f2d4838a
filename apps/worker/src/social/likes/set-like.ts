import type { LikeType, ProfileLike } from "@lambda/contract/likes";
import { DAY_MS } from "@lambda/contract/limits";
import { deleteBlockQueries, insertBlockQueries } from "../../members/blocks/queries.ts";
import { inEachLocale } from "../../platform/copy.ts";
import { batch, type Compiled } from "../../platform/db/batch.ts";
import { AppError } from "../../platform/errors.ts";
import { limit } from "../../platform/rate-limits/limit.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { announce } from "../notifications/announce.ts";
import { insertNotificationQuery, type NewNotification } from "../notifications/notify.ts";
import { likesCopy } from "./copy.ts";
import {
  deleteLikeNotificationQueries,
  type LikeRelation,
  likeRelationQuery,
  toProfileLike,
  upsertLikeQuery,
} from "./queries.ts";

/** What a block ends above this floor, as queries for its batch. Passed in by router.ts. */
export type OnBlock = (ctx: MemberContext, one: number, other: number) => Promise<Compiled[]>;

/**
 * Sets the viewer's like of another member, the viewer's block, or both. A new LIKE notifies the other, a match both; repeating it
 * does nothing. Throws NOT_FOUND when the other is absent or invisible, except to block a member in contact, whom hiding must not protect.
 */
export async function setLike(
  ctx: MemberContext,
  onBlock: OnBlock,
  { likedProfileId, likeType, blocked }: { likedProfileId: number; likeType?: LikeType; blocked?: boolean },
): Promise<ProfileLike> {
  const { d1, db, viewer, now } = ctx;
  const me = viewer.profileId;
  // The relation is read in the transaction that writes, so that of two simultaneous likes the second sees the first.
  const writes =
    likeType === undefined || blocked === true ? [] : [upsertLikeQuery(db, ctx, likedProfileId, likeType, now)];
  const [[before]] = await batch<[LikeRelation[], ...unknown[][]]>(d1, [
    likeRelationQuery(db, ctx, likedProfileId),
    ...writes,
  ]);
  if (!before) throw new AppError("NOT_FOUND");
  if (blocked !== undefined) await changeBlock(ctx, onBlock, likedProfileId, before, blocked);
  else if (before.visible === 0) throw new AppError("NOT_FOUND");

  const wrote = writes.length > 0 && before.visible === 1;
  if (wrote && likeType) await notifyOfLike(ctx, likedProfileId, before, likeType);
  const changed = wrote && before.mine !== likeType;
  return toProfileLike(
    {
      liker_id: me,
      liked_id: likedProfileId,
      like_type: (wrote && likeType) || before.mine || "UNDETERMINED",
      ts_created: changed ? now : (before.mine_ts ?? now),
    },
    blocked ?? before.blocked === 1,
  );
}

async function changeBlock(
  ctx: MemberContext,
  onBlock: OnBlock,
  otherId: number,
  before: LikeRelation,
  blocked: boolean,
): Promise<void> {
  const { d1, db, viewer, now } = ctx;
  // Contact allows the block alone: undoing nothing would otherwise tell whether the other still likes the viewer.
  const allowed = before.visible === 1 || before.blocked === 1 || (blocked && before.in_contact === 1);
  if (!allowed) throw new AppError("NOT_FOUND");
  if (blocked === (before.blocked === 1)) return;
  await batch(
    d1,
    blocked
      ? [...insertBlockQueries(db, viewer.profileId, otherId, now), ...(await onBlock(ctx, viewer.profileId, otherId))]
      : deleteBlockQueries(db, viewer.profileId, otherId),
  );
}

async function notifyOfLike(
  ctx: MemberContext,
  otherId: number,
  before: LikeRelation,
  likeType: LikeType,
): Promise<void> {
  const me = ctx.viewer.profileId;
  if (before.mine === likeType || (likeType !== "LIKE" && before.mine !== "LIKE")) return;
  const notifications: NewNotification[] =
    likeType !== "LIKE"
      ? []
      : before.theirs === "LIKE"
        ? [matchNotification(otherId, me), matchNotification(me, otherId)]
        : [
            {
              profileId: otherId,
              kind: "like",
              aboutId: me,
              bodyText: inEachLocale(likesCopy, (text) => text.liked),
              url: "/likes/profilelikedyou",
            },
          ];
  const pushes = notifications.length > 0 && (await shouldPush(ctx, otherId, before));
  const queries: Compiled[] = [
    ...deleteLikeNotificationQueries(ctx.db, me, otherId),
    ...notifications.map((item) => insertNotificationQuery(ctx, item)),
  ];
  const results = await batch<{ id: number }[][]>(ctx.d1, queries);
  notifications.forEach((item, index) => {
    const inserted = results[queries.length - notifications.length + index] ?? [];
    if (pushes && inserted.length > 0) announce(ctx, item.profileId, item.kind, item.aboutId);
  });
}

/** The first like pushes. One that was taken back and given again returns to the list, but pushes once a day. */
async function shouldPush(ctx: MemberContext, otherId: number, before: LikeRelation): Promise<boolean> {
  if (before.mine === null) return true;
  return limit(ctx.env, `like-again:${ctx.viewer.profileId}:${otherId}`, 1, DAY_MS).then(
    () => true,
    () => false,
  );
}

function matchNotification(profileId: number, aboutId: number): NewNotification {
  return {
    profileId,
    kind: "match",
    aboutId,
    bodyText: inEachLocale(likesCopy, (text) => text.matched),
    url: `/profile/${aboutId}`,
  };
}
