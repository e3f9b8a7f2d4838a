import { type ByteReader, concatBytes, type ImageInfo } from "./byte-reader.ts";
import { rejectUpload } from "./reject-upload.ts";

export const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/**
 * The chunks that the decoder gets. Texts, large color profiles and private chunks are removed first, as compressed texts can be
 * decompression bombs. eXIf stays because it may hold the orientation; re-encoding drops it.
 */
const KEPT_CHUNKS = new Set(["IHDR", "PLTE", "IDAT", "tRNS", "gAMA", "cHRM", "sRGB", "eXIf", "iCCP"]);
/** Display profiles of phones and cameras are below 4 KB. Without one, wide-gamut skin turns gray. */
const COLOR_PROFILE_MAX_BYTES = 65_536;

const END = Uint8Array.of(0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82);

/**
 * Walks the chunks of a PNG and keeps the needed ones. A missing IEND is added, since decoders go without; what follows it is cut off, and
 * so is what stands behind the pixels without being a chunk.
 */
export function inspectPng(file: ByteReader): ImageInfo {
  if (file.code(12) !== "IHDR" || file.u32be(8) !== 13) throw rejectUpload("BROKEN");
  const width = file.u32be(16);
  const height = file.u32be(20);
  const kept: Uint8Array[] = [Uint8Array.from(PNG_SIGNATURE)];
  let hasData = false;
  let at = PNG_SIGNATURE.length;
  while (!hasData || at + END.length <= file.length) {
    const length = file.u32be(at);
    const kind = file.code(at + 4);
    const end = at + 12 + length;
    const isNamed = /^[A-Za-z]{4}$/.test(kind);
    if (hasData && kind !== "IDAT" && (!isNamed || end > file.length)) break;
    if (!isNamed) throw rejectUpload("BROKEN");
    file.need(at, 12 + length);
    // Behind the pixels it means nothing.
    if (kind === "acTL" && !hasData) throw rejectUpload("ANIMATED");
    if (kind === "IHDR" && at !== PNG_SIGNATURE.length) throw rejectUpload("BROKEN");
    const isTooLarge = kind === "iCCP" && length > COLOR_PROFILE_MAX_BYTES;
    if (kind === "IEND") break;
    if (KEPT_CHUNKS.has(kind) && !isTooLarge) kept.push(file.bytes.subarray(at, end));
    if (kind === "IDAT") hasData = true;
    at = end;
  }
  if (!hasData) throw rejectUpload("BROKEN");
  return { type: "image/png", width, height, bytes: concatBytes([...kept, END]) };
}
