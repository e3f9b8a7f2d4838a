import type { Bookmark } from "./bookmarks.ts";

/** The state of the primary database now, by a statement that reads no row. */
export async function currentBookmark(d1: D1Database): Promise<Bookmark | null> {
  const session = d1.withSession("first-primary");
  await session.prepare("select 1").all();
  return session.getBookmark();
}

/** The same, and how many tellings have missed a region until then; one row at most. */
export async function lookAtPrimary(d1: D1Database): Promise<{ bookmark: Bookmark | null; missed: number }> {
  const session = d1.withSession("first-primary");
  const { results } = await session.prepare("select times from missed_telling").all<{ times: number }>();
  return { bookmark: session.getBookmark(), missed: results[0]?.times ?? 0 };
}

/** From now on whoever looks at the primary knows that a region was not told of something. */
export async function countMissedTelling(d1: D1Database): Promise<void> {
  await d1
    .prepare("insert into missed_telling (id, times) values (1, 1) on conflict (id) do update set times = times + 1")
    .run();
}
