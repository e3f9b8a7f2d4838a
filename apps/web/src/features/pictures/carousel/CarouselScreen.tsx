import { useSearchParams } from "wouter";
import { trpc } from "../../../api/trpc.ts";
import { parseId } from "../../../routing/paths.ts";
import { Carousel } from "./Carousel.tsx";

/** Blank without profileId or id. Without `ids` it shows all of the member's pictures that the viewer may see. */
export default function CarouselScreen() {
  const [query] = useSearchParams();
  const profileId = parseId(query.get("profileId"));
  const id = parseId(query.get("id"));
  const { data } = trpc.pictures.list.useQuery({ profileId: profileId ?? 0 }, { enabled: profileId !== undefined });
  if (profileId === undefined || id === undefined) return null;
  const requestedIds = idList(query.get("ids"));
  const pictures = data?.items ?? [];
  const ids = requestedIds.length > 0 ? requestedIds : pictures.map((picture) => picture.id);
  return <Carousel profileId={profileId} id={id} ids={ids.includes(id) ? ids : [id, ...ids]} pictures={pictures} />;
}

/** Parses `3,1,2`, dropping duplicates and invalid ids. */
function idList(text: string | null): number[] {
  return [...new Set((text ?? "").split(",").flatMap((part) => parseId(part) ?? []))];
}
