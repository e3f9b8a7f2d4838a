import type { LikeType } from "@lambda/contract/likes";
import { useToast } from "@lambda/ui/toast";
import { errorText } from "../../../api/error-text.ts";
import { trpc } from "../../../api/trpc.ts";
import { serverDate } from "../../../device/server-clock.ts";

/** The viewer's ratings of one member's pictures, updated optimistically. */
export function useRatings(profileId: number) {
  const toast = useToast();
  const utils = trpc.useUtils();
  const { data } = trpc.pictureLikes.about.useQuery({ profileId });
  const save = trpc.pictureLikes.put.useMutation({
    onMutate: ({ profilePicId, likeType }) => {
      const previous = utils.pictureLikes.about.getData({ profileId });
      const like = {
        likerProfileId: 0,
        profilePicId: Number(profilePicId),
        profilePicProfileId: profileId,
        likeType,
        tsCreated: serverDate().toISOString(),
      };
      utils.pictureLikes.about.setData({ profileId }, (data) => ({
        items: [...(data?.items ?? []).filter((other) => other.profilePicId !== like.profilePicId), like],
      }));
      return { previous };
    },
    onSuccess: () => {
      void utils.pictureLikes.byLiker.invalidate();
      void utils.likes.briefs.invalidate();
    },
    onError: (error, _, context) => {
      utils.pictureLikes.about.setData({ profileId }, context?.previous);
      toast({ text: errorText(error), tone: "warn" });
    },
  });
  return {
    ratingOf: (id: number): LikeType | undefined => data?.items.find((like) => like.profilePicId === id)?.likeType,
    rate: (profilePicId: number, likeType: LikeType) => save.mutate({ profilePicId, likeType }),
  };
}
