/** Pictures that a perceptual hash takes for photographs: soft lights and shades, which each seed makes others of. */
import { makePng } from "./png.ts";
import { seededRandom } from "./random.ts";

export interface SceneLook {
  readonly width?: number;
  readonly height?: number;
  /** The part that is cut off at each edge. */
  readonly crop?: number;
  readonly light?: number;
}

/** The scene of a seed as samples of grey. */
export function sceneSamples(seed: number, look: SceneLook = {}): { width: number; height: number; grey: Uint8Array } {
  const { width = 192, height = 240, crop = 0, light = 0 } = look;
  const { next } = seededRandom(seed);
  const blobs = Array.from({ length: 24 }, () => [next(), next(), 0.03 + next() * 0.15, next() * 200 - 100] as const);
  const part = (at: number, length: number) => crop + (at / length) * (1 - 2 * crop);
  const grey = Uint8Array.from({ length: width * height }, (_, at) => {
    const [x, y] = [part(at % width, width), part(Math.floor(at / width), height)];
    const shade = blobs.reduce(
      (sum, [left, top, size, strength]) =>
        sum + strength * Math.exp(-((x - left) ** 2 + (y - top) ** 2) / (size * size)),
      128 + light,
    );
    return Math.max(0, Math.min(255, Math.round(shade)));
  });
  return { width, height, grey };
}

export function makeScenePng(seed: number, look: SceneLook = {}): Buffer {
  const { width, height, grey } = sceneSamples(seed, look);
  return makePng(width, height, (x, y) => {
    const shade = grey[y * width + x]!;
    return [shade, shade, shade];
  });
}
