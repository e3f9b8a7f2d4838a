/** All pictures, beginning with one of them; those before it come last. */
export function beginningWith<Item extends { readonly id: number }>(
  pictures: readonly Item[],
  start: number | undefined,
): readonly Item[] {
  const at = pictures.findIndex(({ id }) => id === start);
  return at <= 0 ? pictures : [...pictures.slice(at), ...pictures.slice(0, at)];
}
