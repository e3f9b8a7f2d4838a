import { DAY_MS, DELETED_GIVEN_BACK_PER_DAY_MAX, HOUR_MS, PICTURE_BYTES_TOTAL_MAX } from "@lambda/contract/limits";
import type { Context } from "../platform/context.ts";
import { quotaExceeded } from "../platform/errors.ts";
import { giveBackImageWork } from "../platform/rate-limits/image-work.ts";
import { giveBackQuota, isWithinLimit, spendQuota } from "../platform/rate-limits/limit.ts";

/**
 * Throws when a quota for the bytes of pictures and recordings is used up. The daily quota is exact under concurrent uploads, the total
 * is only checked before the upload.
 *
 * @param replacedBytes of an earlier upload that this one replaces
 */
export async function spendStorage(
  ctx: Pick<Context, "env" | "db" | "quotas" | "undo">,
  profileId: number,
  bytes: number,
  replacedBytes = 0,
): Promise<void> {
  if (ctx.quotas) {
    const query = ctx.db.selectFrom("stored_bytes").select("pictures").where("profile_id", "=", profileId);
    const stored = ((await query.executeTakeFirst())?.pictures ?? 0) - replacedBytes;
    if (stored + bytes > PICTURE_BYTES_TOTAL_MAX) throw quotaExceeded("pictureBytesTotal", DAY_MS);
  }
  await spendQuota(ctx, "uploads", profileId, { pictureBytes: bytes });
}

/** Gives back what an upload took of its member's day, if it is deleted within an hour. */
export async function giveBackUpload(
  { env, now }: Pick<Context, "env" | "now">,
  {
    profile_id: id,
    bytes,
    ts_created,
  }: { readonly profile_id: number; readonly bytes: number; readonly ts_created: number },
  { isPicture }: { readonly isPicture: boolean },
): Promise<void> {
  if (ts_created < now - HOUR_MS) return;
  if (!(await isWithinLimit(env, `given-back:${id}`, DELETED_GIVEN_BACK_PER_DAY_MAX, DAY_MS))) return;
  await giveBackQuota(env, "uploads", id, { uploadsPerHour: 1, uploads: 1, pictureBytes: bytes });
  if (isPicture) await giveBackImageWork(env, id, Date.now());
}
