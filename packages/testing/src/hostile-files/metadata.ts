/**
 * Metadata that cameras and programs write into picture files. All of it contains SECRET, so that a search finds a
 * leak.
 */
import { pngChunk } from "../png.ts";

export const SECRET = "SECRET-PLACE-52.516N-13.377E";

const text = (value: string) => Buffer.from(value, "latin1");

/** A TIFF block with an orientation, a description and a GPS directory (52°31' N, 13°22' E). */
export function exif(orientation = 1): Buffer {
  const description = text(`${SECRET}\0`);
  const dataAt = 8 + 2 + 3 * 12 + 4;
  const gpsAt = dataAt + description.length + (description.length & 1);
  const rationalsAt = gpsAt + 2 + 4 * 12 + 4;
  const block = Buffer.alloc(rationalsAt + 48);
  block.write("II", 0);
  block.writeUInt16LE(42, 2);
  block.writeUInt32LE(8, 4);
  const entry = (at: number, tag: number, kind: number, count: number, value: number) => {
    block.writeUInt16LE(tag, at);
    block.writeUInt16LE(kind, at + 2);
    block.writeUInt32LE(count, at + 4);
    block.writeUInt32LE(value, at + 8);
  };
  block.writeUInt16LE(3, 8);
  entry(10, 0x010e, 2, description.length, dataAt);
  entry(22, 0x0112, 3, 1, orientation);
  entry(34, 0x8825, 4, 1, gpsAt);
  description.copy(block, dataAt);
  block.writeUInt16LE(4, gpsAt);
  entry(gpsAt + 2, 1, 2, 2, "N".charCodeAt(0));
  entry(gpsAt + 14, 2, 5, 3, rationalsAt);
  entry(gpsAt + 26, 3, 2, 2, "E".charCodeAt(0));
  entry(gpsAt + 38, 4, 5, 3, rationalsAt + 24);
  [52, 1, 31, 1, 0, 1, 13, 1, 22, 1, 37, 1].forEach((value, index) => {
    block.writeUInt32LE(value, rationalsAt + index * 4);
  });
  return block;
}

const XMP = text(
  `<?xpacket begin=""?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="52,31N" exif:UserComment="${SECRET}"/></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`,
);

export function segment(marker: number, ...payload: Uint8Array[]): Buffer {
  const body = Buffer.concat(payload);
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
}

/** What most JPEG files begin with: the version, and the shape of a pixel. */
export const JFIF = segment(0xe0, text("JFIF\0\x01\x01\0\0\x01\0\x01\0\0"));

/** JPEG segments by the metadata they contain. */
export const JPEG_SEGMENTS = {
  exif: (orientation?: number) => segment(0xe1, text("Exif\0\0"), exif(orientation)),
  xmp: () => segment(0xe1, text("http://ns.adobe.com/xap/1.0/\0"), XMP),
  iptc: () =>
    segment(0xed, text(`Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0${String.fromCharCode(SECRET.length)}${SECRET}`)),
  comment: () => segment(0xfe, text(`<script>alert("${SECRET}")</script>`)),
  icc: () => segment(0xe2, text(`ICC_PROFILE\0\x01\x01${SECRET}`)),
  mpf: () => segment(0xe2, text(`MPF\0${SECRET}`)),
  flir: () => segment(0xe1, text(`FLIR\0${SECRET}`)),
  ducky: () => segment(0xec, text(`Ducky\0${SECRET}`)),
  unknown: () => segment(0xe9, text(SECRET)),
};

export function withJpegSegments(jpeg: Buffer, ...segments: Buffer[]): Buffer {
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);
}

/** PNG chunks by the metadata they contain. */
export const PNG_CHUNKS = {
  exif: (orientation?: number) => pngChunk("eXIf", exif(orientation)),
  xmp: () => pngChunk("iTXt", Buffer.concat([text("XML:com.adobe.xmp\0\0\0\0\0"), XMP])),
  text: () => pngChunk("tEXt", text(`Location\0${SECRET}`)),
  rawExif: () => pngChunk("tEXt", text(`Raw profile type exif\0\nexif\n8\n${SECRET}`)),
  time: () => pngChunk("tIME", Buffer.from([7, 0xea, 11, 20, 12, 0, 0])),
  private: () => pngChunk("prVt", text(SECRET)),
};

/** Inserts chunks before or after the pixels. */
export function withPngChunks(png: Buffer, position: "before" | "after", ...chunks: Buffer[]): Buffer {
  const at = position === "before" ? 33 : png.length - 12;
  return Buffer.concat([png.subarray(0, at), ...chunks, png.subarray(at)]);
}

export function webpChunk(kind: string, data: Uint8Array): Buffer {
  const chunk = Buffer.alloc(8 + data.length + (data.length & 1));
  chunk.write(kind, 0, "latin1");
  chunk.writeUInt32LE(data.length, 4);
  chunk.set(data, 8);
  return chunk;
}

/** Converts a simple WebP to an extended one with the same pixels. */
export function extendWebp(webp: Buffer, width: number, height: number, flags: number, ...chunks: Buffer[]): Buffer {
  const canvas = Buffer.alloc(10);
  canvas[0] = flags;
  canvas.writeUIntLE(width - 1, 4, 3);
  canvas.writeUIntLE(height - 1, 7, 3);
  const body = Buffer.concat([webpChunk("VP8X", canvas), webp.subarray(12), ...chunks]);
  const head = Buffer.from("RIFF\0\0\0\0WEBP", "latin1");
  head.writeUInt32LE(body.length + 4, 4);
  return Buffer.concat([head, body]);
}

export const WEBP_CHUNKS = {
  exif: (orientation?: number) => ({ flags: 0x08, chunk: webpChunk("EXIF", exif(orientation)) }),
  xmp: () => ({ flags: 0x04, chunk: webpChunk("XMP ", XMP) }),
  icc: () => ({ flags: 0x20, chunk: webpChunk("ICCP", text(SECRET)) }),
  unknown: () => ({ flags: 0, chunk: webpChunk("GPSS", text(SECRET)) }),
};
