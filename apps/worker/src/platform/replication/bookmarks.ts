/**
 * A state of all databases, as in "main 1=one 2=two": D1's bookmark of the main database, then those of message databases
 * by number; one without a part is unspecified. D1's bookmarks sort as text, from the oldest to the newest.
 */
export type Bookmark = D1SessionBookmark;

const MAIN = 0;

function parseParts(bookmark: Bookmark): Map<number, string> {
  const [main = "", ...others] = bookmark.split(" ");
  const parts = new Map(main === "" ? [] : [[MAIN, main]]);
  for (const other of others) {
    const separator = other.indexOf("=");
    parts.set(Number(other.slice(0, separator)), other.slice(separator + 1));
  }
  return parts;
}

function formatParts(parts: ReadonlyMap<number, string>): Bookmark {
  const others = [...parts].filter(([database]) => database !== MAIN).toSorted(([one], [other]) => one - other);
  return [parts.get(MAIN) ?? "", ...others.map(([database, part]) => `${database}=${part}`)].join(" ");
}

/** The D1 bookmark of one database; null if unspecified. */
export const bookmarkPart = (bookmark: Bookmark | null, database: number): string | null =>
  bookmark === null ? null : (parseParts(bookmark).get(database) ?? null);

/** A state that specifies a single database. */
export const toBookmark = (part: string | null, database: number): Bookmark | null =>
  part === null || database === MAIN ? part : formatParts(new Map([[database, part]]));

/** The state with the newer part of each database. */
export function newest(one: Bookmark | null, other: Bookmark | null): Bookmark | null {
  if (one === null || other === null) return one ?? other;
  const parts = parseParts(one);
  for (const [database, part] of parseParts(other)) {
    const known = parts.get(database);
    if (known === undefined || part > known) parts.set(database, part);
  }
  return formatParts(parts);
}

/** Whether `state` is at least as new in each database that `other` specifies. */
export function isAtLeast(state: Bookmark, other: Bookmark): boolean {
  const parts = parseParts(state);
  return [...parseParts(other)].every(([database, part]) => {
    const reached = parts.get(database);
    return reached !== undefined && reached >= part;
  });
}

/** The parts of `state` for the main database and for those that `other` specifies. */
export function restrictTo(state: Bookmark | null, other: Bookmark | null): Bookmark | null {
  if (state === null) return null;
  const specified = other === null ? new Map<number, string>() : parseParts(other);
  const parts = [...parseParts(state)].filter(([database]) => database === MAIN || specified.has(database));
  return parts.length === 0 ? null : formatParts(new Map(parts));
}
