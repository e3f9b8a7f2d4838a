/** A part of a file, as one range of a request asks for it. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/** undefined: the whole, as for several ranges or a header that is none. "none": beyond the end. */
export function rangeOf(header: string | null, size: number): ByteRange | "none" | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? "");
  const [, from = "", to = ""] = match ?? [];
  if (from === "" && to === "") return undefined;
  const offset = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  if (offset > end) return "none";
  return { offset, length: end - offset + 1 };
}
