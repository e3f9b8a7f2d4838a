/**
 * The voice introduction of a profile, one a member. Who may hear it is who may see a picture of the same audience: its owner always,
 * another member while the owner is visible to them. Asked at each request for its bytes.
 */
import { DAY_MS, PICTURE_BYTES_TOTAL_MAX } from "@lambda/contract/limits";
import type { ProfileVoice, VoiceAudience } from "@lambda/contract/voices";
import { type RawBuilder, sql } from "kysely";
import { soundClearFor } from "../../members/age/cover.ts";
import { withdrawnByStay } from "../../members/travel/guard.ts";
import { albumOpenTo, visibleTo } from "../../members/visibility/visibility.ts";
import { batch, type Compiled } from "../../platform/db/batch.ts";
import type { Database } from "../../platform/db/database.ts";
import type { ProfileVoiceRow } from "../../platform/db/tables.ts";
import { AppError, quotaUsedUp } from "../../platform/errors.ts";
import { randomHex } from "../../platform/hash.ts";
import { spend } from "../../platform/rate-limits/limit.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { getStoredPictureBytes } from "../pictures/queries.ts";
import type { Recording } from "./audio.ts";
import { VOICES_PREFIX } from "./store.ts";

export interface NewIntroduction extends Recording {
  readonly audience: VoiceAudience;
  readonly durationMs: number;
  readonly peaks: readonly number[];
}

type Asker = Pick<MemberContext, "brand" | "viewer" | "now" | "env" | "request">;

/** On a row of `profile_voice v` whose owner the asker may see: it is for the asker. */
function openTo(asker: Asker): RawBuilder<boolean> {
  const clear = soundClearFor(asker) ?? sql<boolean>`1`;
  return sql<boolean>`(v.removed = 0 and (v.audience = 'public' or ${albumOpenTo(asker, sql.ref("v.profile_id"))})
    and not ${withdrawnByStay("v.profile_id")} and ${clear})`;
}

const AS_JSON = sql`json_object('id', v.id, 'audience', v.audience, 'durationMs', v.duration_ms, 'peaks', json(v.peaks))`;

/** In a query of a joined profile that its owner reads: the introduction as JSON, or null. */
export function ownIntroduction(profile: string): RawBuilder<string | null> {
  return sql`(select ${AS_JSON} from profile_voice v where v.profile_id = ${sql.ref(`${profile}.id`)} and v.removed = 0)`;
}

/** The same in a query of a profile that the asker may see, which the query has to make sure of. */
export function openIntroduction(asker: Asker, profile = "p"): RawBuilder<string | null> {
  return sql`(select ${AS_JSON} from profile_voice v where v.profile_id = ${sql.ref(`${profile}.id`)} and ${openTo(asker)})`;
}

/** For its bytes, and for a report; undefined alike for absent and for not open. */
export function findOpenIntroduction(
  ctx: Asker & Pick<MemberContext, "db">,
  id: number,
): Promise<ProfileVoiceRow | undefined> {
  return ctx.db
    .selectFrom("profile_voice as v")
    .innerJoin("profile as p", "p.id", "v.profile_id")
    .selectAll("v")
    .where("v.id", "=", id)
    .where("v.removed", "=", 0)
    .where(sql<boolean>`(v.profile_id = ${ctx.viewer.profileId} or (${visibleTo(ctx)} and ${openTo(ctx)}))`)
    .executeTakeFirst();
}

/** Bytes first: a row says that they are there. What it replaces goes after. */
export async function storeIntroduction(ctx: MemberContext, voice: NewIntroduction): Promise<ProfileVoice> {
  const { db, env, viewer, now } = ctx;
  const { profileId } = viewer;
  const bytes = voice.bytes.length;
  const before = await findOwn(db, profileId);
  const stored = (await getStoredPictureBytes(db, profileId)) - (before?.bytes ?? 0);
  if (ctx.quotas && stored + bytes > PICTURE_BYTES_TOTAL_MAX) throw quotaUsedUp("pictureBytesTotal", DAY_MS);
  await spend(ctx, "uploads", profileId, { pictureBytes: bytes });
  const key = `${VOICES_PREFIX}${profileId}/${randomHex(16)}`;
  await env.PICTURES.put(key, voice.bytes, { httpMetadata: { contentType: voice.mime } });
  const values = {
    id: Number.parseInt(randomHex(6), 16) + 1,
    audience: voice.audience,
    r2_key: key,
    mime: voice.mime,
    bytes,
    duration_ms: voice.durationMs,
    peaks: JSON.stringify(voice.peaks),
    removed: 0 as const,
    ts_created: now,
  };
  const [replaced] = await batch<[{ r2_key: string }[], unknown[]]>(ctx.d1, [
    db.selectFrom("profile_voice").select("r2_key").where("profile_id", "=", profileId).compile(),
    db
      .insertInto("profile_voice")
      .values({ profile_id: profileId, ...values })
      .onConflict((conflict) => conflict.column("profile_id").doUpdateSet(values))
      .compile(),
  ]);
  if (replaced[0]) await env.PICTURES.delete(replaced[0].r2_key);
  return { id: values.id, audience: voice.audience, durationMs: voice.durationMs, peaks: [...voice.peaks] };
}

function findOwn(db: Database, profileId: number): Promise<ProfileVoiceRow | undefined> {
  return db.selectFrom("profile_voice").selectAll().where("profile_id", "=", profileId).executeTakeFirst();
}

/** Throws NOT_FOUND for a member without one. */
export async function updateIntroduction(
  { db, viewer }: MemberContext,
  audience: VoiceAudience,
): Promise<ProfileVoice> {
  const row = await db
    .updateTable("profile_voice")
    .set({ audience })
    .where("profile_id", "=", viewer.profileId)
    .where("removed", "=", 0)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw new AppError("NOT_FOUND");
  return { id: row.id, audience, durationMs: row.duration_ms, peaks: JSON.parse(row.peaks) as number[] };
}

/** The row first, so that nobody hears it from now on; the nightly sweep takes bytes that a fault leaves. Throws NOT_FOUND as above. */
export async function deleteIntroduction({ db, env, viewer }: MemberContext): Promise<void> {
  const row = await db
    .deleteFrom("profile_voice")
    .where("profile_id", "=", viewer.profileId)
    .where("removed", "=", 0)
    .returning("r2_key")
    .executeTakeFirst();
  if (!row) throw new AppError("NOT_FOUND");
  await env.PICTURES.delete(row.r2_key);
}

/** For the batch of an action: what the case holds of the member's introduction is nobody's any more, and its bytes go at the next run. */
export function removeReportedIntroductionQuery(db: Database, profileId: number, reportId: number): Compiled {
  return db
    .updateTable("profile_voice")
    .set({ removed: 1 })
    .where("profile_id", "=", profileId)
    .where("id", "in", (reported) =>
      reported.selectFrom("evidence").select("source_id").where("report_id", "=", reportId).where("kind", "=", "voice"),
    )
    .compile();
}
