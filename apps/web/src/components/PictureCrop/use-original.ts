import type { OwnPicture } from "@lambda/contract/pictures";
import { useQuery } from "@tanstack/react-query";
import { MEDIA_WAIT_MS, withDeadline } from "../../device/with-deadline.ts";

/** Loads and decodes the stored original. */
export function useOriginal(picture: OwnPicture | undefined) {
  return useQuery({
    queryKey: ["original", picture?.id, picture?.version],
    queryFn: async () => {
      const image = new Image();
      image.src = `/api/profile/pic/${picture?.id}?orig=1${picture?.version ? `&v=${picture.version}` : ""}`;
      await withDeadline(MEDIA_WAIT_MS, () => image.decode());
      return image;
    },
    enabled: picture !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
}
