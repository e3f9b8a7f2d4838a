/** One byte range of RFC 9110, in the shape that R2 takes. */
export type ByteRange = { readonly offset: number; readonly length?: number } | { readonly suffix: number };

/**
 * Parses a Range header. Undefined for none, several or an unknown kind, for which the RFC allows sending everything;
 * "unsatisfiable" if no size could satisfy it.
 */
export function parseRange(header: string | undefined): ByteRange | "unsatisfiable" | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? "");
  if (!match) return undefined;
  const [first, last] = [match[1]!, match[2]!];
  if (first === "") {
    if (last === "") return undefined;
    return Number(last) === 0 ? "unsatisfiable" : { suffix: Number(last) };
  }
  if (last === "") return { offset: Number(first) };
  if (Number(last) < Number(first)) return undefined;
  return { offset: Number(first), length: Number(last) - Number(first) + 1 };
}

/** The first and last byte of a range in a body of `size` bytes; undefined if it starts beyond the end. */
export function resolveRange(range: ByteRange, size: number): { first: number; last: number } | undefined {
  const first = "suffix" in range ? Math.max(0, size - range.suffix) : range.offset;
  if (first >= size) return undefined;
  const end = "suffix" in range || range.length === undefined ? size : Math.min(size, first + range.length);
  return { first, last: end - 1 };
}
