/**
 * PDQ, the perceptual hash used by lists of known abusive pictures: 256 bits that change little when a picture is scaled, re-encoded or
 * slightly altered.
 */
import { countBits } from "../count-bits.ts";
import { PRINT_FREQUENCIES, toPrint } from "./picture-print.ts";

/** Samples row by row: gray or RGB, with or without an alpha channel, which is ignored. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly data: Uint8Array;
}

export interface PerceptualHash {
  /** 256 bits as 64 hexadecimal digits, last bit first, as in published lists. */
  readonly hash: string;
  /** 0 to 100. Below HASH_QUALITY_MIN the picture is too plain for its hash to mean anything. */
  readonly quality: number;
  /** See picture-print.ts. */
  readonly print: Uint8Array;
}

/** Recommended by the algorithm's authors: plainer pictures share their hash with unrelated ones. */
export const HASH_QUALITY_MIN = 50;
/** Hashes at most this far apart are of the same picture; recommended by the algorithm's authors. */
export const HASH_DISTANCE_MAX = 31;

const SIDE = 64;
const FREQUENCIES = 16;
/** Two passes of a box filter in each direction make a tent filter. */
const PASSES = 2;
/** Pictures with a shorter side have no meaningful hash. */
const SIDE_MIN_PX = 5;

/** The hash is made from rows and columns 1 to 16 of the transform, the print from these. */
const ROWS = PRINT_FREQUENCIES + 1;

/** The first rows of the discrete cosine transform of 64 values. */
const COSINES = Float32Array.from({ length: ROWS * SIDE }, (_, at) => {
  const row = Math.floor(at / SIDE);
  return Math.sqrt((row === 0 ? 1 : 2) / SIDE) * Math.cos((Math.PI / 2 / SIDE) * row * (2 * (at % SIDE) + 1));
});

export function perceptualHash(pixels: Pixels): PerceptualHash {
  if (pixels.width < SIDE_MIN_PX || pixels.height < SIDE_MIN_PX) {
    return { hash: "0".repeat(64), quality: 0, print: toPrint(new Float32Array(ROWS * ROWS)) };
  }
  const small = shrink(luminance(pixels), pixels.width, pixels.height);
  const frequencies = transform(small);
  return { hash: toBits(hashedOf(frequencies)), quality: qualityOf(small), print: toPrint(frequencies) };
}

function luminance({ width, height, channels, data }: Pixels): Float32Array {
  const luma = new Float32Array(width * height);
  for (let at = 0; at < luma.length; at += 1) {
    const from = at * channels;
    const red = data[from] ?? 0;
    luma[at] = channels < 3 ? red : 0.299 * red + 0.587 * (data[from + 1] ?? 0) + 0.114 * (data[from + 2] ?? 0);
  }
  return luma;
}

/** Blurs, then samples the center of each of 64 x 64 blocks. */
function shrink(luma: Float32Array, width: number, height: number): Float32Array {
  if (width === SIDE && height === SIDE) return luma;
  const blurred = new Float32Array(luma.length);
  const alongRow = windowOf(width);
  const alongColumn = windowOf(height);
  for (let pass = 0; pass < PASSES; pass += 1) {
    for (let row = 0; row < height; row += 1) blur(luma, blurred, row * width, 1, width, alongRow);
    for (let column = 0; column < width; column += 1) blur(blurred, luma, column, width, height, alongColumn);
  }
  const small = new Float32Array(SIDE * SIDE);
  for (let row = 0; row < SIDE; row += 1) {
    const from = Math.floor(((row + 0.5) * height) / SIDE) * width;
    for (let column = 0; column < SIDE; column += 1) {
      small[row * SIDE + column] = luma[from + Math.floor(((column + 0.5) * width) / SIDE)] ?? 0;
    }
  }
  return small;
}

/** Half a block, as there are two passes. */
const windowOf = (length: number) => Math.ceil(length / (2 * SIDE));

/** Replaces each of `length` values, `stride` apart, by the mean of the window around it, which is cut off at both ends. */
function blur(from: Float32Array, to: Float32Array, start: number, stride: number, length: number, window: number) {
  const ahead = Math.floor(window / 2);
  const behind = window - ahead - 1;
  let sum = 0;
  for (let at = 0; at < Math.min(ahead, length); at += 1) sum += from[start + at * stride] ?? 0;
  for (let at = 0; at < length; at += 1) {
    if (at + ahead < length) sum += from[start + (at + ahead) * stride] ?? 0;
    if (at - behind > 0) sum -= from[start + (at - behind - 1) * stride] ?? 0;
    to[start + at * stride] = sum / (Math.min(at + ahead, length - 1) - Math.max(at - behind, 0) + 1);
  }
}

/** The lowest frequencies, with the constant one. */
function transform(small: Float32Array): Float32Array {
  const half = new Float32Array(ROWS * SIDE);
  for (let row = 0; row < ROWS; row += 1) {
    for (let column = 0; column < SIDE; column += 1) {
      let sum = 0;
      for (let at = 0; at < SIDE; at += 1) sum += (COSINES[row * SIDE + at] ?? 0) * (small[at * SIDE + column] ?? 0);
      half[row * SIDE + column] = sum;
    }
  }
  const whole = new Float32Array(ROWS * ROWS);
  for (let row = 0; row < ROWS; row += 1) {
    for (let column = 0; column < ROWS; column += 1) {
      let sum = 0;
      for (let at = 0; at < SIDE; at += 1) sum += (half[row * SIDE + at] ?? 0) * (COSINES[column * SIDE + at] ?? 0);
      whole[row * ROWS + column] = sum;
    }
  }
  return whole;
}

/** Without the constant row and column. */
function hashedOf(frequencies: Float32Array): Float32Array {
  return Float32Array.from({ length: FREQUENCIES * FREQUENCIES }, (_, at) => {
    return frequencies[(Math.floor(at / FREQUENCIES) + 1) * ROWS + (at % FREQUENCIES) + 1] ?? 0;
  });
}

/** One bit per frequency: whether it is stronger than the median. */
function toBits(frequencies: Float32Array): string {
  const median = [...frequencies].sort((a, b) => a - b)[frequencies.length / 2 - 1] ?? 0;
  let bits = "";
  for (let at = frequencies.length - 4; at >= 0; at -= 4) {
    const digit = [3, 2, 1, 0].reduce((sum, bit) => sum * 2 + ((frequencies[at + bit] ?? 0) > median ? 1 : 0), 0);
    bits += digit.toString(16);
  }
  return bits;
}

/** How much detail there is: the sum of differences between adjacent samples, in truncated hundredths. */
function qualityOf(small: Float32Array): number {
  let sum = 0;
  for (let row = 0; row < SIDE; row += 1) {
    for (let column = 0; column < SIDE; column += 1) {
      const here = small[row * SIDE + column] ?? 0;
      if (row + 1 < SIDE) sum += Math.trunc(Math.abs(((here - (small[(row + 1) * SIDE + column] ?? 0)) * 100) / 255));
      if (column + 1 < SIDE) sum += Math.trunc(Math.abs(((here - (small[row * SIDE + column + 1] ?? 0)) * 100) / 255));
    }
  }
  return Math.min(100, Math.trunc(sum / 90));
}

/** The number of bits in which two hashes differ. */
export const hashDistance = (a: string, b: string): number => wordsDistance(hashWords(a), hashWords(b));

/** A hash as eight 32-bit words, for comparing it with many. */
export function hashWords(hash: string): Uint32Array {
  return Uint32Array.from({ length: 8 }, (_, at) => Number.parseInt(hash.slice(at * 8, at * 8 + 8), 16));
}

export function wordsDistance(a: Uint32Array, b: Uint32Array): number {
  let distance = 0;
  for (let at = 0; at < 8; at += 1) distance += countBits((a[at] ?? 0) ^ (b[at] ?? 0));
  return distance;
}
