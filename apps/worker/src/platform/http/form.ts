import { AppError } from "../errors.ts";

/** Room for a form's other fields and boundaries around its file. */
const FORM_EXTRA_BYTES = 65_536;

/**
 * Reads a form with one file, but at most as many bytes as the largest file needs, even without a content-length. Throws `tooLarge()`
 * above them, and BAD_INPUT for a body that is not a form.
 */
export async function readForm(request: Request, fileMaxBytes: number, tooLarge: () => AppError): Promise<FormData> {
  const maxBytes = fileMaxBytes + FORM_EXTRA_BYTES;
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (;;) {
    const read = await reader?.read();
    if (!read || read.done) break;
    const part = read.value as Uint8Array<ArrayBuffer>;
    size += part.length;
    if (size > maxBytes) {
      await reader?.cancel();
      throw tooLarge();
    }
    parts.push(part);
  }
  try {
    const type = request.headers.get("content-type") ?? "";
    return await new Response(new Blob(parts), { headers: { "content-type": type } }).formData();
  } catch {
    throw new AppError("BAD_INPUT", { message: "The body could not be read as a form." });
  }
}

/** A form's fields that hold a text, by name. */
export const readTextFields = (form: FormData) =>
  collectByName([...form].filter(([, value]) => typeof value === "string"));

/** A repeated name becomes a list, which schemas of single values reject: using only one value would ignore the rest. */
export function collectByName(entries: Iterable<[string, unknown]>): Record<string, unknown> {
  const byName = Map.groupBy(entries, ([name]) => name);
  return Object.fromEntries(
    [...byName].map(([name, all]) => [name, all.length === 1 ? all[0]?.[1] : all.map(([, value]) => value)]),
  );
}
