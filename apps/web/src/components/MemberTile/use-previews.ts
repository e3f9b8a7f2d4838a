import { DAY_MS } from "@lambda/contract/limits";
import { trpc } from "../../api/trpc.ts";
import { chunkIds } from "./chunk-ids.ts";

/** The preview of a replaced picture may be up to a day old. */
const PREVIEWS_STALE_MS = DAY_MS;

/** Fetches tiny placeholder images for the tiles on screen, shown until the pictures have loaded. */
export function usePreviews(ids: readonly number[], from: number, to: number) {
  const results = trpc.useQueries((t) =>
    chunkIds(ids, from, to).map((profileIds) => t.pictures.previews({ profileIds }, { staleTime: PREVIEWS_STALE_MS })),
  );
  const previews = new Map(
    results.flatMap(({ data }) => data?.items.map(({ pictureId, preview }) => [pictureId, preview] as const) ?? []),
  );
  return (pictureId: number | undefined): { preview?: string } => {
    const preview = pictureId === undefined ? undefined : previews.get(pictureId);
    return preview === undefined ? {} : { preview: `data:image/webp;base64,${preview}` };
  };
}
