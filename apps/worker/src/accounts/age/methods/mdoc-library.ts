import { z } from "zod";

const { customError } = z.config();

/**
 * Importing the library replaces zod's global error messages, including ours. Restores the previous ones at once,
 * because members and API clients read them.
 */
export async function loadMdoc() {
  const library = await import("@owf/mdoc");
  z.config({ customError });
  return library;
}

export type MdocLibrary = Awaited<ReturnType<typeof loadMdoc>>;
