import { MEMBERS_ASKED_MAX } from "@lambda/contract/limits";

/**
 * The members from..to of a long list, in the fixed groups that one call may ask about: whoever scrolls asks for each group
 * once. A member who stands twice in a group is asked for once.
 */
export function chunkIds(ids: readonly number[], from: number, to: number): number[][] {
  const groups: number[][] = [];
  if (to <= from) return groups;
  const first = Math.floor(from / MEMBERS_ASKED_MAX) * MEMBERS_ASKED_MAX;
  for (let start = first; start < Math.min(to, ids.length); start += MEMBERS_ASKED_MAX) {
    groups.push([...new Set(ids.slice(start, start + MEMBERS_ASKED_MAX))]);
  }
  return groups;
}
