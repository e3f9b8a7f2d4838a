import { type FROM_LIST, listedMembers } from "../../../components/MemberTile/profile-transition.ts";

interface Neighbors {
  readonly previous: number | undefined;
  readonly next: number | undefined;
}

/** Who stands beside a member in the list that this history entry's profile was opened from; nobody if it was opened otherwise. */
export function findNeighbors(id: number): Neighbors {
  const isFromList = (history.state as Partial<typeof FROM_LIST> | null)?.fromList === true;
  const ids = isFromList ? [...new Set(listedMembers().map(({ profileId }) => profileId))] : [];
  const index = ids.indexOf(id);
  return { previous: ids[index - 1], next: index === -1 ? undefined : ids[index + 1] };
}
