/** The part of a file that a Range header requests. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/** Undefined (serve the whole file) without a valid header and for several ranges. "unsatisfiable" for a range beyond the end. */
export function parseRange(header: string | null, size: number): ByteRange | "unsatisfiable" | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? "");
  const [, from = "", to = ""] = match ?? [];
  if (from === "" && to === "") return undefined;
  const offset = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  if (offset > end) return "unsatisfiable";
  return { offset, length: end - offset + 1 };
}
