import type { ComingMembers, VisitingMember } from "@lambda/contract/travel";
import { trpc } from "../../../api/trpc.ts";

/** Trips are dated by day, so refetching every ten minutes is enough. */
const FRESH_MS = 10 * 60_000;

export function useComingMembers(enabled = true): readonly VisitingMember[] {
  return trpc.travel.coming.useQuery(undefined, { enabled, staleTime: FRESH_MS }).data?.items ?? [];
}

/** Why the viewer does not see who is coming; null if they do. */
export function useComingClosed(): ComingMembers["closed"] {
  return trpc.travel.coming.useQuery(undefined, { staleTime: FRESH_MS }).data?.closed ?? null;
}
