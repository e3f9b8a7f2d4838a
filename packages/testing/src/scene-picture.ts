/**
 * Pictures of soft light and shade, which a perceptual hash treats like photographs. Each seed makes a different one.
 */
import { makePng } from "./png.ts";
import { seededRandom } from "./random.ts";

export interface SceneOptions {
  readonly width?: number;
  readonly height?: number;
  /** The fraction cut off at each edge. */
  readonly crop?: number;
  /** Added to each sample, 0 to 255. */
  readonly brightness?: number;
}

/** Returns the gray samples of a seed's picture. */
export function sceneSamples(
  seed: number,
  options: SceneOptions = {},
): { width: number; height: number; gray: Uint8Array } {
  const { width = 192, height = 240, crop = 0, brightness = 0 } = options;
  const { next } = seededRandom(seed);
  const blobs = Array.from({ length: 24 }, () => [next(), next(), 0.03 + next() * 0.15, next() * 200 - 100] as const);
  const position = (at: number, length: number) => crop + (at / length) * (1 - 2 * crop);
  const gray = Uint8Array.from({ length: width * height }, (_, at) => {
    const [x, y] = [position(at % width, width), position(Math.floor(at / width), height)];
    const shade = blobs.reduce(
      (sum, [left, top, size, strength]) =>
        sum + strength * Math.exp(-((x - left) ** 2 + (y - top) ** 2) / (size * size)),
      128 + brightness,
    );
    return Math.max(0, Math.min(255, Math.round(shade)));
  });
  return { width, height, gray };
}

export function makeScenePng(seed: number, options: SceneOptions = {}): Buffer {
  const { width, height, gray } = sceneSamples(seed, options);
  return makePng(width, height, (x, y) => {
    const shade = gray[y * width + x]!;
    return [shade, shade, shade];
  });
}

/**
 * Discs that cover each other, small ones more often than large ones: edges and surfaces like those of photographs, without a motif. The
 * options change the picture as those of scenes do.
 */
export function leavesSamples(seed: number, options: SceneOptions = {}): ReturnType<typeof sceneSamples> {
  const { width = 192, height = 240, crop = 0, brightness = 0 } = options;
  const { next } = seededRandom(seed);
  const discs = Array.from({ length: 300 }, () => {
    const radius = 0.02 / (next() * 0.9 + 0.1) ** 1.2;
    return [next(), next(), Math.min(0.3, radius), next() * 200 + 20, next() * 80 - 40] as const;
  });
  const position = (at: number, length: number) => crop + ((at + 0.5) / length) * (1 - 2 * crop);
  const gray = Uint8Array.from({ length: width * height }, (_, at) => {
    const [x, y] = [position(at % width, width), position(Math.floor(at / width), height)];
    const disc = discs.find(([left, top, radius]) => (x - left) ** 2 + (y - top) ** 2 < radius * radius);
    const shade = disc ? disc[3] + (disc[4] * (x - disc[0])) / disc[2] : 128;
    return Math.max(0, Math.min(255, Math.round(shade + brightness)));
  });
  return { width, height, gray };
}
