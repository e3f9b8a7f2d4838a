/**
 * Parses a Range header (RFC 9110) into the part of a file that it asks for. Undefined for none, several, an invalid or an unknown kind, for which the RFC allows
 * sending everything; "unsatisfiable" for a range beyond the end.
 */
export function parseRange(header: string | null | undefined, size: number) {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? "") ?? [];
  if (first === "" && last === "") return undefined;
  if (first !== "" && last !== "" && Number(last) < Number(first)) return undefined;
  const offset = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size : Math.min(Number(last) + 1, size);
  return offset < end ? { offset, length: end - offset } : "unsatisfiable";
}
