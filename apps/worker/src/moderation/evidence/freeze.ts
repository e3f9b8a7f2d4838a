/**
 * Freezes the content that a report is about: texts as they are now, pictures and recordings as copies of their bytes.
 * Content that the reporter may not see is left out silently.
 */

import { characteristicsFromBits } from "@lambda/contract/characteristics";
import { pick } from "@lambda/contract/pick";
import { PROFILE_TEXTS, textsAt } from "@lambda/contract/profile-texts";
import { sql } from "kysely";
import { listOpenOncePictures, listReportable, listReportableVoices } from "../../messaging/messages/reportable.ts";
import { findVisibleIntroduction } from "../../messaging/voices/introduction.ts";
import { findVisiblePicture } from "../../pictures/access.ts";
import { EVIDENCE_PREFIX } from "../../pictures/known/held.ts";
import { getVariant, type StoredPicture } from "../../pictures/store.ts";
import { type SweepReport, sweepBucket } from "../../platform/bucket/sweep.ts";
import { type Database, insertFrom, itemsOf, openDatabase, type Query, rowsOf } from "../../platform/db/database.ts";
import type { Env } from "../../platform/env.ts";
import { randomHex, randomId, sha256 } from "../../platform/hash.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { isSettled } from "./settled.ts";

export interface FrozenItem {
  readonly kind: "profile" | "message" | "picture" | "voice";
  readonly authorId: number;
  readonly sourceId: number;
  /** Differs once the source was replaced: a case keeps a copy of each version that was reported. */
  readonly version: string;
  readonly body: Record<string, string | number | boolean>;
  readonly tsSource: number;
  readonly r2Key: string | null;
  /** Not public when reported: staff see it, jurors do not. */
  readonly staffOnly?: boolean;
}

/** Width of a frozen picture in pixels: enough to judge it, no more. */
const EVIDENCE_WIDTH = 1024;

export async function freezeProfile(db: Database, subjectId: number, now: number): Promise<FrozenItem> {
  const row = await db
    .selectFrom("profile")
    .select(["profile_name", "characteristics", ...PROFILE_TEXTS])
    .where("id", "=", subjectId)
    .executeTakeFirstOrThrow();
  const text = textsAt("text")
    .map((name) => row[name])
    .filter((words) => words !== "")
    .join("\n");
  const facts = pick(row, textsAt("fact"));
  const characteristics = characteristicsFromBits(row.characteristics).join(", ");
  const body = { name: row.profile_name, text, ...facts, characteristics };
  return {
    kind: "profile",
    authorId: subjectId,
    sourceId: subjectId,
    version: await sha256(JSON.stringify(body)),
    body,
    tsSource: now,
    r2Key: null,
  };
}

/** Freezes messages between reporter and subject, and the subject's broadcasts on this brand. */
export async function freezeMessages(
  ctx: MemberContext,
  subjectId: number,
  ids: readonly number[],
): Promise<FrozenItem[]> {
  if (ids.length === 0) return [];
  const rows = await listReportable(ctx, subjectId, ids);
  // Copies of voice messages, for staff only.
  const voices = await listReportableVoices(
    ctx,
    rows.map(({ id }) => id),
  );
  const copies = voices.map(async ({ r2_key, mime, message_id }): Promise<[number, string] | undefined> => {
    const stored = await ctx.env.PICTURES.get(r2_key);
    if (!stored || message_id === null) return undefined;
    return [message_id, await putCopy(ctx.env, await stored.arrayBuffer(), mime)];
  });
  const voiceKeys = new Map((await Promise.all(copies)).filter((copy) => copy !== undefined));
  return rows.map((row) => ({
    kind: "message" as const,
    authorId: row.sender_id,
    sourceId: row.id,
    // A recording that opens once can be copied only while it is open.
    version: voiceKeys.has(row.id) ? "voice" : "",
    body: {
      text: row.body_text,
      pictures: (JSON.parse(row.picture_ids) as number[]).length,
      broadcast: row.recipient_id === null,
      ...(row.once && { openedOnce: true }),
      ...(voiceKeys.has(row.id) && { voice: true }),
    },
    tsSource: row.ts_created,
    r2Key: voiceKeys.get(row.id) ?? null,
  }));
}

/** Copies the subject's pictures that the reporter may see now. */
export async function freezePictures(
  ctx: MemberContext,
  subjectId: number,
  ids: readonly number[],
): Promise<FrozenItem[]> {
  const items = await Promise.all(
    [...new Set(ids)].map(async (id): Promise<FrozenItem | undefined> => {
      const picture = await findVisiblePicture(ctx, id);
      if (!picture || picture.profile_id !== subjectId) return undefined;
      return freezePicture(ctx.env, picture, ctx.now, picture.audience !== "public");
    }),
  );
  return items.filter((item) => item !== undefined);
}

/**
 * Copies pictures that open once and that the reporter has open at this moment. Before they are opened the reporter may
 * not see them, and minutes later their bytes are gone.
 */
export async function freezeOpenOncePictures(
  ctx: MemberContext,
  subjectId: number,
  messageIds: readonly number[],
): Promise<FrozenItem[]> {
  if (messageIds.length === 0) return [];
  const rows = await listOpenOncePictures(ctx, subjectId, messageIds);
  return Promise.all(rows.map((row) => freezePicture(ctx.env, { ...row, nsfw: row.nsfw === 1 }, ctx.now, true)));
}

export async function freezePicture(
  env: Env,
  picture: StoredPicture & { nsfw: boolean },
  now: number,
  staffOnly = false,
): Promise<FrozenItem> {
  const body = await getVariant(env, picture, EVIDENCE_WIDTH);
  const bytes = body && (body instanceof Uint8Array ? body : await new Response(body).arrayBuffer());
  const r2Key = bytes ? await putCopy(env, bytes, "image/webp", ".webp") : null;
  return {
    kind: "picture",
    authorId: picture.profile_id,
    sourceId: picture.id,
    version: `${picture.version}`,
    body: { text: "", nsfw: picture.nsfw, version: picture.version },
    tsSource: now,
    r2Key,
    staffOnly,
  };
}

/** Stores a copy for staff and jurors, and returns its key. */
async function putCopy(env: Env, bytes: ArrayBuffer | Uint8Array, contentType: string, extension = "") {
  const key = `${EVIDENCE_PREFIX}${randomHex(16)}${extension}`;
  await env.PICTURES.put(key, bytes, { httpMetadata: { contentType } });
  return key;
}

/** Adds frozen items to an open case, each version once, and remembers which of its reporters brought them. */
export function insertEvidenceQueries(
  db: Database,
  caseRef: string,
  items: readonly FrozenItem[],
  reporterId?: number,
): Query[] {
  const inserts: Query[] = items.map((item) =>
    db
      .insertInto("evidence")
      .values((eb) => ({
        id: randomId(),
        report_id: eb.selectFrom("report").select("id").where("case_ref", "=", caseRef),
        author_id: item.authorId,
        kind: item.kind,
        source_id: item.sourceId,
        version: item.version,
        body: JSON.stringify(item.body),
        r2_key: item.r2Key,
        staff_only: item.staffOnly ? 1 : 0,
        ts_source: item.tsSource,
      }))
      .onConflict((conflict) => conflict.columns(["report_id", "kind", "source_id", "version"]).doNothing()),
  );
  if (reporterId === undefined) return inserts;
  const brought = db
    .selectFrom(rowsOf(items, ["kind", "sourceId", "version"], "i"))
    .innerJoin("evidence as e", (join) =>
      join
        .onRef("e.kind", "=", "i.kind")
        .onRef("e.source_id", "=", "i.sourceId")
        .onRef("e.version", "=", "i.version")
        .on("e.report_id", "=", (eb) => eb.selectFrom("report").select("id").where("case_ref", "=", caseRef)),
    )
    .select("e.id as evidence_id");
  const insertFilers = insertFrom(db, "evidence_filer", brought, { reporter_id: reporterId });
  return [...inserts, insertFilers.onConflict((conflict) => conflict.doNothing())];
}

/** Stays below R2's limit of 1,000 keys in one delete call. */
const OBJECTS_PER_RUN_MAX = 500;

/** Scheduled: deletes the evidence of settled cases. Returns whether more may be left. */
export async function deleteSettledEvidence(env: Env, now: number, limit: number): Promise<boolean> {
  const db = openDatabase(env.DB);
  const max = Math.min(limit, OBJECTS_PER_RUN_MAX);
  // From the evidence, of which only open and recent cases have any: settled cases are kept and grow for years.
  const rows = await db
    .selectFrom("evidence as e")
    .crossJoin("report as r")
    .select(["e.id", "e.r2_key"])
    .whereRef("r.id", "=", "e.report_id")
    .where(isSettled(now))
    .limit(max)
    .execute();
  const keys = rows.map((row) => row.r2_key).filter((key) => key !== null);
  if (keys.length > 0) await env.PICTURES.delete(keys);
  const ids = rows.map((row) => row.id);
  await db
    .deleteFrom("evidence")
    .where("id", "in", (settled) => settled.selectFrom(itemsOf(ids, "s")).select("s.value"))
    .execute();
  return rows.length === max;
}

/** Scheduled: deletes copies whose case was purged with its account, or whose report was never filed. */
export function deleteOrphanedEvidence(env: Env, now: number): Promise<SweepReport> {
  const db = openDatabase(env.DB);
  const listOrphans = async (keys: readonly string[]) => {
    const orphaned = await db
      .selectFrom(itemsOf(keys, "k"))
      .select("k.value as key")
      .where(sql<boolean>`not exists (select 1 from evidence e where e.r2_key = k.value)`)
      .where(
        sql<boolean>`not exists (select 1 from known_picture_match m where m.r2_key = k.value and m.report_id is null)`,
      )
      .execute();
    return orphaned.map(({ key }) => key);
  };
  return sweepBucket(env, db, now, { name: "evidence", prefix: EVIDENCE_PREFIX, listOrphans });
}

/** Copies the subject's voice introduction if the reporter may hear it now. Jurors hear only a public one. */
export async function freezeIntroduction(
  ctx: MemberContext,
  subjectId: number,
  id: number | undefined,
): Promise<FrozenItem[]> {
  const voice = id === undefined ? undefined : await findVisibleIntroduction(ctx, id);
  const stored = voice?.profile_id === subjectId ? await ctx.env.PICTURES.get(voice.r2_key) : null;
  if (!voice || !stored) return [];
  const r2Key = await putCopy(ctx.env, await stored.arrayBuffer(), voice.mime);
  return [
    {
      kind: "voice",
      authorId: subjectId,
      sourceId: voice.id,
      version: `${voice.ts_created}`,
      body: { text: "", durationMs: voice.duration_ms, tsUploaded: voice.ts_created },
      tsSource: ctx.now,
      r2Key,
      staffOnly: voice.audience !== "public",
    },
  ];
}
