const segmenter = "Segmenter" in Intl ? new Intl.Segmenter() : undefined;

/** The letters of a text as they are seen: a flag, a family or a letter with accents is one. */
export const lettersOf = (text: string): string[] =>
  segmenter ? Array.from(segmenter.segment(text), ({ segment }) => segment) : [...text];

/** The first letter of a name in upper case. Empty for a blank name. */
export const initialOf = (name: string): string => (lettersOf(name.trim())[0] ?? "").toLocaleUpperCase();

/** About how wide the longest word of a bold name is, in em, for a size that keeps the word whole. */
export const longestWordEms = (name: string): number =>
  Math.max(
    ...name.split(/[\s-]/).map((word) => {
      const wide = word.split(/[mw\p{Lu}]|[^\0-\u1fff]/u).length - 1;
      return 0.55 * word.length + 0.45 * wide;
    }),
  );
