/**
 * The attack on perceptual hashes: changes the coarse light and shade of one's own picture until its PDQ hash is another's, which anybody can
 * compute from a picture that they see. To the eye it stays one's own.
 */

/** Gray samples, row by row. */
export interface GrayPicture {
  readonly width: number;
  readonly height: number;
  readonly gray: Uint8Array;
}

const FREQUENCIES = 16;
const STEPS_MAX = 80;

/** Throws if the hash is not reached. */
export function forgeHash(
  { width, height, gray }: GrayPicture,
  wanted: string,
  hashOf: (picture: GrayPicture) => string,
): GrayPicture {
  const bits = [...wanted]
    .reverse()
    .flatMap((digit) => [0, 1, 2, 3].map((bit) => (Number.parseInt(digit, 16) >> bit) & 1));
  const across = waves(width);
  const down = waves(height);
  const light = Float64Array.from(gray);
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const picture = { width, height, gray: Uint8Array.from(light, Math.round) };
    if (hashOf(picture) === wanted) return picture;
    const strengths = project(light, across, down);
    const median = [...strengths].sort((a, b) => a - b)[strengths.length / 2 - 1]!;
    const margin = (1 + step / 4) / 32;
    const missing = strengths.map((strength, at) =>
      bits[at] === 1 ? Math.max(0, median + margin - strength) : Math.min(0, median - margin - strength),
    );
    add(light, missing, across, down);
    for (let at = 0; at < light.length; at += 1) light[at] = Math.max(0, Math.min(255, light[at]!));
  }
  throw new Error(`no picture with the hash ${wanted} after ${STEPS_MAX} steps`);
}

/** Cosines of 1 to 16 half periods, of length 1. */
const waves = (length: number) =>
  Array.from({ length: FREQUENCIES }, (_, row) =>
    Float64Array.from(
      { length },
      (__, at) => Math.sqrt(2 / length) * Math.cos((Math.PI / length) * (row + 1) * (at + 0.5)),
    ),
  );

/** How strong each pair of frequencies is, for a picture of one pixel's total area. */
function project(light: Float64Array, across: readonly Float64Array[], down: readonly Float64Array[]): number[] {
  const width = across[0]!.length;
  const scale = Math.sqrt(light.length);
  return down.flatMap((wave) => {
    const row = new Float64Array(width);
    for (let y = 0; y < wave.length; y += 1) {
      for (let x = 0; x < width; x += 1) row[x]! += wave[y]! * light[y * width + x]!;
    }
    return across.map((other) => other.reduce((sum, value, x) => sum + value * row[x]!, 0) / scale);
  });
}

function add(
  light: Float64Array,
  strengths: readonly number[],
  across: readonly Float64Array[],
  down: readonly Float64Array[],
) {
  const width = across[0]!.length;
  const scale = Math.sqrt(light.length);
  for (const [k, wave] of down.entries()) {
    const row = new Float64Array(width);
    for (const [j, other] of across.entries()) {
      const strength = strengths[k * FREQUENCIES + j]! * scale;
      if (strength !== 0) for (let x = 0; x < width; x += 1) row[x]! += strength * other[x]!;
    }
    for (let y = 0; y < wave.length; y += 1) {
      for (let x = 0; x < width; x += 1) light[y * width + x]! += wave[y]! * row[x]!;
    }
  }
}

/** How alike two pictures of one size are, in decibels: 40 and more cannot be told apart, 20 is one picture with blotches. */
export function signalToNoise(one: GrayPicture, other: GrayPicture): number {
  const error = one.gray.reduce((sum, value, at) => sum + (value - other.gray[at]!) ** 2, 0) / one.gray.length;
  return 10 * Math.log10(255 ** 2 / error);
}
