/** Moving pictures within and between the two albums; pure, so that drag, keys and buttons share it. */

export type AlbumName = "public" | "private";

export interface Albums {
  readonly public: number[];
  readonly private: number[];
}

/** What is sorted: the pictures whose order others see. What staff hid has no place. */
export function albumsOf(
  pictures: readonly { readonly id: number; readonly audience: string; readonly hiddenByStaff: boolean }[],
): Albums {
  const of = (album: AlbumName) =>
    pictures.filter((picture) => picture.audience === album && !picture.hiddenByStaff).map(({ id }) => id);
  return { public: of("public"), private: of("private") };
}

/** Puts a picture before another one, or at the end of an album. */
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
 * One step towards the front (-1) or the end (1) of its album, among the pictures that are shown; what is out of sight
 * keeps its place between its neighbours.
 */
export function step(albums: Albums, id: number, way: -1 | 1, shown: ReadonlySet<number>): Albums {
  const album = albums.public.includes(id) ? "public" : "private";
  const visible = albums[album].filter((other) => shown.has(other));
  const at = visible.indexOf(id);
  const target = visible[at + way];
  if (at === -1 || target === undefined) return albums;
  if (way === -1) return moveBefore(albums, id, album, target);
  return moveBefore(albums, id, album, visible[at + 2]);
}

export function sameOrder(one: Albums, other: Albums): boolean {
  return JSON.stringify([one.public, one.private]) === JSON.stringify([other.public, other.private]);
}
