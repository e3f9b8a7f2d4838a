/** Pictures of four colored quarters. */
import type { Rgb } from "@lambda/testing/png";
import sharp from "sharp";

export const RED: Rgb = [220, 30, 30];
export const GREEN: Rgb = [30, 200, 40];
export const BLUE: Rgb = [40, 60, 220];
export const YELLOW: Rgb = [235, 215, 40];

/** Makes a picture of four single-color quarters: top left, top right, bottom left, bottom right. */
export async function makeQuartersPicture(width: number, height: number, colors: readonly Rgb[]): Promise<Buffer> {
  const half = { width: Math.round(width / 2), height: Math.round(height / 2) };
  const tiles = await Promise.all(
    colors.map(async ([r, g, b], at) => ({
      input: await sharp({ create: { ...half, channels: 3, background: { r, g, b } } })
        .png()
        .toBuffer(),
      left: (at % 2) * half.width,
      top: Math.floor(at / 2) * half.height,
    })),
  );
  return sharp({ create: { width: half.width * 2, height: half.height * 2, channels: 3, background: "#000" } })
    .composite(tiles)
    .jpeg({ quality: 95 })
    .toBuffer();
}

/** Reads the color in the middle of each quarter of a picture file. */
export async function readQuarters(file: Buffer): Promise<Rgb[]> {
  const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const pixel = (x: number, y: number): Rgb => {
    const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
    return [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0];
  };
  return [pixel(0.25, 0.25), pixel(0.75, 0.25), pixel(0.25, 0.75), pixel(0.75, 0.75)];
}

/** Returns the largest difference between two lists of colors in any channel. */
export function maxColorDifference(some: readonly Rgb[], others: readonly Rgb[]): number {
  return Math.max(
    ...some.flatMap((color, at) => color.map((value, channel) => Math.abs(value - (others[at]?.[channel] ?? 999)))),
  );
}
