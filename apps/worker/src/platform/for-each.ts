import { mayGoOn } from "./db/chunked-jobs.ts";

/** Runs `act` for one item after another. A failing item does not stop the others; the first error is thrown at the end. */
export async function forEachDespiteErrors<Item, Result>(
  items: readonly Item[],
  act: (item: Item) => Promise<Result>,
  mayContinue: () => boolean = () => true,
): Promise<Result[]> {
  const results: Result[] = [];
  const errors: unknown[] = [];
  for (const [index, item] of items.entries()) {
    if (index > 0 && !mayContinue()) break;
    try {
      results.push(await act(item));
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return results;
}

/** The same for what a scheduled job finds due: those beyond its share of the run's budget stay due. */
export function forEachDue<Item, Result>(
  items: readonly Item[],
  act: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  return forEachDespiteErrors(items, act, mayGoOn);
}
