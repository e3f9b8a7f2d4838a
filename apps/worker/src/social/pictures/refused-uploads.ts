/** Uploads that are refused until staff have looked at them. */
import { REFUSED_UPLOADS_WAITING_MAX } from "@lambda/contract/limits";
import { sql } from "kysely";
import type { Context } from "../../platform/context.ts";
import { batch } from "../../platform/db/batch.ts";
import type { PerceptualHash } from "../../platform/images/perceptual-hash.ts";
import type { EncodedPicture } from "./encode.ts";
import { type NewMatch, storeMatchCopy } from "./known/held.ts";
import { insertPictureQueries } from "./queries.ts";

interface RefusedUpload {
  readonly profileId: number;
  readonly original: EncodedPicture;
  readonly hash: PerceptualHash;
  readonly sealedPrint: Uint8Array;
  readonly match: NewMatch;
}

/**
 * Keeps a copy for staff, who get a case. The same file again adds nothing, nor do more than a few that wait. The picture's own row is in
 * no album and has no bytes; the nightly job deletes it.
 */
export async function reportRefusal(
  ctx: Pick<Context, "env" | "d1" | "db" | "now">,
  refused: RefusedUpload,
): Promise<void> {
  const { profileId, original, hash, sealedPrint, match } = refused;
  const { waiting, known } = await ctx.db
    .selectFrom("known_picture_match as m")
    .leftJoin("report as r", "r.id", "m.report_id")
    .select(({ fn }) => fn.countAll<number>().as("waiting"))
    .select(sql<number>`coalesce(sum(m.digest = ${match.digest}), 0)`.as("known"))
    .where("m.profile_id", "=", profileId)
    .where("m.effect", "=", "refused")
    .where((eb) => eb.or([eb("r.id", "is", null), eb("r.state", "<>", "decided")]))
    .executeTakeFirstOrThrow();
  if (known > 0 || waiting >= REFUSED_UPLOADS_WAITING_MAX) return;
  const { width, height } = original;
  await storeMatchCopy(ctx.env, match, original.bytes);
  await batch(
    ctx.d1,
    insertPictureQueries(ctx.db, {
      ...{ profileId, audience: "chat", width, height, bytes: 0, placeholder: "", preview: "" },
      ...{ nsfw: true, harmless: false, hash, sealedPrint, match, now: ctx.now },
    }),
  );
}
