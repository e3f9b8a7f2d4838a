import { QUERY_CACHE_MS } from "@lambda/contract/limits";
import { QueryClient } from "@tanstack/react-query";
import { onClearLocalData } from "../device/clear-local-data.ts";
import { errorStatusOf } from "./error-body.ts";

const RETRIES_MAX = 2;
/** Name in local storage of what persisted-cache.ts keeps between visits. */
export const PERSISTED_CACHE = "query-cache";

/** One cache for the page: 24 h by default, fresh for half a minute, refetched on focus. */
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

onClearLocalData(() => queryClient.clear());
