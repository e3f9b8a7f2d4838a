/**
 * Compares opening messages so that changing a letter, digit or sign does not make a new one. Only a sketch of a text is stored: which of 512
 * keyed buckets of letter pairs occur in it.
 */
import { OPENING_COMPARED_LETTERS, OPENING_MIN_LETTERS, OPENING_SIMILARITY_ABOVE } from "@lambda/contract/limits";
import { countBits } from "../count-bits.ts";
import { hmacSha256 } from "../mac.ts";

const SKETCH_BYTES = 64;

/** Only the letters, in lower case and with compatibility forms normalized. */
function lettersOf(text: string): string {
  const letters = text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, "");
  return [...letters].slice(0, OPENING_COMPARED_LETTERS).join("");
}

/** The number of letters that can be compared. */
export const countLetters = (text: string): number => [...lettersOf(text)].length;

/** The sketch of a text; all zeros if it is too short to compare. Without the key a sketch reveals nothing about the text. */
export function sketchOf(text: string, key: string): string {
  const letters = [...lettersOf(text)];
  const sketch = new Uint8Array(SKETCH_BYTES);
  if (letters.length >= OPENING_MIN_LETTERS) {
    const pairs = new Set(letters.slice(1).map((letter, index) => `${letters[index]}${letter}`));
    for (const pair of pairs) {
      const bit = hmacSha256(key, pair).readUInt16BE() % (SKETCH_BYTES * 8);
      sketch[bit >> 3]! |= 1 << (bit & 7);
    }
  }
  return btoa(String.fromCharCode(...sketch));
}

export function areSimilar(one: string, other: string): boolean {
  if (one === other) return true;
  const [a, b] = [atob(one), atob(other)];
  let shared = 0;
  let all = 0;
  for (let index = 0; index < SKETCH_BYTES; index += 1) {
    shared += countBits(a.charCodeAt(index) & b.charCodeAt(index));
    all += countBits(a.charCodeAt(index) | b.charCodeAt(index));
  }
  return shared > OPENING_SIMILARITY_ABOVE * all;
}
