/** Words that a member does not want to read in a first message. Whoever writes one is not told. */

import { ChatPreferences } from "@lambda/contract/messages";
import { looks } from "@lambda/contract/names";

/** The list out of `account.preferences`; a broken one counts as empty. */
export function unwantedWordsOf(preferences: string): string[] {
  const stored = (JSON.parse(preferences) as { unwantedWords?: unknown }).unwantedWords;
  return ChatPreferences.shape.unwantedWords.catch([]).parse(stored ?? []);
}

/** Whether a text holds one of the words, as whole words: without case, accents and hidden signs, and with 0 read as o. */
export function holdsUnwanted(text: string, words: readonly string[]): boolean {
  if (words.length === 0) return false;
  // Some signs are read as letters inside a word, and end it elsewhere.
  const plain = visible(text);
  const readings = [looks(plain), looks(plain.replace(/[!|$@€¢]/g, " "))].map((found) => ` ${found.join(" ")} `);
  return words.some((word) => {
    const sought = looks(visible(word)).join(" ");
    return sought !== "" && readings.some((reading) => reading.includes(` ${sought} `));
  });
}

const visible = (text: string) => text.replace(/\p{Default_Ignorable_Code_Point}/gu, "");
