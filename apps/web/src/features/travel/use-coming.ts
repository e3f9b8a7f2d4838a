import type { ComingMember } from "@lambda/contract/travel";
import { trpc } from "../../api/trpc.ts";

/** Days change slowly: asked at most once in ten minutes, whatever is opened. */
const FRESH_MS = 10 * 60_000;

export function useComing(enabled = true): readonly ComingMember[] {
  return trpc.travel.coming.useQuery(undefined, { enabled, staleTime: FRESH_MS }).data?.items ?? [];
}
