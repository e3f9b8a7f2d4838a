import { parseId } from "../../routing/paths.ts";

/** Parses `3,1,2`, dropping duplicates and invalid ids. */
export function idList(text: string | null): number[] {
  return [...new Set((text ?? "").split(",").flatMap((part) => parseId(part) ?? []))];
}
