import type { LikeType, ProfileLike } from "@lambda/contract/likes";
import { getQueryKey } from "@trpc/react-query";
import { useCallback } from "react";
import { queryClient } from "../../api/query-client.ts";
import { type RouterOutputs, trpc } from "../../api/trpc.ts";
import { createPressQueue } from "../press-queue.ts";
import { useFailureToast } from "../use-failure-toast.ts";

/** The queries that tell tiles which members the viewer likes. */
const LIKES_QUERY_KEY = getQueryKey(trpc.likes.among);

type Relation = RouterOutputs["profiles"]["relation"] | undefined;

const press = createPressQueue<Relation>();

/**
 * Sets a like with an optimistic update, and rolls it back with an error toast if the server refuses. Presses about the same member reach the
 * server in their order. Resolves to whether it was saved.
 */
export function useLike(): (profileId: number, likeType: LikeType) => Promise<boolean> {
  const utils = trpc.useUtils();
  const { mutateAsync } = trpc.likes.put.useMutation({ onError: useFailureToast() });
  return useCallback(
    (profileId, likeType) => {
      const key = { id: profileId };
      const { relation } = utils.profiles;
      const withLike = (known: Relation, type: LikeType) =>
        known && { ...known, likeType: type, match: type === "LIKE" && known.likesYou };
      const before = relation.getData(key);
      const shown = relation.cancel(key).then(() => relation.setData(key, (known) => withLike(known, likeType)));
      const save = async (stored: Relation) => {
        await shown;
        const saved = await mutateAsync({ likedProfileId: profileId, likeType });
        queryClient.setQueriesData<{ items: ProfileLike[] }>({ queryKey: LIKES_QUERY_KEY }, (known) => {
          const others = known?.items.filter(({ likedProfileId }) => likedProfileId !== profileId);
          return others && { items: saved.likeType === "LIKE" ? [...others, saved] : others };
        });
        // A list on the screen keeps the row, so that a slip can be taken back.
        void utils.likes.briefs.invalidate(undefined, { refetchType: "none" });
        return withLike(stored, saved.likeType);
      };
      return press(profileId, before, save, (stored, isSaved) => {
        if (!isSaved) relation.setData(key, stored);
        // Also after a failure: a call without an answer may have been carried out.
        void relation.invalidate(key);
      });
    },
    [utils, mutateAsync],
  );
}
