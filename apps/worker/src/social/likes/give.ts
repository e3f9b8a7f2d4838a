import type { LikeType, ProfileLike } from "@lambda/contract/likes";
import { DAY_MS } from "@lambda/contract/limits";
import { deleteBlockQueries, insertBlockQueries } from "../../members/blocks/queries.ts";
import { batch, type Compiled } from "../../platform/db/batch.ts";
import { AppError } from "../../platform/errors.ts";
import { limit } from "../../platform/rate-limits/limit.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { announce } from "../notifications/announce.ts";
import { insertNotificationQuery, type NewNotification } from "../notifications/notify.ts";
import {
  deleteLikeNotificationQueries,
  likeRelationQuery,
  type Standing,
  toProfileLike,
  upsertLikeQuery,
} from "./queries.ts";

/** What a block ends above this floor, as queries for its batch. Passed in by router.ts. */
export type OnBlock = (ctx: MemberContext, one: number, other: number) => Promise<Compiled[]>;

/**
 * Sets the viewer's like of a member, his block of him, or both. A new LIKE is told to him; when it is mutual, both
 * are told of the match. Repeating it changes and tells nothing.
 *
 * Throws NOT_FOUND when the member is absent or invisible; a member in contact can be blocked all the same, so
 * that hiding does not protect a nuisance.
 */
export async function putLike(
  ctx: MemberContext,
  onBlock: OnBlock,
  { likedProfileId, likeType, blocked }: { likedProfileId: number; likeType?: LikeType; blocked?: boolean },
): Promise<ProfileLike> {
  const { d1, db, viewer, now } = ctx;
  const me = viewer.profileId;
  // The standing is read in the transaction that writes, so that of two simultaneous likes the second sees the first.
  const writes =
    likeType === undefined || blocked === true ? [] : [upsertLikeQuery(db, ctx, likedProfileId, likeType, now)];
  const [[before]] = await batch<[Standing[], ...unknown[][]]>(d1, [
    likeRelationQuery(db, ctx, likedProfileId),
    ...writes,
  ]);
  if (!before) throw new AppError("NOT_FOUND");
  if (blocked !== undefined) await changeBlock(ctx, onBlock, likedProfileId, before, blocked);
  else if (before.visible === 0) throw new AppError("NOT_FOUND");

  const wrote = writes.length > 0 && before.visible === 1;
  if (wrote && likeType) await tellOfLike(ctx, likedProfileId, before, likeType);
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
  before: Standing,
  blocked: boolean,
): Promise<void> {
  const { d1, db, viewer, now } = ctx;
  // Contact opens the block alone: an undoing that undoes nothing would otherwise tell whether his like stands.
  const may = before.visible === 1 || before.blocked === 1 || (blocked && before.in_contact === 1);
  if (!may) throw new AppError("NOT_FOUND");
  if (blocked === (before.blocked === 1)) return;
  await batch(
    d1,
    blocked
      ? [...insertBlockQueries(db, viewer.profileId, otherId, now), ...(await onBlock(ctx, viewer.profileId, otherId))]
      : deleteBlockQueries(db, viewer.profileId, otherId),
  );
}

async function tellOfLike(ctx: MemberContext, otherId: number, before: Standing, likeType: LikeType): Promise<void> {
  const me = ctx.viewer.profileId;
  if (before.mine === likeType || (likeType !== "LIKE" && before.mine !== "LIKE")) return;
  const news: NewNotification[] =
    likeType !== "LIKE"
      ? []
      : before.theirs === "LIKE"
        ? [matchNews(otherId, me), matchNews(me, otherId)]
        : [{ profileId: otherId, kind: "like", aboutId: me, bodyText: LIKED, url: "/likes/profilelikedyou" }];
  const rings = news.length > 0 && (await mayRing(ctx, otherId, before));
  const statements: Compiled[] = [
    ...deleteLikeNotificationQueries(ctx.db, me, otherId),
    ...news.map((item) => insertNotificationQuery(ctx, item)),
  ];
  const results = await batch<{ id: number }[][]>(ctx.d1, statements);
  news.forEach((item, index) => {
    const inserted = results[statements.length - news.length + index] ?? [];
    if (rings && inserted.length > 0) announce(ctx, item.profileId, item.kind, item.aboutId);
  });
}

/** The first word rings. A like that is taken back and given again comes back into the list, but rings once a day. */
async function mayRing(ctx: MemberContext, otherId: number, before: Standing): Promise<boolean> {
  if (before.mine === null) return true;
  return limit(ctx.env, `like-again:${ctx.viewer.profileId}:${otherId}`, 1, DAY_MS).then(
    () => true,
    () => false,
  );
}

const LIKED = { en: "Someone likes you. Find out who.", es: "Le gustas a alguien. Mira a quién." };
const MATCHED = { en: "It's a match: you like each other.", es: "Hay química: os gustáis los dos." };

function matchNews(profileId: number, aboutId: number): NewNotification {
  return { profileId, kind: "match", aboutId, bodyText: MATCHED, url: `/profile/${aboutId}` };
}
