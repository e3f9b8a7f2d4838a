/** Joins class names and drops the absent ones. */
export const classes = (...names: unknown[]): string => names.filter(Boolean).join(" ");
