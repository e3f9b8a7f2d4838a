/** Joins class names and drops the absent ones. */
export function classes(...names: unknown[]): string {
  return names.filter((name) => typeof name === "string" && name !== "").join(" ");
}
