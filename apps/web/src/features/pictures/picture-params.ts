/** A positive integer of an address, else undefined. */
export function positiveId(text: string | null): number | undefined {
  if (!text || !/^\d{1,15}$/.test(text)) return undefined;
  return Number(text) || undefined;
}

/** `ids=3,1,2`: the ids in their order, without what is none. */
export function idList(text: string | null): number[] {
  return [...new Set((text ?? "").split(",").flatMap((part) => positiveId(part) ?? []))];
}

/** Address of a member's pictures, one at a time. */
export function carouselPath(profileId: number, id: number, ids?: readonly number[]): string {
  return `/profilePicCarousel?profileId=${profileId}&id=${id}${ids ? `&ids=${ids.join(",")}` : ""}`;
}

/** Address of the rating of a member's pictures. */
export function ratePath(profileId: number, startProfilePicId?: number): string {
  return `/profilePicRateSwipe?profileId=${profileId}${startProfilePicId ? `&startProfilePicId=${startProfilePicId}` : ""}`;
}
