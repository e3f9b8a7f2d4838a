/** Lets owners list their pictures that the community rated NSFW, and request a review. */
import type { MarkedPicture } from "@lambda/contract/games";
import { CONSENSUS_VOTERS_MIN, REVIEW_REQUEST_INTERVAL_MS, REVIEW_WAIT_MAX_MS } from "@lambda/contract/limits";
import { sql } from "kysely";
import type { Database } from "../platform/db/database.ts";
import { AppError } from "../platform/errors.ts";
import { toIsoOrNull } from "../platform/iso-time.ts";
import type { MemberContext } from "../platform/trpc.ts";

/** The member's own public pictures with the community's NSFW mark. */
function listMarkedRows(ctx: MemberContext, pictureId?: number) {
  let query = ctx.db
    .selectFrom("picture as pic")
    .innerJoin("game_item as i", (join) =>
      join.onRef("i.picture_id", "=", "pic.id").onRef("i.version", "=", "pic.version"),
    )
    .select(["i.id", "pic.id as picture_id", "i.ts_review_asked", "i.ts_decided", "i.staff_reason", "i.by_staff"])
    .select((eb) => eb.selectFrom("game_pool").select("voters").where("game", "=", "rating").as("voters"))
    .where("i.game", "=", "rating")
    .where("pic.profile_id", "=", ctx.viewer.profileId)
    .where("pic.audience", "=", "public")
    .where("pic.nsfw_community", "=", 1);
  if (pictureId !== undefined) query = query.where("pic.id", "=", pictureId);
  return query.execute();
}

export async function listMarkedPictures(ctx: MemberContext): Promise<MarkedPicture[]> {
  return (await listMarkedRows(ctx)).map(toMarkedPicture);
}

function toMarkedPicture(row: Awaited<ReturnType<typeof listMarkedRows>>[number]): MarkedPicture {
  const waiting =
    row.staff_reason !== null || (row.ts_review_asked !== null && row.ts_review_asked > (row.ts_decided ?? 0));
  const nextRequest = row.ts_review_asked === null ? null : row.ts_review_asked + REVIEW_REQUEST_INTERVAL_MS;
  return { pictureId: row.picture_id, waiting, tsAskAgain: toIsoOrNull(nextRequest) };
}

/**
 * Requests a review by voters who have not judged the picture yet, or by staff if the voters are too few or staff decided before; the mark
 * stays until then. Throws NOT_FOUND unless the picture is the member's own, public and marked; TOO_MANY_REQUESTS after a recent request.
 */
export async function requestReview(ctx: MemberContext, pictureId: number): Promise<MarkedPicture> {
  const { db, now } = ctx;
  const [row] = await listMarkedRows(ctx, pictureId);
  if (!row) throw new AppError("NOT_FOUND");
  const waitMs = (row.ts_review_asked ?? Number.NEGATIVE_INFINITY) + REVIEW_REQUEST_INTERVAL_MS - now;
  if (waitMs > 0) throw new AppError("TOO_MANY_REQUESTS", { retryAfterSeconds: Math.ceil(waitMs / 1000) });
  const forStaff = row.by_staff === 1 || (row.voters ?? 0) < CONSENSUS_VOTERS_MIN;
  await db
    .updateTable("game_item")
    .set({ ts_review_asked: now, tally: "{}", known: sql<string | null>`iif(by_staff, known, null)` })
    .set(
      forStaff
        ? { staff_reason: sql<"owner">`ifnull(staff_reason, 'owner')`, ts_staff: sql<number>`ifnull(ts_staff, ${now})` }
        : {},
    )
    .where("id", "=", row.id)
    .where(sql<boolean>`ts_review_asked is ${row.ts_review_asked}`)
    .execute();
  const [updated] = await listMarkedRows(ctx, pictureId);
  if (!updated) throw new AppError("NOT_FOUND");
  return toMarkedPicture(updated);
}

/** Scheduled: sends reviews that voters left undecided for too long to staff. */
export async function escalateLateReviews(db: Database, now: number): Promise<void> {
  await db
    .updateTable("game_item")
    .set({ staff_reason: "owner", ts_staff: now })
    .where("ts_review_asked", "<=", now - REVIEW_WAIT_MAX_MS)
    .whereRef("ts_review_asked", ">", "ts_decided")
    .where("staff_reason", "is", null)
    .execute();
}
