import { QUERY_CACHE_MS } from "@lambda/contract/limits";
import { QueryClient } from "@tanstack/react-query";
import { onWipe } from "../device/wipe.ts";
import { errorStatusOf } from "./error-body.ts";

const RETRIES_MAX = 2;

/** One cache for the page: 24 h by default (SPEC section 9), fresh for half a minute, refetched on focus. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      gcTime: QUERY_CACHE_MS,
      staleTime: 30_000,
      // An answer that names what is wrong will not change by asking again.
      retry: (failures, error) => failures < RETRIES_MAX && (errorStatusOf(error) ?? 500) >= 500,
    },
    // Held back until the network returns, a logout or a block would neither happen nor say that it did not.
    mutations: { networkMode: "always" },
  },
});

onWipe(() => queryClient.clear());
