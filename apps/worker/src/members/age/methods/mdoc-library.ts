import { z } from "zod";

const { customError } = z.config();

/**
 * The library writes the messages of every zod error anew as it is loaded, also of ours. So whatever stood before is put back at once:
 * members and their programs read these messages.
 */
export async function loadMdoc() {
  const library = await import("@owf/mdoc");
  z.config({ customError });
  return library;
}

export type MdocLibrary = Awaited<ReturnType<typeof loadMdoc>>;
