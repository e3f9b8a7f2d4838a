import { BLOCKED_REDIRECT_MS } from "@lambda/contract/limits";
import { useToast } from "@lambda/ui/toast";
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { errorText } from "../../api/error-text.ts";
import { queryClient } from "../../api/query-client.ts";
import { trpc } from "../../api/trpc.ts";

/**
 * Blocks a member and goes home after 3 s unless the viewer has left the screen. Cached data must no longer show the blocked member, so
 * inactive queries are removed and active ones refetch when they are next mounted.
 */
export function useBlock(onBlocked?: () => void) {
  const toast = useToast();
  const [, navigate] = useLocation();
  const [blocked, setBlocked] = useState(false);
  const { mutate, isPending } = trpc.likes.put.useMutation({
    onSuccess: () => {
      queryClient.removeQueries({ type: "inactive" });
      void queryClient.invalidateQueries({ refetchType: "none" });
      setBlocked(true);
      onBlocked?.();
    },
    onError: (error) => toast({ text: errorText(error), tone: "danger" }),
  });
  useEffect(() => {
    if (!blocked) return;
    const timer = setTimeout(() => navigate("/"), BLOCKED_REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [blocked, navigate]);
  return { blocked, isPending, block: (likedProfileId: number) => mutate({ likedProfileId, blocked: true }) };
}
