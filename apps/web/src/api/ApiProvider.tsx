import { QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useLocation } from "wouter";
import { hasSession } from "../device/session-cookie.ts";
import { trpcClient } from "./client.ts";
import { queryClient } from "./query-client.ts";
import { trpc } from "./trpc.ts";

/** How often unread counts are asked for while no socket tells of them. */
const SESSION_REFETCH_MS = 60_000;

/** What screens make their calls with. */
export function ApiProvider({ children }: { children: ReactNode }) {
  return (
    <trpc.Provider client={trpcClient} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <SessionQuery />
        {children}
      </QueryClientProvider>
    </trpc.Provider>
  );
}

/** Keeps the session's answer fresh for all who read it through useSession. */
function SessionQuery() {
  // A session begins and ends with a change of page; its cookie tells of neither.
  useLocation();
  trpc.accounts.session.useQuery(undefined, { enabled: hasSession(), refetchInterval: SESSION_REFETCH_MS });
  return null;
}
