/** Parses a positive integer from the URL. */
export function positiveId(text: string | null): number | undefined {
  if (!text || !/^\d{1,15}$/.test(text)) return undefined;
  return Number(text) || undefined;
}

/** Parses `3,1,2`, dropping duplicates and invalid ids. */
export function idList(text: string | null): number[] {
  return [...new Set((text ?? "").split(",").flatMap((part) => positiveId(part) ?? []))];
}

export function carouselPath(profileId: number, id: number, ids?: readonly number[]): string {
  return `/profilePicCarousel?profileId=${profileId}&id=${id}${ids ? `&ids=${ids.join(",")}` : ""}`;
}

export function ratePath(profileId: number, startProfilePicId?: number): string {
  return `/profilePicRateSwipe?profileId=${profileId}${startProfilePicId ? `&startProfilePicId=${startProfilePicId}` : ""}`;
}
