import { useEffect, useState } from "react";

/** The stored original, decoded: undefined while it loads, null when it is not there (any more). */
export function useOriginal(id: number | undefined, version: number | undefined): HTMLImageElement | null | undefined {
  const [image, setImage] = useState<HTMLImageElement | null>();
  useEffect(() => {
    setImage(id === undefined ? null : undefined);
    if (id === undefined) return;
    let wanted = true;
    const loading = new Image();
    loading.src = `/api/profile/pic/${id}?orig=1${version ? `&v=${version}` : ""}`;
    loading.decode().then(
      () => wanted && setImage(loading),
      () => wanted && setImage(null),
    );
    return () => {
      wanted = false;
    };
  }, [id, version]);
  return image;
}
