/** "/profile-briefs/by-sector/{lat}:{lon}" as Hono sees it; a segment with a colon inside is one parameter, split later. */
export function honoPath(path: string): string {
  return path
    .split("/")
    .map((segment) => {
      const names = [...segment.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      if (names.length === 0) return segment;
      return `:${names.join("__")}`;
    })
    .join("/");
}
