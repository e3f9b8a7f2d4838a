import { TILES_PAGE_SIZE } from "@lambda/contract/limits";
import type { NearbyBrief } from "@lambda/contract/positions";
import { queryClient } from "../../../api/query-client.ts";
import { listedKey } from "../../../components/MemberTile/profile-transition.ts";
import { sortOnlineFirst } from "../search/found-pages.ts";

/** The time that a profile's chunk takes on a slow line. */
const OPENED_MS = 30_000;

/** The ids of the list that the last profile was opened from, in its order. In memory only. */
let list: readonly number[] = [];

interface Neighbors {
  readonly previous: number | undefined;
  readonly next: number | undefined;
}

/** Who stands beside a member in the list that their profile was opened from. */
export function findNeighbors(id: number): Neighbors {
  if (!list.includes(id) || wasJustOpened(id)) list = findList(id);
  const index = list.indexOf(id);
  return { previous: list[index - 1], next: index === -1 ? undefined : list[index + 1] };
}

/** Whether the profile was opened from a list a moment ago. */
const wasJustOpened = (id: number) =>
  Date.now() - (queryClient.getQueryState(listedKey(id))?.dataUpdatedAt ?? 0) < OPENED_MS;

/** The list that was read last among those with this member; empty if the profile was not opened from one. */
function findList(id: number): readonly number[] {
  if (!wasJustOpened(id)) return [];
  const lists = queryClient
    .getQueryCache()
    .findAll()
    .map(({ queryKey, state }) => ({ ids: idsIn(state.data, isTiles(queryKey)), at: state.dataUpdatedAt }))
    .filter(({ ids }) => ids.includes(id))
    .sort((a, b) => b.at - a.at);
  return lists[0]?.ids ?? [];
}

/** The tiles show those online first, whatever the answer's order. */
const isTiles = (key: readonly unknown[]) =>
  new RegExp(`"nearest".*"size":${TILES_PAGE_SIZE}\\b`).test(JSON.stringify(key));

/** The members in the pages of a list; none in any other answer. */
function idsIn(data: unknown, isOnlineFirst: boolean): readonly number[] {
  const { pages = [] } = (data ?? {}) as { pages?: { items?: NearbyBrief[] }[] };
  const ids = pages.flatMap(({ items = [] }) =>
    (isOnlineFirst ? sortOnlineFirst(items) : items).map(({ profileId }) => profileId),
  );
  return [...new Set(ids)].filter((id) => typeof id === "number");
}
