/** An object with only these keys, as far as it has them. */
export function pick<Values extends object, Key extends keyof Values>(values: Values, keys: readonly Key[]) {
  const kept = Object.entries(values).filter(([name]) => keys.some((key) => key === name));
  return Object.fromEntries(kept) as Pick<Values, Key>;
}
