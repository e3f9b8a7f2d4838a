import { QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useLocation } from "wouter";
import { hasSession } from "../device/session-cookie.ts";
import { trpcClient } from "./client.ts";
import { queryClient } from "./query-client.ts";
import { trpc } from "./trpc.ts";

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

/** Asks for the session's answer, which useSession reads everywhere; beside a member's screens it is asked again (MemberServices.tsx). */
function SessionQuery() {
  // A session begins and ends with a change of page; its cookie tells of neither.
  useLocation();
  trpc.accounts.session.useQuery(undefined, { enabled: hasSession() });
  return null;
}
