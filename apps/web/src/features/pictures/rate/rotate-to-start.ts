export function rotateToStart<Item extends { readonly id: number }>(
  pictures: readonly Item[],
  startId: number | undefined,
): readonly Item[] {
  const index = pictures.findIndex(({ id }) => id === startId);
  return index <= 0 ? pictures : [...pictures.slice(index), ...pictures.slice(0, index)];
}
