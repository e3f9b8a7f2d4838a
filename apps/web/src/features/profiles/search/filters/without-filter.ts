import type { Filters } from "./filters.ts";

export function withoutFilter(filters: Filters, name: keyof Filters | "age", tag?: string): Filters {
  if (name === "age") {
    const { ageMin: _low, ageMax: _high, ...rest } = filters;
    return rest;
  }
  if (name === "characteristics" && tag !== undefined) {
    const remaining = (filters.characteristics ?? []).filter((other) => other !== tag);
    const { characteristics: _all, ...rest } = filters;
    return remaining.length > 0 ? { ...rest, characteristics: remaining } : rest;
  }
  const { [name]: _removed, ...rest } = filters;
  return rest;
}
