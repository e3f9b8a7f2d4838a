/** Voice messages, which are stored before their message and deleted with it. */
import { ONCE_UNSENT_RETENTION_MS } from "@lambda/contract/limits";
import { sql } from "kysely";
import { spendStorage } from "../../pictures/storage-quota.ts";
import { ONCE_PREFIX } from "../../pictures/store.ts";
import { type SweepReport, sweepBucket } from "../../platform/bucket/sweep.ts";
import { type Database, itemsOf } from "../../platform/db/database.ts";
import { openDatabaseOf } from "../../platform/db/message-databases.ts";
import type { VoiceRow } from "../../platform/db/tables.ts";
import type { Env } from "../../platform/env.ts";
import { forEachDue } from "../../platform/for-each.ts";
import { randomHex } from "../../platform/hash.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { visibleTo } from "../../visibility/visibility.ts";
import type { Recording } from "./audio.ts";

/** Voice messages and voice introductions, by member. */
export const VOICES_PREFIX = "voices/";

export type NewRecording = Recording & { readonly peaks: readonly number[] };

export function findVoiceByClientId({ db, viewer }: MemberContext, clientId: string) {
  return db
    .selectFrom("voice")
    .select(["id", "duration_ms"])
    .where("profile_id", "=", viewer.profileId)
    .where("client_id", "=", clientId)
    .executeTakeFirst();
}

/** Stores the bytes before the row, so that every row has bytes. Returns the row's columns about them. */
export async function putRecording(
  ctx: MemberContext,
  prefix: string,
  { bytes, mime, durationMs, peaks }: NewRecording,
  replacedBytes = 0,
) {
  const { profileId } = ctx.viewer;
  await spendStorage(ctx, profileId, bytes.length, replacedBytes);
  const key = `${prefix}${profileId}/${randomHex(16)}`;
  await ctx.env.PICTURES.put(key, bytes, { httpMetadata: { contentType: mime } });
  return { r2_key: key, mime, bytes: bytes.length, duration_ms: durationMs, peaks: JSON.stringify(peaks) };
}

/** A retry returns the stored recording. */
export async function storeVoice(
  ctx: MemberContext,
  voice: NewRecording & { readonly clientId: string; readonly once: boolean },
): Promise<Pick<VoiceRow, "id" | "duration_ms">> {
  const { db, env, viewer, now } = ctx;
  const recording = await putRecording(ctx, voice.once ? ONCE_PREFIX : VOICES_PREFIX, voice);
  const stored = await db
    .insertInto("voice")
    .values({
      profile_id: viewer.profileId,
      client_id: voice.clientId,
      ...recording,
      once: voice.once ? 1 : 0,
      ts_created: now,
      ts_due: now + ONCE_UNSENT_RETENTION_MS,
    })
    .onConflict((conflict) => conflict.columns(["profile_id", "client_id"]).doNothing())
    .returning(["id", "duration_ms"])
    .executeTakeFirst();
  if (stored) return stored;
  // A concurrent retry won.
  await env.PICTURES.delete(recording.r2_key);
  const winner = await findVoiceByClientId(ctx, voice.clientId);
  if (!winner) throw new Error("a voice message was not stored");
  return winner;
}

/** A voice message, for the members of its conversation who still have its message. Those that open once are served by another route. */
export async function findVisibleVoice(ctx: MemberContext, id: number): Promise<VoiceRow | undefined> {
  return (await findVoiceInMain(ctx, id)) ?? findVoiceInOther(ctx, id);
}

async function findVoiceInOther(ctx: MemberContext, id: number): Promise<VoiceRow | undefined> {
  if (ctx.messageDatabases.numbers.length === 0) return undefined;
  const voice = await ctx.db
    .selectFrom("voice as v")
    .innerJoin("profile as p", "p.id", "v.profile_id")
    .selectAll("v")
    .select(sql<0 | 1>`(v.profile_id = ${ctx.viewer.profileId} or ${visibleTo(ctx)})`.as("shown"))
    .where("v.id", "=", id)
    .where("v.once", "=", 0)
    .executeTakeFirst();
  if (!voice?.shown || voice.message_id === null) return undefined;
  const me = ctx.viewer.profileId;
  const message = await openDatabaseOf(ctx.messageDatabases, voice.message_id)
    .db.selectFrom("message as m")
    .select("m.id")
    .where("m.id", "=", voice.message_id)
    .where("m.ts_unsent", "is", null)
    .where(
      sql<boolean>`(m.sender_id = ${me} and m.ts_sender_deleted is null
        or m.recipient_id = ${me} and m.filtered = 0 and m.ts_recipient_deleted is null)`,
    )
    .executeTakeFirst();
  return message && voice;
}

function findVoiceInMain(ctx: MemberContext, id: number): Promise<VoiceRow | undefined> {
  const me = ctx.viewer.profileId;
  return ctx.db
    .selectFrom("voice as v")
    .innerJoin("profile as p", "p.id", "v.profile_id")
    .innerJoin("message as m", "m.id", "v.message_id")
    .selectAll("v")
    .where("v.id", "=", id)
    .where("v.once", "=", 0)
    .where("m.ts_unsent", "is", null)
    .where(
      sql<boolean>`(v.profile_id = ${me} and m.ts_sender_deleted is null
        or m.recipient_id = ${me} and m.filtered = 0 and m.ts_recipient_deleted is null and ${visibleTo(ctx)})`,
    )
    .executeTakeFirst();
}

const DUE_PER_RUN_MAX = 250;

/**
 * Scheduled, and called directly for one message: deletes recordings that are in no message any more. Bytes go first, so that the next run
 * can resume after a failure.
 */
export async function deleteDueVoices(env: Env, db: Database, now: number, messageId?: number): Promise<void> {
  const due = db.selectFrom("voice").select(["id", "r2_key"]).where("ts_due", "<=", now);
  const rows = await (messageId === undefined ? due : due.where("message_id", "=", messageId))
    .limit(DUE_PER_RUN_MAX)
    .execute();
  await forEachDue(rows, (row) => deleteVoice(env, db, row));
}

/** Scheduled: deletes the bytes of introductions that moderation removed. */
export async function deleteRemovedIntroductions(env: Env, db: Database): Promise<void> {
  const removed = await db
    .selectFrom("profile_voice")
    .select(["profile_id", "r2_key"])
    .where("removed", "=", 1)
    .limit(DUE_PER_RUN_MAX)
    .execute();
  await forEachDue(removed, async (row) => {
    await env.PICTURES.delete(row.r2_key);
    // The row stays, so that jurors of an appeal can tell a removed introduction from one that its owner withdrew.
    await db
      .updateTable("profile_voice")
      .set({ removed: 2, bytes: 0 })
      .where("profile_id", "=", row.profile_id)
      .where("r2_key", "=", row.r2_key)
      .execute();
  });
}

export async function deleteVoice(env: Env, db: Database, voice: Pick<VoiceRow, "id" | "r2_key">): Promise<void> {
  await env.PICTURES.delete(voice.r2_key);
  await db.deleteFrom("voice").where("id", "=", voice.id).execute();
}

/** Scheduled: deletes objects without a row. */
export function sweepVoices(env: Env, db: Database, now: number): Promise<SweepReport> {
  const listOrphans = async (keys: readonly string[]) => {
    const rows = await db
      .selectFrom(itemsOf(keys, "k"))
      .select("k.value as key")
      .where(sql<boolean>`not exists (select 1 from voice v where v.r2_key = k.value)`)
      .where(sql<boolean>`not exists (select 1 from profile_voice v where v.r2_key = k.value)`)
      .execute();
    return rows.map(({ key }) => key);
  };
  return sweepBucket(env, db, now, { name: "voices", prefix: VOICES_PREFIX, listOrphans });
}
