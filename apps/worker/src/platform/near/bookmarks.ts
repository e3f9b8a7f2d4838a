/**
 * A state of the databases: the main one's bookmark, as D1 names it, and after it those of message databases by their numbers, as in
 * "main 1=one 2=two". A part that is missing says nothing of its database. D1's bookmarks sort like text, from the oldest to the newest.
 */
export type Bookmark = D1SessionBookmark;

const MAIN = 0;

function partsOf(bookmark: Bookmark): Map<number, string> {
  const [main = "", ...others] = bookmark.split(" ");
  const parts = new Map(main === "" ? [] : [[MAIN, main]]);
  for (const other of others) {
    const at = other.indexOf("=");
    parts.set(Number(other.slice(0, at)), other.slice(at + 1));
  }
  return parts;
}

function textOf(parts: ReadonlyMap<number, string>): Bookmark {
  const others = [...parts].filter(([database]) => database !== MAIN).toSorted(([one], [other]) => one - other);
  return [parts.get(MAIN) ?? "", ...others.map(([database, part]) => `${database}=${part}`)].join(" ");
}

/** What it says of one database; null where it says nothing. */
export const partOf = (bookmark: Bookmark | null, database: number): string | null =>
  bookmark === null ? null : (partsOf(bookmark).get(database) ?? null);

/** What one database says of itself, as a state of all. */
export const ofDatabase = (part: string | null, database: number): Bookmark | null =>
  part === null || database === MAIN ? part : textOf(new Map([[database, part]]));

/** The newest of each database. */
export function newest(one: Bookmark | null, other: Bookmark | null): Bookmark | null {
  if (one === null || other === null) return one ?? other;
  const parts = partsOf(one);
  for (const [database, part] of partsOf(other)) {
    const known = parts.get(database);
    if (known === undefined || part > known) parts.set(database, part);
  }
  return textOf(parts);
}

/** Whether a state is as new in each database of which the other says anything. */
export function reaches(state: Bookmark, other: Bookmark): boolean {
  const parts = partsOf(state);
  return [...partsOf(other)].every(([database, part]) => {
    const reached = parts.get(database);
    return reached !== undefined && part <= reached;
  });
}

/** Of a state what it says of the main database, and of those that the other names. */
export function limitedTo(state: Bookmark | null, other: Bookmark | null): Bookmark | null {
  if (state === null) return null;
  const named = other === null ? new Map<number, string>() : partsOf(other);
  const parts = [...partsOf(state)].filter(([database]) => database === MAIN || named.has(database));
  return parts.length === 0 ? null : textOf(new Map(parts));
}
