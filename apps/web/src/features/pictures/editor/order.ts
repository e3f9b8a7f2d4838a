/** Pure functions that move pictures within and between the two albums, shared by dragging, keys and buttons. */

export type AlbumName = "public" | "private";

export interface Albums {
  readonly public: number[];
  readonly private: number[];
}

/** The orderable pictures. Pictures that staff hid have no position. */
export function albumsOf(
  pictures: readonly { readonly id: number; readonly audience: string; readonly hiddenByStaff: boolean }[],
): Albums {
  const of = (album: AlbumName) =>
    pictures.filter((picture) => picture.audience === album && !picture.hiddenByStaff).map(({ id }) => id);
  return { public: of("public"), private: of("private") };
}

export function moveBefore(albums: Albums, id: number, album: AlbumName, beforeId?: number): Albums {
  if (id === beforeId) return albums;
  const without = {
    public: albums.public.filter((other) => other !== id),
    private: albums.private.filter((other) => other !== id),
  };
  const list = without[album];
  const at = beforeId === undefined ? list.length : list.indexOf(beforeId);
  list.splice(at === -1 ? list.length : at, 0, id);
  return without;
}

/**
 * Moves a picture towards the front (-1) or the end (1) of its album, by one position among the shown pictures. Hidden
 * pictures keep their positions.
 */
export function moveByOne(albums: Albums, id: number, direction: -1 | 1, shownIds: ReadonlySet<number>): Albums {
  const album = albums.public.includes(id) ? "public" : "private";
  const visible = albums[album].filter((other) => shownIds.has(other));
  const at = visible.indexOf(id);
  const target = visible[at + direction];
  if (at === -1 || target === undefined) return albums;
  if (direction === -1) return moveBefore(albums, id, album, target);
  return moveBefore(albums, id, album, visible[at + 2]);
}

export function sameOrder(one: Albums, other: Albums): boolean {
  return JSON.stringify([one.public, one.private]) === JSON.stringify([other.public, other.private]);
}
