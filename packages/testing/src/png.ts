/** Encodes PNG files. */
import { crc32, deflateSync } from "node:zlib";

export type Rgb = readonly [number, number, number];

/** One PNG chunk with its length and checksum. */
export function pngChunk(kind: string, data: Uint8Array): Buffer {
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(kind, 4, "latin1");
  chunk.set(data, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length);
  return chunk;
}

export const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Encodes an 8-bit RGB PNG. The default pixels have gradients and an edge, so that other encoders have something to
 * compress.
 */
export function makePng(width: number, height: number, colorAt: (x: number, y: number) => Rgb = defaultColor): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const row = width * 3 + 1;
  const pixels = Buffer.alloc(row * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) pixels.set(colorAt(x, y), y * row + 1 + x * 3);
  }
  const chunks = [pngChunk("IHDR", header), pngChunk("IDAT", deflateSync(pixels)), pngChunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([PNG_SIGNATURE, ...chunks]);
}

function defaultColor(x: number, y: number): Rgb {
  return x < y ? [200, (x * 7) % 256, 90] : [40, 90, (y * 5) % 256];
}
