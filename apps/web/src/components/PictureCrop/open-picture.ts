import type { OwnPicture } from "@lambda/contract/pictures";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { toApiError } from "../../api/api-error.ts";
import { fetchWithDeadline } from "../../api/fetch-with-deadline.ts";
import { MEDIA_WAIT_MS, withDeadline } from "../../device/with-deadline.ts";
import type { OpenPicture } from "../PictureUpload/draw-aside.ts";

/** Decodes a picture that can be shown and drawn until `closePicture`. */
export async function openPicture(file: Blob, signal: AbortSignal): Promise<OpenPicture> {
  const image = new Image();
  image.src = URL.createObjectURL(file);
  try {
    await withDeadline(MEDIA_WAIT_MS, () => image.decode(), { signal });
    return { image, file };
  } catch (error) {
    closePicture({ image });
    throw error;
  }
}

export const closePicture = (picture: Pick<OpenPicture, "image"> | undefined): void =>
  URL.revokeObjectURL(picture?.image.src ?? "");

/** Opens the stored original. Rejects if it does not exist. */
export async function openOriginal(
  { id, version }: { readonly id: number; readonly version?: number | undefined },
  signal: AbortSignal,
): Promise<OpenPicture> {
  const path = `/api/profile/pic/${id}?orig=1${version ? `&v=${version}` : ""}`;
  const response = await fetchWithDeadline(path, { signal }, "bytes");
  if (!response.ok) throw await toApiError(response);
  return openPicture(await response.blob(), signal);
}

export function useOriginal(picture: OwnPicture | undefined) {
  const query = useQuery({
    queryKey: ["original", picture?.id, picture?.version],
    queryFn: ({ signal }) => openOriginal(picture as OwnPicture, signal),
    enabled: picture !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  useEffect(() => () => closePicture(query.data), [query.data]);
  return query;
}
