import { DAY_MS, PICTURE_BYTES_TOTAL_MAX } from "@lambda/contract/limits";
import type { Context } from "../platform/context.ts";
import { quotaExceeded } from "../platform/errors.ts";
import { spendQuota } from "../platform/rate-limits/limit.ts";

/**
 * Throws when a quota for the bytes of pictures and recordings is used up. The daily quota is exact under concurrent uploads, the total
 * is only checked before the upload.
 *
 * @param replacedBytes of an earlier upload that this one replaces
 */
export async function spendStorage(
  ctx: Pick<Context, "env" | "db" | "quotas">,
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
