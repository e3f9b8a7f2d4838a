/**
 * The voice introduction of a profile; a member has at most one. On every request for its bytes it is open to the same members as a picture
 * with the same audience: to its owner, and to others while the owner is visible to them.
 */
import type { ProfileVoice, VoiceAudience } from "@lambda/contract/voices";
import { type RawBuilder, sql } from "kysely";
import { ageAllowsSound } from "../../accounts/age/explicit-pictures.ts";
import { giveBackUpload } from "../../pictures/storage-quota.ts";
import { batch } from "../../platform/db/database.ts";
import { notFound } from "../../platform/errors.ts";
import { randomId } from "../../platform/hash.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { discloseVoiceQuery } from "../../visibility/statements/disclosures.ts";
import { withdrawnByStay } from "../../visibility/stays/stay-rules.ts";
import { albumOpenTo, visibleTo } from "../../visibility/visibility.ts";
import { type NewRecording, putRecording, VOICES_PREFIX } from "./store.ts";

type IntroductionContext = Pick<MemberContext, "brand" | "viewer" | "now" | "env" | "request">;

/** Whether `profile_voice v` is open to the viewer, provided that its owner is visible to them. */
function isOpenTo(ctx: IntroductionContext): RawBuilder<boolean> {
  const clear = ageAllowsSound(ctx) ?? sql<boolean>`1`;
  return sql<boolean>`(v.removed = 0 and (v.audience = 'public' or ${albumOpenTo(ctx, sql.ref("v.profile_id"))})
    and not ${withdrawnByStay("v.profile_id")} and ${clear})`;
}

const AS_JSON = sql`json_object('id', v.id, 'audience', v.audience, 'durationMs', v.duration_ms, 'peaks', json(v.peaks))`;

/** A subquery for the introduction as JSON, or null, in a query of the owner's own profile. */
export function ownIntroductionJson(profile: string): RawBuilder<string | null> {
  return sql`(select ${AS_JSON} from profile_voice v where v.profile_id = ${sql.ref(`${profile}.id`)} and v.removed = 0)`;
}

/** The same in a query of another member's `profile as p`, which has to check that the viewer may see the profile. */
export function visibleIntroductionJson(ctx: IntroductionContext): RawBuilder<string | null> {
  return sql`(select ${AS_JSON} from profile_voice v where v.profile_id = p.id and ${isOpenTo(ctx)})`;
}

/** For its bytes, and for a report. Undefined both when it does not exist and when it is not open to the viewer. */
export function findVisibleIntroduction(ctx: IntroductionContext & Pick<MemberContext, "db">, id: number) {
  return ctx.db
    .selectFrom("profile_voice as v")
    .innerJoin("profile as p", "p.id", "v.profile_id")
    .selectAll("v")
    .where("v.id", "=", id)
    .where("v.removed", "=", 0)
    .where(sql<boolean>`(v.profile_id = ${ctx.viewer.profileId} or (${visibleTo(ctx)} and ${isOpenTo(ctx)}))`)
    .executeTakeFirst();
}

/** The replaced recording is deleted last. */
export async function storeIntroduction(
  ctx: MemberContext,
  voice: NewRecording & { readonly audience: VoiceAudience },
): Promise<ProfileVoice> {
  const { db, env, viewer, now } = ctx;
  const { profileId } = viewer;
  const before = await db
    .selectFrom("profile_voice")
    .selectAll()
    .where("profile_id", "=", profileId)
    .executeTakeFirst();
  const values = {
    id: randomId(),
    audience: voice.audience,
    ...(await putRecording(ctx, VOICES_PREFIX, voice, before?.bytes)),
    removed: 0 as const,
    ts_created: now,
  };
  const [replaced] = await batch(ctx.d1, [
    db.selectFrom("profile_voice").select("r2_key").where("profile_id", "=", profileId),
    db
      .insertInto("profile_voice")
      .values({ profile_id: profileId, ...values })
      .onConflict((conflict) => conflict.column("profile_id").doUpdateSet(values)),
  ]);
  if (replaced[0]) await env.PICTURES.delete(replaced[0].r2_key);
  return { id: values.id, audience: voice.audience, durationMs: voice.durationMs, peaks: [...voice.peaks] };
}

/** Throws NOT_FOUND for a member without an introduction. */
export async function updateIntroduction(ctx: MemberContext, audience: VoiceAudience): Promise<ProfileVoice> {
  const { db, viewer } = ctx;
  if (audience === "public") await batch(ctx.d1, [discloseVoiceQuery(ctx)]);
  const row = await db
    .updateTable("profile_voice")
    .set({ audience })
    .where("profile_id", "=", viewer.profileId)
    .where("removed", "=", 0)
    .returningAll()
    .executeTakeFirstOrThrow(notFound);
  return { id: row.id, audience, durationMs: row.duration_ms, peaks: JSON.parse(row.peaks) as number[] };
}

/** Deletes the row first, so that nobody can play it from now on; the nightly sweep deletes bytes left by a failure. Throws NOT_FOUND. */
export async function deleteIntroduction(ctx: MemberContext): Promise<void> {
  const { db, env, viewer } = ctx;
  const row = await db
    .deleteFrom("profile_voice")
    .where("profile_id", "=", viewer.profileId)
    .where("removed", "=", 0)
    .returning(["r2_key", "profile_id", "bytes", "ts_created"])
    .executeTakeFirstOrThrow(notFound);
  await env.PICTURES.delete(row.r2_key);
  await giveBackUpload(ctx, row, { isPicture: false });
}
