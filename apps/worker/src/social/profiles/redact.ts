/**
 * Takes out of a text what could tell a juror who is who: names, addresses of mail and web, numbers that could be a phone's,
 * handles, places on a map.
 */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/[^\s@,;:<>()]+@[^\s@,;:<>()]+\.[^\s@.,;:<>()]+/g, "[mail]"],
  [/\b(?:https?:\/\/|www\.)\S+/gi, "[link]"],
  [/\b[a-z0-9-]+\.(?:com|net|org|me|io|app|link|gg|tv|es|de|fr|uk|mx)\b(?:\/\S*)?/gi, "[link]"],
  [/(^|[\s(])@[\w.]{2,}/g, "$1[handle]"],
  [/-?\d{1,3}\.\d{3,}\s*,\s*-?\d{1,3}\.\d{3,}/g, "[place]"],
  [/\+?\d(?:[\s().-]{0,3}\d){6,}/g, "[number]"],
];

/** `names`: profile names of both sides. Names shorter than three letters are left, as they are words of every language. */
export function redact(text: string, names: readonly string[]): string {
  let result = text;
  for (const [pattern, word] of PATTERNS) result = result.replace(pattern, word);
  for (const name of names) {
    const trimmed = name.trim();
    if (trimmed.length < 3) continue;
    const escaped = trimmed.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    result = result.replace(new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, "giu"), "[name]");
  }
  return result;
}
