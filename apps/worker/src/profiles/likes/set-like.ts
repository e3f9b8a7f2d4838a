import type { LikeType, ProfileLike } from "@lambda/contract/likes";
import { DAY_MS } from "@lambda/contract/limits";
import { sql } from "kysely";
import {
  announce,
  announceGone,
  type DeletedNotification,
  enqueueGone,
  type InsertedNotification,
  insertNotificationsQuery,
  type NewNotification,
} from "../../notifications/notify.ts";
import { inEachLocale } from "../../platform/copy.ts";
import { batch, type Query } from "../../platform/db/database.ts";
import { AppError } from "../../platform/errors.ts";
import { isWithinLimit } from "../../platform/rate-limits/limit.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { notifyMapOfBlock } from "../../visibility/blocks/notify-map.ts";
import { insertBlockQueries } from "../../visibility/blocks/queries.ts";
import { undoBlock } from "../../visibility/blocks/undo.ts";
import { discloseFirstQueries } from "../../visibility/statements/disclosures.ts";
import { isSeenBy, updateShownTo } from "../../visibility/statements/discreet.ts";
import { likesCopy } from "./copy.ts";
import {
  deleteLikeNotificationQueries,
  type LikeRelation,
  likeRelationQuery,
  toProfileLike,
  upsertLikeQuery,
  wasLikeSetAt,
} from "./queries.ts";

/** Returns the queries for what a block ends in layers above this one. Passed in by the root router. */
export type OnBlock = (ctx: MemberContext, one: number, other: number) => Promise<Query[]>;

/**
 * Sets the viewer's like of another member, the viewer's block, or both; a new LIKE notifies the other, a match both, and repeating it
 * does nothing. Throws NOT_FOUND when the other is absent or invisible, except to block a member in contact, whom hiding must not protect.
 */
export async function setLike(
  ctx: MemberContext,
  onBlock: OnBlock,
  { likedProfileId, likeType, blocked }: { likedProfileId: number; likeType?: LikeType; blocked?: boolean },
): Promise<ProfileLike> {
  const { d1, db, viewer, now } = ctx;
  const me = viewer.profileId;
  // The relation is read in the transaction that writes the like, so that of two concurrent likes the second one sees the first.
  const setsLike = likeType !== undefined && blocked !== true;
  const notifications = setsLike ? toNotifications(ctx, likedProfileId, likeType) : [];
  const relation = likeRelationQuery(db, ctx, likedProfileId);
  const [[before], , theirs = [], mine = [], inserted = []] = setsLike
    ? await batch(d1, [
        relation,
        upsertLikeQuery(db, ctx, likedProfileId, likeType, now),
        ...deleteLikeNotificationQueries(db, me, likedProfileId, now),
        ...(notifications.length > 0 ? [insertNotificationsQuery(ctx, notifications)] : []),
        ...(likeType === "LIKE" ? discloseFirstQueries(ctx, likedProfileId, "like") : []),
      ])
    : await batch(d1, [relation]);
  if (!before) throw new AppError("NOT_FOUND");
  if (blocked !== undefined) await changeBlock(ctx, onBlock, likedProfileId, before, blocked);
  else if (before.visible === 0) throw new AppError("NOT_FOUND");

  const wrote = setsLike && before.visible === 1;
  if (wrote) updateShownTo(ctx, likedProfileId, likeType === "LIKE" ? "like" : undefined);
  if (inserted.length > 0) ctx.waitUntil(announceLike(ctx, likedProfileId, before, inserted as InsertedNotification[]));
  ctx.waitUntil(announceWithdrawal(ctx, likedProfileId, theirs));
  ctx.waitUntil(enqueueGone(ctx, me, mine));
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
  // Contact allows blocking only: unblocking someone who is not blocked would reveal whether they still like the viewer.
  const allowed = before.visible === 1 || before.blocked === 1 || (blocked && before.in_contact === 1);
  if (!allowed) throw new AppError("NOT_FOUND");
  if (blocked === (before.blocked === 1)) return;
  const wasSeen = blocked && (await isSeenBy(ctx, otherId));
  if (!blocked) {
    await undoBlock(ctx, otherId);
    notifyMapOfBlock(ctx, otherId, false, false);
    return;
  }
  const blocks = insertBlockQueries(db, viewer.profileId, otherId, now);
  const results = await batch(d1, [...blocks, ...(await onBlock(ctx, viewer.profileId, otherId))]);
  ctx.waitUntil(enqueueGone(ctx, viewer.profileId, (results[blocks.length - 1] ?? []) as DeletedNotification[]));
  if (before.visible === 1) notifyMapOfBlock(ctx, otherId, true, wasSeen);
}

/** The notifications for a new like or a match. SQL conditions choose between them, because both likes are known only in the transaction. */
function toNotifications(ctx: MemberContext, otherId: number, likeType: LikeType): NewNotification[] {
  if (likeType !== "LIKE") return [];
  const me = ctx.viewer.profileId;
  const isNew = wasLikeSetAt(me, otherId, ctx.now);
  const isReturned = sql<boolean>`exists (select 1 from profile_like theirs
    where theirs.liker_id = ${otherId} and theirs.liked_id = ${me} and theirs.like_type = 'LIKE')`;
  const match = { kind: "match", bodyText: inEachLocale(likesCopy, (text) => text.matched) } as const;
  const isMatch = sql<boolean>`(${isNew} and ${isReturned})`;
  return [
    {
      profileId: otherId,
      kind: "like",
      aboutId: me,
      url: "/likes/profilelikedyou",
      bodyText: inEachLocale(likesCopy, (text) => text.liked),
      onlyIf: sql<boolean>`(${isNew} and not ${isReturned})`,
    },
    { ...match, profileId: otherId, aboutId: me, url: `/profile/${me}`, onlyIf: isMatch },
    { ...match, profileId: me, aboutId: otherId, url: `/profile/${otherId}`, onlyIf: isMatch },
  ];
}

/** Withdrawn and given again all day, a like would cost the other's devices the few pushes that browsers let show nothing. */
const WITHDRAWALS_PER_DAY = 2;

async function announceWithdrawal(ctx: MemberContext, otherId: number, deleted: readonly DeletedNotification[]) {
  const me = ctx.viewer.profileId;
  if (deleted.length === 0) return;
  if (await isWithinLimit(ctx.env, `like-gone:${me}:${otherId}`, WITHDRAWALS_PER_DAY, DAY_MS))
    await announceGone(ctx, otherId, deleted, me);
}

/** A first like is announced. A like that was withdrawn and given again returns to the list, but is announced at most once a day. */
async function announceLike(
  ctx: MemberContext,
  otherId: number,
  before: LikeRelation,
  inserted: readonly InsertedNotification[],
): Promise<void> {
  const me = ctx.viewer.profileId;
  const limitName = `like-again:${me}:${otherId}`;
  if (before.mine !== null && !(await isWithinLimit(ctx.env, limitName, 1, DAY_MS))) return;
  for (const { profile_id, kind } of inserted) announce(ctx, profile_id, kind, profile_id === me ? otherId : me);
}
