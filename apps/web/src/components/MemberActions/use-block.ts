import { BLOCKED_REDIRECT_MS } from "@lambda/contract/limits";
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { queryClient } from "../../api/query-client.ts";
import { trpc } from "../../api/trpc.ts";
import { useFailureToast } from "../use-failure-toast.ts";

export interface Blocking {
  readonly blocked: boolean;
  readonly isPending: boolean;
  readonly block: (profileId: number) => void;
  /** Takes the block back before the viewer is taken home. */
  readonly undo: (profileId: number) => void;
}

/**
 * Blocks a member and goes home after 3 s unless the viewer has left the screen. Cached data must no longer show the blocked member, so
 * inactive queries are removed and active ones refetch when they are next mounted.
 */
export function useBlock(): Blocking {
  const [, navigate] = useLocation();
  const [blocked, setBlocked] = useState(false);
  const { mutate, isPending } = trpc.likes.put.useMutation({
    onSuccess: (_, { blocked: isBlock }) => {
      queryClient.removeQueries({ type: "inactive" });
      void queryClient.invalidateQueries({ refetchType: "none" });
      setBlocked(isBlock === true);
    },
    onError: useFailureToast(),
  });
  useEffect(() => {
    if (!blocked || isPending) return;
    const timer = setTimeout(() => navigate("/"), BLOCKED_REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [blocked, isPending, navigate]);
  return {
    blocked,
    isPending,
    block: (likedProfileId) => mutate({ likedProfileId, blocked: true }),
    undo: (likedProfileId) => mutate({ likedProfileId, blocked: false }),
  };
}
