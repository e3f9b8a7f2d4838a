/**
 * Inspects the bytes of an uploaded file before anything decodes it: type, size in pixels, completeness. Ignores the file's name and
 * declared type, and returns only the part that the decoder needs.
 */
import { PICTURE_DECODED_MAX_PIXELS, PICTURE_DECODED_MAX_PX, PICTURE_MAX_BYTES } from "@lambda/contract/limits";
import { ByteReader, EndOfBytesError, type ImageInfo } from "./byte-reader.ts";
import { inspectJpeg } from "./jpeg.ts";
import { inspectPng, PNG_SIGNATURE } from "./png.ts";
import { rejectUpload } from "./reject-upload.ts";
import { inspectWebp } from "./webp.ts";

/** Throws an AppError with the reason for rejecting the file; see PICTURE_REFUSALS. */
export function inspectImage(bytes: Uint8Array): ImageInfo {
  if (bytes.length === 0) throw rejectUpload("EMPTY");
  if (bytes.length > PICTURE_MAX_BYTES) throw rejectUpload("BYTES");
  const inspect = inspectorFor(bytes);
  if (!inspect) throw rejectUpload("TYPE");
  let info: ImageInfo;
  try {
    info = inspect(new ByteReader(bytes));
  } catch (error) {
    if (error instanceof EndOfBytesError) throw rejectUpload("TRUNCATED");
    throw error;
  }
  const { width, height } = info;
  if (width === 0 || height === 0) throw rejectUpload("BROKEN");
  if (width > PICTURE_DECODED_MAX_PX || height > PICTURE_DECODED_MAX_PX) throw rejectUpload("SIDE");
  if (width * height > PICTURE_DECODED_MAX_PIXELS) throw rejectUpload("PIXELS");
  return info;
}

function inspectorFor(bytes: Uint8Array): ((file: ByteReader) => ImageInfo) | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return inspectJpeg;
  if (PNG_SIGNATURE.every((byte, index) => bytes[index] === byte)) return inspectPng;
  const ascii = (from: number) => String.fromCharCode(...bytes.subarray(from, from + 4));
  return ascii(0) === "RIFF" && ascii(8) === "WEBP" ? inspectWebp : undefined;
}
