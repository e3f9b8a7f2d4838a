import { type Env, messageDatabases } from "../env.ts";
import { type Bookmark, newest, ofDatabase } from "./bookmarks.ts";

type Databases = Pick<Env, "DB" | `MESSAGES_${number}`>;

/** The state of the primary databases now, by statements that read no row; of message databases those that answer. */
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
  const asked = await Promise.allSettled(
    [...messageDatabases(env)].map(async ([number, d1]) => ofDatabase(await bookmarkOf(d1), number)),
  );
  return asked.map((one) => (one.status === "fulfilled" ? one.value : null)).reduce(newest, null);
}

/** The same, and how many tellings have missed a region until then; one row at most. */
export async function lookAtPrimary(env: Databases): Promise<{ bookmark: Bookmark | null; missed: number }> {
  const session = env.DB.withSession("first-primary");
  const [{ results }, messages] = await Promise.all([
    session.prepare("select times from missed_telling").all<{ times: number }>(),
    messageBookmarks(env),
  ]);
  return { bookmark: newest(session.getBookmark(), messages), missed: results[0]?.times ?? 0 };
}

/** From now on whoever looks at the primary knows that a region was not told of something. */
export async function countMissedTelling(d1: D1Database): Promise<void> {
  await d1
    .prepare("insert into missed_telling (id, times) values (1, 1) on conflict (id) do update set times = times + 1")
    .run();
}
