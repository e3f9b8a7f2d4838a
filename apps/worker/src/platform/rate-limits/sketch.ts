/**
 * Comparing opening texts, so that changing a letter, a number or a sign does not make a new one. What is kept of a text for an hour
 * is a sketch: which of 512 kinds of letter pairs occur in it.
 */
import { OPENING_COMPARED_LETTERS, OPENING_MIN_LETTERS, OPENINGS_ALIKE_ABOVE } from "@lambda/contract/limits";

const SKETCH_BYTES = 64;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** The letters alone, as they read: no case, accents of form, spaces, digits or signs. */
function lettersOf(text: string): string {
  const letters = text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, "");
  return [...letters].slice(0, OPENING_COMPARED_LETTERS).join("");
}

/** All zeros for a text that is too short to compare. */
export function sketchOf(text: string): string {
  const letters = [...lettersOf(text)];
  const sketch = new Uint8Array(SKETCH_BYTES);
  if (letters.length >= OPENING_MIN_LETTERS) {
    for (let index = 1; index < letters.length; index += 1) {
      const bit = hash(`${letters[index - 1]}${letters[index]}`) % (SKETCH_BYTES * 8);
      sketch[bit >> 3]! |= 1 << (bit & 7);
    }
  }
  return btoa(String.fromCharCode(...sketch));
}

/** Whether two sketches are of texts that read alike. */
export function areAlike(one: string, other: string): boolean {
  if (one === other) return true;
  const [a, b] = [atob(one), atob(other)];
  let shared = 0;
  let all = 0;
  for (let index = 0; index < SKETCH_BYTES; index += 1) {
    shared += bitsOf(a.charCodeAt(index) & b.charCodeAt(index));
    all += bitsOf(a.charCodeAt(index) | b.charCodeAt(index));
  }
  return shared > OPENINGS_ALIKE_ABOVE * all;
}

function bitsOf(byte: number): number {
  let count = 0;
  for (let rest = byte; rest > 0; rest &= rest - 1) count += 1;
  return count;
}

function hash(text: string): number {
  let value = FNV_OFFSET;
  for (const unit of text) value = Math.imul(value ^ unit.codePointAt(0)!, FNV_PRIME) >>> 0;
  // The low bits of this hash alone are weak.
  return (value ^ (value >>> 15)) >>> 0;
}
