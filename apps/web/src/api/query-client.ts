import { QUERY_CACHE_MS } from "@lambda/contract/limits";
import { QueryClient } from "@tanstack/react-query";
import { onClearLocalData } from "../device/clear-local-data.ts";
import { errorStatusOf, isUnanswered } from "./error-body.ts";

const RETRIES_MAX = 2;
/** Local storage key under which persisted-cache.ts keeps the cache between visits. */
export const PERSISTED_CACHE = "query-cache";

/** The page's query cache: entries are fresh for half a minute, kept for 24 h and refetched on focus. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // By default everything waits while the browser says that it is offline, which is wrong behind some VPNs.
      networkMode: "always",
      refetchOnReconnect: true,
      gcTime: QUERY_CACHE_MS,
      staleTime: 30_000,
      // Retrying does not help when the request itself is at fault (4xx), and nobody waits through three deadlines.
      retry: (failures, error) =>
        failures < (isUnanswered(error) ? 1 : RETRIES_MAX) && (errorStatusOf(error) ?? 500) >= 500,
    },
    // A logout or a block would otherwise silently not happen.
    mutations: { networkMode: "always" },
  },
});

onClearLocalData(() => queryClient.clear());
