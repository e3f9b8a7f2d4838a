/** Runs `act` for one item after another. A failing item does not stop the others; the first error is thrown at the end. */
export async function forEachDespiteErrors<Item, Result>(
  items: readonly Item[],
  act: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const errors: unknown[] = [];
  for (const item of items) {
    try {
      results.push(await act(item));
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return results;
}
