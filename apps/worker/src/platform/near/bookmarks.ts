/** A state of the database, as D1 names it. Bookmarks sort like text, from the oldest to the newest. */
export type Bookmark = D1SessionBookmark;

export function newest(one: Bookmark | null, other: Bookmark | null): Bookmark | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}
