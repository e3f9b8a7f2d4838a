/**
 * One page of a list whose query read a row more than `size`, which tells whether another page follows: an exact multiple ends
 * without an empty page.
 */
export function pageOf<Row, Item, Cursor>(
  rows: readonly Row[],
  size: number,
  toItem: (row: Row) => Item,
  cursorOf: (last: Row) => Cursor,
): { items: Item[]; nextCursor?: Cursor } {
  const items = rows.slice(0, size).map(toItem);
  return rows.length > size ? { items, nextCursor: cursorOf(rows[size - 1]!) } : { items };
}
