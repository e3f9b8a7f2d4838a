/**
 * Judges an uploaded file by its own bytes before anything decodes it: kind, size in pixels, completeness. The file's name
 * and declared type are never asked. Answers the part of it that the decoder needs.
 */
import { PICTURE_DECODED_MAX_PIXELS, PICTURE_DECODED_MAX_PX, PICTURE_MAX_BYTES } from "@lambda/contract/limits";
import { ByteReader, OutOfBytes } from "./byte-reader.ts";
import { judgeJpeg } from "./jpeg.ts";
import type { Judged } from "./judged.ts";
import { judgePng, PNG_SIGNATURE } from "./png.ts";
import { refuse } from "./refusal.ts";
import { judgeWebp } from "./webp.ts";

/** Throws an AppError that says why the file is refused; see PICTURE_REFUSALS. */
export function judgePicture(bytes: Uint8Array): Judged {
  if (bytes.length === 0) throw refuse("EMPTY");
  if (bytes.length > PICTURE_MAX_BYTES) throw refuse("BYTES");
  const walk = walkerFor(bytes);
  if (!walk) throw refuse("TYPE");
  let judged: Judged;
  try {
    judged = walk(new ByteReader(bytes));
  } catch (error) {
    if (error instanceof OutOfBytes) throw refuse("TRUNCATED");
    throw error;
  }
  const { width, height } = judged;
  if (width === 0 || height === 0) throw refuse("BROKEN");
  if (width > PICTURE_DECODED_MAX_PX || height > PICTURE_DECODED_MAX_PX) throw refuse("SIDE");
  if (width * height > PICTURE_DECODED_MAX_PIXELS) throw refuse("PIXELS");
  return judged;
}

function walkerFor(bytes: Uint8Array): ((file: ByteReader) => Judged) | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return judgeJpeg;
  if (PNG_SIGNATURE.every((byte, index) => bytes[index] === byte)) return judgePng;
  const ascii = (from: number) => String.fromCharCode(...bytes.subarray(from, from + 4));
  return ascii(0) === "RIFF" && ascii(8) === "WEBP" ? judgeWebp : undefined;
}
