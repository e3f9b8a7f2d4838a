import type { ByteReader } from "./byte-reader.ts";
import type { ImageInfo } from "./image-info.ts";
import { rejectUpload } from "./reject-upload.ts";

/** No camera or program writes more scans, and each one costs the decoder a pass over the whole picture. */
const SCANS_MAX = 100;

/** Start of frame: all SOFn, which excludes DHT (C4), JPG (C8) and DAC (CC). */
const isStartOfFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
/** Markers without a length: TEM and the restart markers. */
const isStandalone = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);

/**
 * Walks the markers of a JPEG to its end-of-image and cuts off what follows (a phone's depth map, or another file). Rejects files without
 * a frame, a scan or an end.
 */
export function inspectJpeg(file: ByteReader): ImageInfo {
  let size: { width: number; height: number } | undefined;
  let scans = 0;
  let at = 2;
  for (;;) {
    if (file.u8(at) !== 0xff) throw rejectUpload("BROKEN");
    const marker = file.u8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    at += 2;
    if (marker === 0xd9) break;
    if (isStandalone(marker)) continue;
    if (marker === 0xd8 || marker === 0x00) throw rejectUpload("BROKEN");
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
  }
  if (!size || scans === 0) throw rejectUpload("BROKEN");
  return { type: "image/jpeg", ...size, bytes: file.bytes.subarray(0, at) };
}

/** The position of the next marker after entropy-coded data: an FF that is neither stuffed (FF00), a restart marker, nor a fill byte. */
function endOfScan(file: ByteReader, from: number): number {
  const { bytes } = file;
  let at = from;
  for (;;) {
    at = bytes.indexOf(0xff, at);
    if (at === -1) file.need(file.length, 1);
    const next = file.u8(at + 1);
    if (next !== 0x00 && next !== 0xff && !isStandalone(next)) return at;
    at += next === 0xff ? 1 : 2;
  }
}
