/**
 * What opens once. The first opening takes the one grant; the bytes go when the reader closes it, at the latest some minutes later.
 * docs/decisions/2026-11-22-opened-once.md says what is kept for a report.
 */
import { ONCE_REPEAT_MS, ONCE_REPORTABLE_MS } from "@lambda/contract/limits";
import { sql } from "kysely";
import { clearFor } from "../../members/age/cover.ts";
import { withdrawnByStay } from "../../members/travel/guard.ts";
import { listedOn, visibleTo } from "../../members/visibility/visibility.ts";
import { batch } from "../../platform/db/batch.ts";
import type { Database } from "../../platform/db/database.ts";
import { openFor, openShards } from "../../platform/db/shards.ts";
import type { Env } from "../../platform/env.ts";
import { AppError } from "../../platform/errors.ts";
import { logFault } from "../../platform/log.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { deletePictureObjects } from "../pictures/store.ts";
import { deleteVoice } from "../voices/store.ts";
import { sendToMember } from "./deliver.ts";

type Found = NonNullable<Awaited<ReturnType<typeof findOnce>>>;

/**
 * Takes the grant for this opening, or finds that this very opening took it a moment ago and its download broke off. Throws HIDING,
 * AGE_PROOF_NEEDED (nothing is spent on what would be shown pixelated), and NOT_FOUND for everybody and everything else.
 */
export async function openOnce(ctx: MemberContext, messageId: number, opening: string): Promise<Found> {
  const { viewer, now } = ctx;
  // The sender is told when it is opened, and a hidden member is nowhere.
  if (viewer.hidden) throw new AppError("HIDING");
  const found = await findOnce(ctx, messageId);
  if (!found) throw new AppError("NOT_FOUND");
  if (!found.clear) throw new AppError("AGE_PROOF_NEEDED");
  if (found.ts_opened === null && (await takeGrant(ctx, messageId, opening))) {
    const event = { type: "opened", messageId, profileId: viewer.profileId, ts: new Date(now).toISOString() } as const;
    ctx.waitUntil(sendToMember(ctx.env, found.sender_id, event, viewer.profileId));
    ctx.waitUntil(sendToMember(ctx.env, viewer.profileId, event, null));
    return found;
  }
  if (await isRepeated(ctx, messageId, opening)) return found;
  throw new AppError("NOT_FOUND");
}

/** What a message to this reader holds, as long as its sender may be seen and nobody holds it. */
function findOnce(ctx: MemberContext, messageId: number) {
  const { db, viewer, brand, now } = ctx;
  return (
    db
      .selectFrom("once_view as o")
      .innerJoin("profile as p", "p.id", "o.sender_id")
      .leftJoin("picture as pic", "pic.id", "o.picture_id")
      .leftJoin("voice as v", "v.id", "o.voice_id")
      .select([
        "o.sender_id",
        "o.ts_opened",
        "pic.id",
        "pic.version",
        "pic.width",
        "v.r2_key",
        "v.mime",
        "v.duration_ms",
      ])
      .select(sql<boolean>`(pic.id is null or ${clearFor(ctx) ?? sql`1`})`.as("clear"))
      .where("o.message_id", "=", messageId)
      .where("o.reader_id", "=", viewer.profileId)
      // Over as soon as the message is gone for its reader, or was kept from them: a trigger sees to it.
      .where("o.ts_due", ">", now)
      .where(
        sql<boolean>`(pic.id is null or pic.hidden_by_staff = 0) and not exists (select 1 from notice_picture n where n.picture_id = pic.id and n.state in ('hidden', 'removed'))`,
      )
      // Where it endangers its sender its column says so; where it endangers its reader, it waits unopened.
      .where(
        sql<boolean>`(pic.id is null or (pic.nsfw_owner = 0 and pic.nsfw_community = 0) or not ${withdrawnByStay(viewer.profileId)})`,
      )
      .where(visibleTo(ctx))
      .where(
        sql<boolean>`exists (select 1 from profile me where me.id = ${viewer.profileId} and ${listedOn(brand, "me")})`,
      )
      .executeTakeFirst()
  );
}

/** True for one caller alone: of several at once the first that writes. */
async function takeGrant(ctx: MemberContext, messageId: number, opening: string): Promise<boolean> {
  const { db, viewer, now } = ctx;
  const messages = openFor(ctx.shards, messageId);
  const marked = markOpenedQuery(messages.db, messageId, now);
  const [taken] = await batch<[{ id: number }[], unknown[]]>(ctx.d1, [
    db
      .updateTable("once_view")
      .set({ ts_opened: now, ts_due: now + ONCE_REPORTABLE_MS, session_id: viewer.sessionId, opening })
      .where("message_id", "=", messageId)
      .where("ts_opened", "is", null)
      .where("ts_due", ">", now)
      .returning("id")
      .compile(),
    ...(messages.shard === 0
      ? [
          marked
            .where((eb) =>
              eb.exists(
                eb
                  .selectFrom("once_view")
                  .select("id")
                  .where("message_id", "=", messageId)
                  .where("opening", "=", opening),
              ),
            )
            .compile(),
        ]
      : []),
  ]);
  // In another database it follows; where that fails the grant is taken all the same, and it is marked when the bytes go.
  if (taken.length > 0 && messages.shard !== 0)
    await marked.execute().catch((error) => logFault({ id: ctx.requestId, event: "once-marked" }, error));
  return taken.length > 0;
}

/** So that its sender reads when it was opened. */
function markOpenedQuery(db: Database, messageId: number, now: number) {
  return db
    .updateTable("message")
    .set({ attachment: sql<string>`json_set(attachment, '$.tsOpened', ${new Date(now).toISOString()})` })
    .where("id", "=", messageId)
    .where("attachment", "is not", null);
}

/** The same device with the word that it opened with, within a minute. */
async function isRepeated({ db, viewer, now }: MemberContext, messageId: number, opening: string): Promise<boolean> {
  const row = await db
    .selectFrom("once_view")
    .select("id")
    .where("message_id", "=", messageId)
    .where("opening", "=", opening)
    .where("session_id", "=", viewer.sessionId)
    .where("ts_opened", ">", now - ONCE_REPEAT_MS)
    .where("ts_due", ">", now)
    .executeTakeFirst();
  return row !== undefined;
}

/** The reader has closed it: its bytes go now. The same answer whether there was anything left; what fails is done by the schedule. */
export async function closeOnce(ctx: MemberContext, messageId: number): Promise<void> {
  const closed = await ctx.db
    .updateTable("once_view")
    .set({ ts_due: 0 })
    .where("message_id", "=", messageId)
    .where("reader_id", "=", ctx.viewer.profileId)
    .where("ts_opened", "is not", null)
    .returning("id")
    .execute();
  if (closed.length === 0) return;
  await deleteDueOnce(ctx.env, ctx.db, ctx.now, messageId).catch((error) =>
    logFault({ id: ctx.requestId, event: "once-closed" }, error),
  );
}

const DUE_PER_RUN_MAX = 250;

/**
 * Run by schedule, and at once for one message: bytes and rows of what was opened, taken back, expired or never sent. Bytes first, so that
 * a run that breaks off is taken up by the next. Rows of an earlier time do no harm here: what they call due was due then. One that fails
 * keeps none of the others from going; the first error is thrown in the end.
 */
export async function deleteDueOnce(env: Env, db: Database, now: number, messageId?: number): Promise<void> {
  const due = db
    .selectFrom("once_view as o")
    .leftJoin("picture as pic", "pic.id", "o.picture_id")
    .leftJoin("voice as v", "v.id", "o.voice_id")
    .select(["o.sender_id as profile_id", "o.message_id", "o.ts_opened"])
    .select(["pic.id", "pic.version", "v.id as voice_id", "v.r2_key"])
    .where("o.ts_due", "<=", now);
  const rows = await (messageId === undefined ? due : due.where("o.message_id", "=", messageId))
    .limit(DUE_PER_RUN_MAX)
    .execute();
  const errors: unknown[] = [];
  for (const row of rows) await deleteOnce(env, db, row).catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}

interface DueRow {
  readonly profile_id: number;
  readonly message_id: number | null;
  readonly ts_opened: number | null;
  readonly id: number | null;
  readonly version: number | null;
  readonly voice_id: number | null;
  readonly r2_key: string | null;
}

/** The row stays until its message says that it was opened. */
async function deleteOnce(env: Env, db: Database, row: DueRow): Promise<void> {
  const { profile_id, id, version, voice_id, r2_key } = row;
  if (r2_key !== null) await env.PICTURES.delete(r2_key);
  if (id !== null && version !== null) await deletePictureObjects(env, { profile_id, id, version, audience: "once" });
  await markOpenedElsewhere(env, row);
  if (voice_id !== null && r2_key !== null) await deleteVoice(env, db, { id: voice_id, r2_key });
  if (id !== null) await db.deleteFrom("picture").where("id", "=", id).where("audience", "=", "once").execute();
}

async function markOpenedElsewhere(env: Env, { message_id, ts_opened }: DueRow): Promise<void> {
  if (message_id === null || ts_opened === null) return;
  const messages = openFor(openShards(env), message_id);
  if (messages.shard === 0) return;
  const isMarked = sql<boolean>`attachment ->> '$.tsOpened' is not null`;
  await markOpenedQuery(messages.db, message_id, ts_opened).where(sql<boolean>`not ${isMarked}`).execute();
}
