import { DAY_MS, LIKE_FORGOTTEN_MS } from "@lambda/contract/limits";
import type { Database } from "../../platform/db/database.ts";
import { deletePortion } from "../../platform/db/rounds.ts";
import type { Env } from "../../platform/env.ts";

const CURSOR_KEY = "jobs/forgotten-likes.json";
/** What is a year old can wait for a week. */
const PASS_EVERY_MS = 7 * DAY_MS;

interface Cursor {
  readonly after: number;
  readonly tsPass: number;
}

/**
 * Run by schedule: what a member thought of others, who never thought the same of them, goes when it is a year old and they have not been
 * here for that year. Matches stay, and so does all of a member who hides: nobody can say when they were here. Walks through the members
 * by id, since an index by time would cost each like a fifth more.
 */
export async function deleteForgottenLikes(env: Env, db: Database, now: number, atOnce: number): Promise<boolean> {
  const stored = await env.PICTURES.get(CURSOR_KEY);
  const { after, tsPass } = stored ? await stored.json<Cursor>() : { after: 0, tsPass: 0 };
  if (after === 0 && now - tsPass < PASS_EVERY_MS) return false;
  const stretch = db.selectFrom("profile").select("id").where("id", ">", after).orderBy("id").limit(atOnce);
  const { members, last } = await db
    .selectFrom(stretch.as("s"))
    .select(({ fn }) => [fn.countAll<number>().as("members"), fn.max("s.id").as("last")])
    .executeTakeFirstOrThrow();
  const before = now - LIKE_FORGOTTEN_MS;
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
    .limit(atOnce)
    .$asTuple("liker_id", "liked_id");
  const rows = db
    .deleteFrom("profile_like")
    .where(({ refTuple, eb }) => eb(refTuple("liker_id", "liked_id"), "in", forgotten));
  const isSameAgain = await deletePortion(rows, atOnce);
  const isEnd = !isSameAgain && members < atOnce;
  const cursor: Cursor = {
    after: isSameAgain ? after : isEnd ? 0 : Number(last),
    tsPass: after === 0 ? now : tsPass,
  };
  await env.PICTURES.put(CURSOR_KEY, JSON.stringify(cursor));
  return !isEnd;
}
