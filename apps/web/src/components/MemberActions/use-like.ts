import type { LikeType, ProfileLike } from "@lambda/contract/likes";
import { getQueryKey } from "@trpc/react-query";
import { useCallback } from "react";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { queryClient } from "../../api/query-client.ts";
import { type RouterOutputs, trpc } from "../../api/trpc.ts";
import { onClearLocalData } from "../../device/clear-local-data.ts";
import { createPressQueue } from "../press-queue.ts";
import { useFailureToast } from "../use-failure-toast.ts";

/** The queries that tell tiles which members the viewer likes. */
const LIKES_QUERY_KEY = getQueryKey(trpc.likes.among);

type Relation = RouterOutputs["profiles"]["relation"] | undefined;

const press = createPressQueue<Relation>();

/** What was pressed since this page was opened, on whichever screen, by profile id. */
const pressed = createStore<Readonly<Record<number, LikeType | undefined>>>(() => ({}));
onClearLocalData(() => pressed.setState({}, true));

/** Whether a member was judged on any screen since this page was opened. */
export function useIsJudged(): (profileId: number) => boolean {
  const likes = useStore(pressed);
  return useCallback((profileId) => (likes[profileId] ?? "UNDETERMINED") !== "UNDETERMINED", [likes]);
}

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
      const pressedBefore = pressed.getState()[profileId];
      pressed.setState({ [profileId]: likeType });
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
        if (!isSaved) {
          relation.setData(key, stored);
          pressed.setState({ [profileId]: pressedBefore });
        }
        // Also after a failure: a call without an answer may have been carried out.
        void relation.invalidate(key);
      });
    },
    [utils, mutateAsync],
  );
}
