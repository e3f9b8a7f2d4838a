/** Converts an OpenAPI path to Hono's syntax; in "/by-sector/{lat}:{lon}" the segment becomes one parameter, split by the adapter. */
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
