import type { LikeType, ProfileLike } from "@lambda/contract/likes";
import { getQueryKey } from "@trpc/react-query";
import { useCallback } from "react";
import { queryClient } from "../../api/query-client.ts";
import { trpc } from "../../api/trpc.ts";
import { useFailureToast } from "../use-failure-toast.ts";

/** The queries that tell tiles which members the viewer likes. */
const LIKES_QUERY_KEY = getQueryKey(trpc.likes.among);

/** Sets a like with an optimistic update, and rolls it back with an error toast if the server refuses. Resolves to whether it was saved. */
export function useLike(): (profileId: number, likeType: LikeType) => Promise<boolean> {
  const utils = trpc.useUtils();
  const showFailure = useFailureToast();
  const { mutateAsync } = trpc.likes.put.useMutation();
  return useCallback(
    async (profileId, likeType) => {
      const key = { id: profileId };
      await utils.profiles.relation.cancel(key);
      const previous = utils.profiles.relation.getData(key);
      if (previous) {
        const match = likeType === "LIKE" && previous.likesYou;
        utils.profiles.relation.setData(key, { ...previous, likeType, match });
      }
      try {
        const saved = await mutateAsync({ likedProfileId: profileId, likeType });
        queryClient.setQueriesData<{ items: ProfileLike[] }>({ queryKey: LIKES_QUERY_KEY }, (known) => {
          const others = known?.items.filter(({ likedProfileId }) => likedProfileId !== profileId);
          return others && { items: saved.likeType === "LIKE" ? [...others, saved] : others };
        });
        // A list on the screen keeps the row, so that the member can take back what he pressed.
        void utils.likes.briefs.invalidate(undefined, { refetchType: "none" });
        void utils.profiles.relation.invalidate(key);
        return true;
      } catch (error) {
        if (previous) utils.profiles.relation.setData(key, previous);
        showFailure(error);
        return false;
      }
    },
    [utils, showFailure, mutateAsync],
  );
}
