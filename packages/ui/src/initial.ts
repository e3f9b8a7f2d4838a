const segmenter = "Segmenter" in Intl ? new Intl.Segmenter() : undefined;

/** The letters of a text as they are seen: a flag, a family or a letter with accents is one. */
export const lettersOf = (text: string): string[] =>
  segmenter ? Array.from(segmenter.segment(text), ({ segment }) => segment) : [...text];

/** The first letter of a name in upper case. Empty for a blank name. */
export const initialOf = (name: string): string => (lettersOf(name.trim())[0] ?? "").toLocaleUpperCase();
