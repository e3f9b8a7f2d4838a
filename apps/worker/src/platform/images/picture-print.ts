/**
 * The second measure of whether two pictures are the same. A perceptual hash keeps only signs, which anybody can change in their own
 * picture until they equal another's; a print keeps how strong each frequency is, and finer ones than the hash.
 */
import { decrypt, encrypt } from "../encryption.ts";
import type { Keys } from "../keys.ts";

/** Frequencies up to here, in half periods per side. */
export const PRINT_FREQUENCIES = 20;
/** Copies correlate at 0.9 to 1; pictures that were made to have another's hash at 0.7 at most (picture-print.test.ts). */
export const PRINT_CORRELATION_MIN = 0.85;

const STEPS = 7;
/** Roots, because otherwise the few coarsest frequencies would outweigh all others. */
const ROOT_STEP = 4;

/** The places of a print's values in the square of frequencies from 0 to PRINT_FREQUENCIES: a quarter circle without the constant one. */
const PLACES = Array.from({ length: (PRINT_FREQUENCIES + 1) ** 2 }, (_, place) => place).filter((place) => {
  const radius = Math.hypot(Math.floor(place / (PRINT_FREQUENCIES + 1)), place % (PRINT_FREQUENCIES + 1));
  return radius > 0 && radius <= PRINT_FREQUENCIES;
});

/** Two values a byte, from a square of frequencies. */
export function toPrint(frequencies: Float32Array): Uint8Array {
  const values = PLACES.map((place) => {
    const strength = frequencies[place] ?? 0;
    const steps = Math.round(Math.sqrt(Math.abs(strength)) / ROOT_STEP);
    return STEPS + Math.sign(strength) * Math.min(STEPS, steps);
  });
  return Uint8Array.from({ length: Math.ceil(values.length / 2) }, (_, at) => {
    return (values[2 * at] ?? STEPS) * 16 + (values[2 * at + 1] ?? STEPS);
  });
}

/** From -1 to 1. */
export function printCorrelation(one: Uint8Array, other: Uint8Array): number {
  const [a, b] = [unpack(one), unpack(other)];
  const product = (left: readonly number[], right: readonly number[]) =>
    left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0);
  return product(a, b) / Math.sqrt(product(a, a) * product(b, b) || 1);
}

const unpack = (print: Uint8Array) => [...print].flatMap((byte) => [(byte >> 4) - STEPS, (byte & 15) - STEPS]);

const LABEL = "picture-print";

/** Encrypted wherever it is stored, because it shows the picture roughly and may outlive it. */
export const sealPrint = (env: Keys, print: Uint8Array): Buffer => encrypt(env, LABEL, print);

/** Undefined if there is none, or if it was sealed under another key. */
export function openPrint(env: Keys, sealed: Uint8Array | null): Uint8Array | undefined {
  if (sealed === null) return;
  try {
    return decrypt(env, LABEL, Buffer.from(sealed));
  } catch {
    return;
  }
}

/** Whether both prints are of one picture; undefined if one is missing, so that only the hashes could be compared. */
export function printsAgree(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean | undefined {
  return one && other && printCorrelation(one, other) >= PRINT_CORRELATION_MIN;
}
