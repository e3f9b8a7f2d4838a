import { type ByteReader, concatBytes, type ImageInfo } from "./byte-reader.ts";
import { rejectUpload } from "./reject-upload.ts";

/** No camera or program writes more scans, and each one costs the decoder a pass over the whole picture. */
const SCANS_MAX = 100;

const START = Uint8Array.of(0xff, 0xd8);
const END = Uint8Array.of(0xff, 0xd9);

/** Start of frame: all SOFn, which excludes DHT (C4), JPG (C8) and DAC (CC). */
const isStartOfFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
/** Markers without a length: TEM and the restart markers. */
const isStandalone = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
/** Frames, tables, scans and restart intervals. */
const isNeeded = (marker: number) => marker >= 0xc0 && marker <= 0xdf && marker !== 0xc8;
/** The application segments that change how a picture looks. Exif may hold the orientation; re-encoding drops it. */
const KEPT_APPLICATION_DATA = new Map([
  [0xe0, "JFIF\0"],
  [0xe1, "Exif\0"],
  [0xe2, "ICC_PROFILE\0"],
  [0xee, "Adobe"],
]);

/**
 * Walks the markers of a JPEG as decoders do, which pass over stray bytes between segments and go without an end-of-image, and builds a
 * new file of what decoding needs. What follows the end (a phone's depth map, or another file) is cut off. Whether the compressed data
 * are complete is for the decoder to say.
 */
export function inspectJpeg(file: ByteReader): ImageInfo {
  let size: { width: number; height: number } | undefined;
  let scans = 0;
  const kept: Uint8Array[] = [START];
  let at = 2;
  for (;;) {
    at = findMarker(file, at);
    // Without any scan, the rest of the file is missing.
    if (at === file.length && scans === 0) file.need(at, 1);
    const marker = at === file.length ? 0xd9 : file.u8(at + 1);
    if (marker === 0xd9) break;
    if (marker === 0xd8) throw rejectUpload("BROKEN");
    const start = at;
    at += 2;
    if (isStandalone(marker)) continue;
    const length = file.u16be(at);
    if (length < 2) throw rejectUpload("BROKEN");
    file.need(at, length);
    if (isStartOfFrame(marker)) {
      if (size) throw rejectUpload("BROKEN");
      size = { height: file.u16be(at + 3), width: file.u16be(at + 5) };
    }
    at += length;
    if (marker === 0xda) {
      scans += 1;
      if (!size || scans > SCANS_MAX) throw rejectUpload("BROKEN");
      at = endOfScan(file, at);
    }
    if (isNeeded(marker) || isKeptApplicationData(file, start)) kept.push(file.bytes.subarray(start, at));
  }
  if (!size || scans === 0) throw rejectUpload("BROKEN");
  return { type: "image/jpeg", ...size, bytes: concatBytes([...kept, END]) };
}

/** The position of the next marker, past stray bytes, stuffed zeros (FF00) and fill bytes (FFFF), or the end of the file. */
function findMarker({ bytes, length }: ByteReader, from: number): number {
  let at = bytes.indexOf(0xff, from);
  while (at !== -1 && at + 1 < length) {
    const next = bytes[at + 1];
    if (next !== 0x00 && next !== 0xff) return at;
    at = bytes.indexOf(0xff, at + 1);
  }
  return length;
}

/** The position after entropy-coded data, which contain stuffed zeros and restart markers. */
function endOfScan(file: ByteReader, from: number): number {
  let at = findMarker(file, from);
  while (at < file.length && isStandalone(file.u8(at + 1))) at = findMarker(file, at + 2);
  return at;
}

function isKeptApplicationData(file: ByteReader, at: number): boolean {
  const name = KEPT_APPLICATION_DATA.get(file.u8(at + 1));
  if (name === undefined) return false;
  return [...name].every((letter, index) => file.bytes[at + 4 + index] === letter.charCodeAt(0));
}
