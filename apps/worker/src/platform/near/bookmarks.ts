/** A state of the database, as D1 names it. Bookmarks sort like text, from the oldest to the newest. */
export type Bookmark = D1SessionBookmark;

export function newest(one: Bookmark | null, other: Bookmark | null): Bookmark | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}

/** The state of the primary database now. */
export async function currentBookmark(d1: D1Database): Promise<Bookmark | null> {
  const session = d1.withSession("first-primary");
  await session.prepare("select 1").all();
  return session.getBookmark();
}
