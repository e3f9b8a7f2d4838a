import type { LikeType, ProfileLike } from "@lambda/contract/likes";
import { useToast } from "@lambda/ui/toast";
import { getQueryKey } from "@trpc/react-query";
import { useCallback } from "react";
import { errorText } from "../../api/error-text.ts";
import { queryClient } from "../../api/query-client.ts";
import { trpc } from "../../api/trpc.ts";

/** What tiles know of the viewer's likes. */
const AMONG = getQueryKey(trpc.likes.among);

/**
 * Sets a like: what screens know of it changes at once, and goes back, with a word, when the server refuses. Resolves to
 * whether it was kept.
 */
export function useLike(): (profileId: number, likeType: LikeType) => Promise<boolean> {
  const utils = trpc.useUtils();
  const toast = useToast();
  const { mutateAsync } = trpc.likes.put.useMutation();
  return useCallback(
    async (profileId, likeType) => {
      const key = { id: profileId };
      await utils.profiles.relation.cancel(key);
      const before = utils.profiles.relation.getData(key);
      if (before) {
        utils.profiles.relation.setData(key, {
          ...before,
          likeType,
          match: likeType === "LIKE" && before.likesYou,
        });
      }
      try {
        const kept = await mutateAsync({ likedProfileId: profileId, likeType });
        queryClient.setQueriesData<{ items: ProfileLike[] }>({ queryKey: AMONG }, (known) => {
          const others = known?.items.filter(({ likedProfileId }) => likedProfileId !== profileId);
          return others && { items: kept.likeType === "LIKE" ? [...others, kept] : others };
        });
        void utils.likes.briefs.invalidate();
        void utils.profiles.relation.invalidate(key);
        return true;
      } catch (error) {
        if (before) utils.profiles.relation.setData(key, before);
        toast({ text: errorText(error), tone: "danger" });
        return false;
      }
    },
    [utils, toast, mutateAsync],
  );
}
