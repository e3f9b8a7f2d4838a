/**
 * Inspects the bytes of an uploaded recording in one of two containers, without decoding it. Blanks, in place, everything that is
 * not on the container's list of parts that make sound.
 */
import { VOICE_MAX_BYTES, VOICE_MAX_MS, VOICE_SLACK_MS } from "@lambda/contract/limits";
import { ByteReader, EndOfBytesError } from "../../pictures/byte-reader.ts";
import { AppError } from "../../platform/errors.ts";
import { InvalidAudioError } from "./invalid-audio-error.ts";
import { cleanMp4 } from "./mp4.ts";
import { cleanWebm } from "./webm.ts";

export interface Recording {
  readonly bytes: Uint8Array;
  readonly mime: "audio/mp4" | "audio/webm";
  readonly durationMs: number;
}

export function rejectVoice(message: string, code: "BAD_INPUT" | "TOO_LARGE" = "BAD_INPUT"): AppError {
  return new AppError(code, { field: "file", message: `file: ${message}` });
}

/**
 * The recording with nothing but its sound, which lasts as declared unless the file says otherwise: a call or an unplugged microphone may
 * interrupt a recording whose clock goes on. Throws BAD_INPUT or TOO_LARGE with the field `file`.
 */
export function inspectVoice(upload: Uint8Array, declaredMs: number): Recording {
  if (upload.length > VOICE_MAX_BYTES) throw rejectVoice("is too large", "TOO_LARGE");
  const bytes = new Uint8Array(upload);
  const mime = mimeOf(bytes);
  if (!mime) throw rejectVoice("is no recording that we know: MP4 or WebM");
  let actualMs: number;
  try {
    actualMs = mime === "audio/mp4" ? cleanMp4(new ByteReader(bytes)) : cleanWebm(new ByteReader(bytes));
  } catch (error) {
    if (error instanceof EndOfBytesError || error instanceof InvalidAudioError)
      throw rejectVoice("is damaged, or holds more than sound");
    throw error;
  }
  // It may be no number, of an endless duration times nothing.
  if (!(actualMs > 0)) throw rejectVoice("holds no sound");
  if (actualMs > VOICE_MAX_MS + VOICE_SLACK_MS) throw rejectVoice("is longer than 30 seconds");
  const isAsDeclared = Math.abs(actualMs - declaredMs) <= VOICE_SLACK_MS;
  return { bytes, mime, durationMs: isAsDeclared ? declaredMs : Math.min(VOICE_MAX_MS, Math.ceil(actualMs)) };
}

function mimeOf(bytes: Uint8Array): Recording["mime"] | undefined {
  if (bytes[0] === 0x1a && bytes[1] === 0x45 && bytes[2] === 0xdf && bytes[3] === 0xa3) return "audio/webm";
  return String.fromCharCode(...bytes.subarray(4, 8)) === "ftyp" ? "audio/mp4" : undefined;
}
