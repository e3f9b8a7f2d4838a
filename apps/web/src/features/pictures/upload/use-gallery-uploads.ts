import { trpc } from "../../../api/trpc.ts";
import { type Uploads, useUploads } from "../../../components/PictureUpload/use-uploads.ts";
import { useSession } from "../../../session/session.ts";

/** Uploads to the member's albums. */
export function useGalleryUploads(): Uploads {
  const { profileId } = useSession();
  const utils = trpc.useUtils();
  return useUploads(profileId, () => {
    void utils.pictures.invalidate();
    void utils.profiles.invalidate();
  });
}
