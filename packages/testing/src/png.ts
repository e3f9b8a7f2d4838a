/** PNG files made byte by byte. */
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

export const PNG_HEAD = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** An 8-bit RGB PNG; by default a wash of colours with an edge in it, so that encoders have something to do. */
export function makePng(width: number, height: number, paint: (x: number, y: number) => Rgb = wash): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const row = width * 3 + 1;
  const pixels = Buffer.alloc(row * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) pixels.set(paint(x, y), y * row + 1 + x * 3);
  }
  const chunks = [pngChunk("IHDR", header), pngChunk("IDAT", deflateSync(pixels)), pngChunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([PNG_HEAD, ...chunks]);
}

function wash(x: number, y: number): Rgb {
  return x < y ? [200, (x * 7) % 256, 90] : [40, 90, (y * 5) % 256];
}
