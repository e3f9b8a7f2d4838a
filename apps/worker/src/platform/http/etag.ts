/** Whether an If-None-Match header names this ETag; it compares weakly. */
export function matchesEtag(header: string | null | undefined, etag: string): boolean {
  return (header ?? "").split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag);
}
