import { useEffect, useState } from "react";
import { MEDIA_WAIT_MS, withDeadline } from "../../device/with-deadline.ts";

/** Loads and decodes the stored original: undefined while loading, null if it does not exist. */
export function useOriginal(id: number | undefined, version: number | undefined): HTMLImageElement | null | undefined {
  const [image, setImage] = useState<HTMLImageElement | null>();
  useEffect(() => {
    setImage(id === undefined ? null : undefined);
    if (id === undefined) return;
    let isCurrent = true;
    const loading = new Image();
    loading.src = `/api/profile/pic/${id}?orig=1${version ? `&v=${version}` : ""}`;
    withDeadline(MEDIA_WAIT_MS, () => loading.decode()).then(
      () => isCurrent && setImage(loading),
      () => isCurrent && setImage(null),
    );
    return () => {
      isCurrent = false;
    };
  }, [id, version]);
  return image;
}
