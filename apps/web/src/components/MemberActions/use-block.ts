import { BLOCKED_REDIRECT_MS } from "@lambda/contract/limits";
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { queryClient } from "../../api/query-client.ts";
import { trpc } from "../../api/trpc.ts";
import { useFailureToast } from "../use-failure-toast.ts";

export type Blocking = ReturnType<typeof useBlock>;

/**
 * Blocks the shown member and goes home after 3 s unless the viewer has left the screen, looks at another member, or takes the block back.
 * Cached data must no longer show the blocked member, so inactive queries are removed and active ones refetch when they are next mounted.
 */
export function useBlock(shownId: number | undefined, onUndone?: () => void) {
  const [, navigate] = useLocation();
  const [blockedId, setBlockedId] = useState<number>();
  const blocked = blockedId !== undefined && blockedId === (shownId ?? blockedId);
  const { mutate, isPending } = trpc.likes.put.useMutation({
    onSuccess: (_, { likedProfileId, blocked: isBlock }) => {
      queryClient.removeQueries({ type: "inactive" });
      void queryClient.invalidateQueries({ refetchType: "none" });
      setBlockedId(isBlock ? Number(likedProfileId) : undefined);
      if (!isBlock) onUndone?.();
    },
    onError: useFailureToast(),
  });
  useEffect(() => {
    if (!blocked || isPending) return;
    const timer = setTimeout(() => navigate("/"), BLOCKED_REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [blocked, isPending, navigate]);
  const put = (id: number | undefined, isBlock: boolean) => {
    if (id !== undefined) mutate({ likedProfileId: id, blocked: isBlock });
  };
  // The screen may already have lost whom it showed.
  return { blocked, isPending, block: () => put(shownId, true), undo: () => put(blockedId, false) };
}
