import type { Bookmark } from "./bookmarks.ts";

/** The state of the primary database now, by a statement that reads no row. */
export async function currentBookmark(d1: D1Database): Promise<Bookmark | null> {
  const session = d1.withSession("first-primary");
  await session.prepare("select 1").all();
  return session.getBookmark();
}
