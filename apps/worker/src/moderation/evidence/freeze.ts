/**
 * Freezes what a report is about: words as they were, pictures as copies of their bytes. What the reporter may not see is left
 * out without a word.
 */
import { characteristicsFromBits } from "@lambda/contract/characteristics";
import { APPEAL_WINDOW_MS } from "@lambda/contract/limits";
import { sql } from "kysely";
import type { Compiled } from "../../platform/db/batch.ts";
import { type Database, openDatabase } from "../../platform/db/database.ts";
import type { Env } from "../../platform/env.ts";
import { randomHex } from "../../platform/hash.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { findOpenPicture } from "../../social/pictures/access.ts";
import { getVariant } from "../../social/pictures/store.ts";

export interface FrozenItem {
  readonly kind: "profile" | "message" | "picture";
  readonly authorId: number;
  readonly sourceId: number;
  readonly body: Record<string, string | number | boolean>;
  readonly tsSource: number;
  readonly r2Key: string | null;
  /** Was not public: staff see it, no juror does. */
  readonly staffOnly?: boolean;
}

const EVIDENCE_PREFIX = "evidence/";

/** Width of a frozen picture: enough to judge, no more. */
const EVIDENCE_WIDTH = 1024;

/** The profile's words at this moment. */
export async function freezeProfile(db: Database, subjectId: number, now: number): Promise<FrozenItem> {
  const row = await db
    .selectFrom("profile")
    .select(["profile_name", "description", "height", "weight", "characteristics"])
    .where("id", "=", subjectId)
    .executeTakeFirstOrThrow();
  return {
    kind: "profile",
    authorId: subjectId,
    sourceId: subjectId,
    body: {
      name: row.profile_name,
      text: row.description,
      height: row.height,
      weight: row.weight,
      characteristics: characteristicsFromBits(row.characteristics).join(", "),
    },
    tsSource: now,
    r2Key: null,
  };
}

/** Messages between reporter and subject, and the subject's broadcasts on this brand. */
export async function freezeMessages(
  ctx: MemberContext,
  subjectId: number,
  ids: readonly number[],
): Promise<FrozenItem[]> {
  if (ids.length === 0) return [];
  const me = ctx.viewer.profileId;
  const rows = await ctx.db
    .selectFrom("message")
    .select(["id", "sender_id", "recipient_id", "body_text", "picture_ids", "ts_created"])
    .where("id", "in", ids)
    .where("ts_unsent", "is", null)
    .where((eb) =>
      eb.or([
        eb.and([eb("sender_id", "=", subjectId), eb("recipient_id", "=", me)]),
        eb.and([eb("sender_id", "=", me), eb("recipient_id", "=", subjectId)]),
        eb.and([eb("sender_id", "=", subjectId), eb("recipient_id", "is", null), eb("brand", "=", ctx.brand.id)]),
      ]),
    )
    .execute();
  return rows.map((row) => ({
    kind: "message" as const,
    authorId: row.sender_id,
    sourceId: row.id,
    body: {
      text: row.body_text,
      pictures: (JSON.parse(row.picture_ids) as number[]).length,
      broadcast: row.recipient_id === null,
    },
    tsSource: row.ts_created,
    r2Key: null,
  }));
}

/** Pictures of the subject that the reporter may see now, as copies. */
export async function freezePictures(
  ctx: MemberContext,
  subjectId: number,
  ids: readonly number[],
): Promise<FrozenItem[]> {
  const items = await Promise.all(
    [...new Set(ids)].map(async (id): Promise<FrozenItem | undefined> => {
      const picture = await findOpenPicture(ctx, id);
      if (!picture || picture.profile_id !== subjectId) return undefined;
      const frozen = await freezePicture(ctx.env, picture, ctx.now);
      return { ...frozen, staffOnly: picture.audience !== "public" };
    }),
  );
  return items.filter((item) => item !== undefined);
}

export async function freezePicture(
  env: Env,
  picture: { id: number; profile_id: number; version: number; nsfw: boolean },
  now: number,
): Promise<FrozenItem> {
  const body = await getVariant(env, picture, EVIDENCE_WIDTH);
  let r2Key: string | null = null;
  if (body) {
    r2Key = `${EVIDENCE_PREFIX}${randomHex(16)}.webp`;
    const bytes = body instanceof Uint8Array ? body : await new Response(body).arrayBuffer();
    await env.PICTURES.put(r2Key, bytes, { httpMetadata: { contentType: "image/webp" } });
  }
  return {
    kind: "picture",
    authorId: picture.profile_id,
    sourceId: picture.id,
    body: { text: "", nsfw: picture.nsfw, version: picture.version },
    tsSource: now,
    r2Key,
  };
}

/** Adds frozen items to an open case; what was frozen for it before stays as it was then. */
export function insertEvidenceQueries(db: Database, caseRef: string, items: readonly FrozenItem[]): Compiled[] {
  return items.map((item) =>
    sql`insert into evidence (report_id, author_id, kind, source_id, body, r2_key, staff_only, ts_source)
      select id, ${item.authorId}, ${item.kind}, ${item.sourceId}, ${JSON.stringify(item.body)}, ${item.r2Key},
        ${item.staffOnly ? 1 : 0}, ${item.tsSource} from report where case_ref = ${caseRef}
      on conflict (report_id, kind, source_id) do nothing`.compile(db),
  );
}

/** Run by schedule: what was frozen goes when a case is decided and can be appealed no more. */
export async function deleteSettledEvidence(env: Env, now: number): Promise<void> {
  const db = openDatabase(env.DB);
  const { rows } = await sql<{ id: number; r2_key: string | null }>`
    select e.id, e.r2_key from report r join evidence e on e.report_id = r.id
    where r.state = 'decided' and r.ts_decided < ${now - APPEAL_WINDOW_MS}
      and not exists (select 1 from appeal a where a.report_id = r.id and a.result is null) limit 500`.execute(db);
  const keys = rows.map((row) => row.r2_key).filter((key) => key !== null);
  if (keys.length > 0) await env.PICTURES.delete(keys);
  await sql`delete from evidence where id in (select value from json_each(${JSON.stringify(rows.map((row) => row.id))}))`.execute(
    db,
  );
}

/** Run by schedule: copies whose case is gone (a purged account), or that were never filed. */
export async function deleteOrphanedEvidence(env: Env, now: number): Promise<void> {
  let cursor: string | undefined;
  do {
    const page = await env.PICTURES.list({ prefix: EVIDENCE_PREFIX, limit: 500, ...(cursor && { cursor }) });
    const keys = page.objects
      .filter((object) => now - object.uploaded.getTime() > 3_600_000)
      .map((object) => object.key);
    if (keys.length > 0) {
      const { results } = await env.DB.prepare(
        "select k.value as key from json_each(?) k where not exists (select 1 from evidence e where e.r2_key = k.value)",
      )
        .bind(JSON.stringify(keys))
        .all<{ key: string }>();
      if (results.length > 0) await env.PICTURES.delete(results.map((row) => row.key));
    }
    cursor = page.truncated ? page.cursor : undefined;
  } while (cursor);
}
