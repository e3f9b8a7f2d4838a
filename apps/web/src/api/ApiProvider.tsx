import { QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useLocation } from "wouter";
import { hasSession } from "../device/session-cookie.ts";
import { trpcClient } from "./client.ts";
import { queryClient } from "./query-client.ts";
import { trpc } from "./trpc.ts";

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

/** Fetches the session that useSession reads. MemberServices.tsx refetches it at intervals. */
function SessionQuery() {
  // Rerenders on navigation: a session starts and ends with a page change, and cookies emit no events.
  useLocation();
  trpc.accounts.session.useQuery(undefined, { enabled: hasSession() });
  return null;
}
