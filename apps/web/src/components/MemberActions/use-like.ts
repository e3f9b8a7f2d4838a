import type { LikeType, ProfileLike } from "@lambda/contract/likes";
import { getQueryKey } from "@trpc/react-query";
import { useCallback } from "react";
import { queryClient } from "../../api/query-client.ts";
import { type RouterOutputs, trpc } from "../../api/trpc.ts";
import { useFailureToast } from "../use-failure-toast.ts";

/** The queries that tell tiles which members the viewer likes. */
const LIKES_QUERY_KEY = getQueryKey(trpc.likes.among);

/** The presses about one member that are not saved yet. */
interface Waiting {
  count: number;
  /** Settles with the last of them. */
  last: Promise<unknown>;
  /** What the server has, if a screen shows it. */
  stored: RouterOutputs["profiles"]["relation"] | undefined;
}

const waitingFor = new Map<number, Waiting>();

/**
 * Sets a like with an optimistic update, and rolls it back with an error toast if the server refuses. Presses about the same member reach the
 * server in their order. Resolves to whether it was saved.
 */
export function useLike(): (profileId: number, likeType: LikeType) => Promise<boolean> {
  const utils = trpc.useUtils();
  const showFailure = useFailureToast();
  const { mutateAsync } = trpc.likes.put.useMutation();
  return useCallback(
    (profileId, likeType) => {
      const key = { id: profileId };
      const { relation } = utils.profiles;
      const withLike = (known: Waiting["stored"], type: LikeType) =>
        known && { ...known, likeType: type, match: type === "LIKE" && known.likesYou };
      const waiting = waitingFor.get(profileId) ?? { count: 0, last: Promise.resolve(), stored: relation.getData(key) };
      waitingFor.set(profileId, waiting);
      waiting.count += 1;
      const { last } = waiting;
      const save = async () => {
        await relation.cancel(key);
        relation.setData(key, (known) => withLike(known, likeType));
        await last;
        const saved = await mutateAsync({ likedProfileId: profileId, likeType });
        waiting.stored = withLike(waiting.stored, saved.likeType);
        queryClient.setQueriesData<{ items: ProfileLike[] }>({ queryKey: LIKES_QUERY_KEY }, (known) => {
          const others = known?.items.filter(({ likedProfileId }) => likedProfileId !== profileId);
          return others && { items: saved.likeType === "LIKE" ? [...others, saved] : others };
        });
        // A list on the screen keeps the row, so that a slip can be taken back.
        void utils.likes.briefs.invalidate(undefined, { refetchType: "none" });
      };
      const saving = save().then(
        () => true,
        (error: unknown) => {
          showFailure(error);
          return false;
        },
      );
      const settled = saving.then((isSaved) => {
        waiting.count -= 1;
        if (waiting.count > 0) return isSaved;
        waitingFor.delete(profileId);
        if (!isSaved) relation.setData(key, waiting.stored);
        // Also after a failure: a call without an answer may have been carried out.
        void relation.invalidate(key);
        return isSaved;
      });
      waiting.last = settled;
      return settled;
    },
    [utils, showFailure, mutateAsync],
  );
}
