import { DAY_MS, LIKE_RETENTION_MS } from "@lambda/contract/limits";
import { deleteChunk } from "../../platform/db/chunked-jobs.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Env } from "../../platform/env.ts";

const CURSOR_KEY = "jobs/forgotten-likes.json";
/** Likes are deleted after a year, so a pass per week is often enough. */
const PASS_EVERY_MS = 7 * DAY_MS;

interface Cursor {
  readonly after: number;
  /** When the last complete pass ended. */
  readonly tsPass: number;
}

/**
 * Scheduled: deletes likes and dislikes that are a year old, without a match, of members who were away for that year; hidden members keep
 * theirs, because it is unknown when they were last here. Goes through members by id, since an index by time would make each like a fifth
 * more expensive.
 */
export async function deleteForgottenLikes(env: Env, db: Database, now: number, limit: number): Promise<boolean> {
  const stored = await env.PICTURES.get(CURSOR_KEY);
  const { after, tsPass } = stored ? await stored.json<Cursor>() : { after: 0, tsPass: 0 };
  if (after === 0 && now - tsPass < PASS_EVERY_MS) return false;
  const range = db.selectFrom("profile").select("id").where("id", ">", after).orderBy("id").limit(limit);
  const { members, last } = await db
    .selectFrom(range.as("s"))
    .select(({ fn }) => [fn.countAll<number>().as("members"), fn.max("s.id").as("last")])
    .executeTakeFirstOrThrow();
  const before = now - LIKE_RETENTION_MS;
  const forgotten = db
    .selectFrom("profile as p")
    .crossJoin("profile_like as l")
    .select(["l.liker_id", "l.liked_id"])
    .whereRef("l.liker_id", "=", "p.id")
    .where("p.id", ">", after)
    .where("p.id", "<=", Number(last))
    .where("p.hidden", "=", 0)
    .where("p.ts_seen", "<", before)
    .where("l.mutual", "=", 0)
    .where("l.ts_created", "<", before)
    .limit(limit)
    .$asTuple("liker_id", "liked_id");
  const rows = db
    .deleteFrom("profile_like")
    .where(({ refTuple, eb }) => eb(refTuple("liker_id", "liked_id"), "in", forgotten));
  const hasMoreInRange = await deleteChunk(rows, limit);
  const isEnd = !hasMoreInRange && members < limit;
  const cursor: Cursor = { after: hasMoreInRange ? after : isEnd ? 0 : Number(last), tsPass: isEnd ? now : tsPass };
  await env.PICTURES.put(CURSOR_KEY, JSON.stringify(cursor));
  return !isEnd;
}
