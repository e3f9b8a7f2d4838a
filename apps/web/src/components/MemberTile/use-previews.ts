import { trpc } from "../../api/trpc.ts";
import { chunkIds } from "./chunk-ids.ts";

/** A picture is replaced under another version; its preview may be a day behind. */
const PREVIEWS_STALE_MS = 86_400_000;

/** What stands in the tiles on the screen until their pictures are there, asked for in the same groups as their marks. */
export function usePreviews(ids: readonly number[], from: number, to: number) {
  const answers = trpc.useQueries((t) =>
    chunkIds(ids, from, to).map((profileIds) => t.pictures.previews({ profileIds }, { staleTime: PREVIEWS_STALE_MS })),
  );
  const known = new Map(
    answers.flatMap(({ data }) => data?.items.map(({ pictureId, preview }) => [pictureId, preview] as const) ?? []),
  );
  return (pictureId: number | undefined): { preview?: string } => {
    const preview = pictureId === undefined ? undefined : known.get(pictureId);
    return preview === undefined ? {} : { preview: `data:image/webp;base64,${preview}` };
  };
}
