import { type ByteReader, concatBytes, type ImageInfo } from "./byte-reader.ts";
import { rejectUpload } from "./reject-upload.ts";

/** The chunks that the decoder gets. EXIF (for the orientation) and ICCP (for the colors) are dropped by re-encoding. */
const KEPT_FOR_DECODING = new Set(["VP8 ", "VP8L", "VP8X", "ALPH", "EXIF", "ICCP"]);
/** The chunks that may be stored and served: nothing but pixels. */
const KEPT_FOR_SERVING = new Set(["VP8 ", "VP8L", "VP8X", "ALPH"]);
const FLAG_ALPHA = 0x10;
const FLAG_EXIF = 0x08;
const FLAG_COLOR_PROFILE = 0x20;
const FLAG_ANIMATION = 0x02;

interface Chunk {
  readonly kind: string;
  /** Position of the payload. */
  readonly at: number;
  readonly length: number;
}

/** Walks the chunks of a WebP and builds a new file of the needed ones. */
export function inspectWebp(file: ByteReader): ImageInfo {
  const chunks = listChunks(file);
  if (chunks.some(({ kind }) => kind === "ANIM" || kind === "ANMF")) throw rejectUpload("ANIMATED");
  const canvas = chunks.find(({ kind }) => kind === "VP8X");
  if (canvas && file.u8(canvas.at) & FLAG_ANIMATION) throw rejectUpload("ANIMATED");
  const { width, height } = sizeOf(file, chunks);
  if (canvas) {
    const [canvasWidth, canvasHeight] = [file.u24le(canvas.at + 4) + 1, file.u24le(canvas.at + 7) + 1];
    // Only a file made to deceive has a canvas of another size than its image.
    if (canvasWidth !== width || canvasHeight !== height) throw rejectUpload("BROKEN");
  }
  return { type: "image/webp", width, height, bytes: rebuild(file, chunks, KEPT_FOR_DECODING) };
}

/** Removes everything but pixels from a WebP that was encoded here, and returns its size. Throws for anything but a still WebP. */
export function cleanWebp(file: ByteReader): { bytes: Uint8Array; width: number; height: number } {
  const chunks = listChunks(file);
  return { ...sizeOf(file, chunks), bytes: rebuild(file, chunks, KEPT_FOR_SERVING) };
}

function listChunks(file: ByteReader): Chunk[] {
  const end = 8 + file.u32le(4);
  file.need(0, end);
  const chunks: Chunk[] = [];
  for (let at = 12; at + 8 <= end; ) {
    const length = file.u32le(at + 4);
    file.need(at + 8, length);
    if (at + 8 + length > end) throw rejectUpload("BROKEN");
    chunks.push({ kind: file.code(at), at: at + 8, length });
    at += 8 + length + (length & 1);
  }
  return chunks;
}

function sizeOf(file: ByteReader, chunks: readonly Chunk[]): { width: number; height: number } {
  const images = chunks.filter(({ kind }) => kind === "VP8 " || kind === "VP8L");
  const [image] = images;
  if (!image || images.length > 1 || image.length < 10) throw rejectUpload("BROKEN");
  if (image.kind === "VP8L") {
    if (file.u8(image.at) !== 0x2f) throw rejectUpload("BROKEN");
    const bits = file.u32le(image.at + 1);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  // A key frame with its start code, then 14 bits for each dimension.
  const start = [file.u8(image.at + 3), file.u8(image.at + 4), file.u8(image.at + 5)];
  if (file.u8(image.at) & 1 || start[0] !== 0x9d || start[1] !== 0x01 || start[2] !== 0x2a)
    throw rejectUpload("BROKEN");
  return { width: file.u16le(image.at + 6) & 0x3fff, height: file.u16le(image.at + 8) & 0x3fff };
}

function rebuild(file: ByteReader, chunks: readonly Chunk[], kept: ReadonlySet<string>): Uint8Array {
  const parts: Uint8Array[] = [];
  const seen = new Set<string>();
  for (const { kind, at, length } of chunks) {
    if (!kept.has(kind) || seen.has(kind)) continue;
    seen.add(kind);
    const chunk = new Uint8Array(8 + length + (length & 1));
    chunk.set(file.bytes.subarray(at - 8, at + length));
    if (kind === "VP8X")
      chunk[8] = (chunk[8] ?? 0) & (FLAG_ALPHA | (kept.has("EXIF") ? FLAG_EXIF | FLAG_COLOR_PROFILE : 0));
    parts.push(chunk);
  }
  const body = concatBytes(parts);
  const header = new Uint8Array(12);
  header.set(new TextEncoder().encode("RIFF"), 0);
  new DataView(header.buffer).setUint32(4, body.length + 4, true);
  header.set(new TextEncoder().encode("WEBP"), 8);
  return concatBytes([header, body]);
}
