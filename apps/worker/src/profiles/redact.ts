/** Removes from a text what could identify a member to a juror: names, email addresses, links, phone numbers, handles, coordinates. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/[^\s@,;:<>()]+@[^\s@,;:<>()]+\.[^\s@.,;:<>()]+/g, "[mail]"],
  [/\b(?:https?:\/\/|www\.)\S+/gi, "[link]"],
  [/\b[a-z0-9-]+\.(?:com|net|org|me|io|app|link|gg|tv|es|de|fr|uk|mx)\b(?:\/\S*)?/gi, "[link]"],
  [/(^|[\s(])@[\w.]{2,}/g, "$1[handle]"],
  [/-?\d{1,3}\.\d{3,}\s*,\s*-?\d{1,3}\.\d{3,}/g, "[place]"],
  [/\+?\d(?:[\s().-]{0,3}\d){6,}/g, "[number]"],
];

/**
 * @param names profile names of both members; those under three letters are not removed, because they are also common words
 * @param maxChars cuts what is longer, without leaving half an emoji at the end
 */
export function redact(text: string, names: readonly string[], maxChars = Number.POSITIVE_INFINITY): string {
  let result = text;
  for (const [pattern, replacement] of PATTERNS) result = result.replace(pattern, replacement);
  for (const name of names) {
    const trimmed = name.trim();
    if (trimmed.length < 3) continue;
    const escaped = trimmed.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    result = result.replace(new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, "giu"), "[name]");
  }
  return result.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, "");
}
