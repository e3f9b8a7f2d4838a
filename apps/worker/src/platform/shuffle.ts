/** A number from 0 to below 1 that nobody can predict. */
export const secretRandom = (): number => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;

/** A copy in random order (Fisher-Yates). `random` returns numbers from 0 to below 1. */
export function shuffle<Item>(items: readonly Item[], random: () => number = Math.random): Item[] {
  const mixed = [...items];
  for (let index = mixed.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1));
    [mixed[index], mixed[other]] = [mixed[other]!, mixed[index]!];
  }
  return mixed;
}
