import { convertIndexedToRgb, decode } from "fast-png";
import type { Pixels } from "./perceptual-hash.ts";

/** Decodes a PNG of our own encoder to 8 bits per sample. Throws for a damaged file. */
export function pngPixels(png: Uint8Array): Pixels {
  const decoded = decode(png);
  const { width, height, channels, data, depth, palette } = decoded;
  if (palette) return { width, height, channels: palette[0]?.length ?? 3, data: convertIndexedToRgb(decoded) };
  if (depth === 16) return { width, height, channels, data: Uint8Array.from(data, (sample) => sample >> 8) };
  return { width, height, channels, data: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) };
}
