/**
 * Comparing opening texts, so that changing a letter, a number or a sign does not make a new one. What is kept of a text is a
 * sketch: which of 512 kinds of letter pairs occur in it.
 */
import { createHmac } from "node:crypto";
import { OPENING_COMPARED_LETTERS, OPENING_MIN_LETTERS, OPENINGS_ALIKE_ABOVE } from "@lambda/contract/limits";

const SKETCH_BYTES = 64;

/** The letters alone, as they read: no case, accents of form, spaces, digits or signs. */
function lettersOf(text: string): string {
  const letters = text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, "");
  return [...letters].slice(0, OPENING_COMPARED_LETTERS).join("");
}

/** How much of a text there is to compare. */
export const lettersIn = (text: string): number => [...lettersOf(text)].length;

/** All zeros for a text that is too short to compare. Which pair sets which bit depends on the key: without it a sketch says nothing. */
export function sketchOf(text: string, key: string): string {
  const letters = [...lettersOf(text)];
  const sketch = new Uint8Array(SKETCH_BYTES);
  if (letters.length >= OPENING_MIN_LETTERS) {
    const pairs = new Set(letters.slice(1).map((letter, index) => `${letters[index]}${letter}`));
    for (const pair of pairs) {
      const bit = createHmac("sha256", key).update(pair).digest().readUInt16BE() % (SKETCH_BYTES * 8);
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
