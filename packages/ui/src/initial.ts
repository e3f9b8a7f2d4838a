/** The first letter of a name in upper case; a letter of two UTF-16 units, such as an emoji, stays whole. Empty for a blank name. */
export function initialOf(name: string): string {
  const [first = ""] = name.trim();
  return first.toLocaleUpperCase();
}
