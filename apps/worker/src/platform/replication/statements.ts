import { type Env, messageDatabases } from "../env.ts";
import { type Bookmark, newest, toBookmark } from "./bookmarks.ts";

type Databases = Pick<Env, "DB" | `MESSAGES_${number}`>;

/** The current state of the primaries, without reading rows; message databases that fail are left unspecified. */
export async function currentBookmark(env: Databases): Promise<Bookmark | null> {
  const [main, messages] = await Promise.all([bookmarkOf(env.DB), messageBookmarks(env)]);
  return newest(main, messages);
}

async function bookmarkOf(d1: D1Database): Promise<string | null> {
  const session = d1.withSession("first-primary");
  await session.prepare("select 1").all();
  return session.getBookmark();
}

async function messageBookmarks(env: Databases): Promise<Bookmark | null> {
  const results = await Promise.allSettled(
    [...messageDatabases(env)].map(async ([number, d1]) => toBookmark(await bookmarkOf(d1), number)),
  );
  return results.map((result) => (result.status === "fulfilled" ? result.value : null)).reduce(newest, null);
}

/** The same, with the number of announcements that failed to reach a region so far; reads at most one row. */
export async function readPrimaryState(env: Databases): Promise<{ bookmark: Bookmark | null; missed: number }> {
  const session = env.DB.withSession("first-primary");
  const [{ results }, messages] = await Promise.all([
    session.prepare("select count from missed_announcement").all<{ count: number }>(),
    messageBookmarks(env),
  ]);
  return { bookmark: newest(session.getBookmark(), messages), missed: results[0]?.count ?? 0 };
}

/** Records in the primary that a region missed an announcement, so that all regions learn of it when they check the primary. */
export async function recordMissedAnnouncement(d1: D1Database): Promise<void> {
  await d1
    .prepare(
      "insert into missed_announcement (id, count) values (1, 1) on conflict (id) do update set count = count + 1",
    )
    .run();
}
