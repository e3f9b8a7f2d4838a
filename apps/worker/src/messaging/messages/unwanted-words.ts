/** Words that a member does not want to read in a first message. Senders are not told that a message was filtered. */
import { ChatPreferences } from "@lambda/contract/messages";
import { lookalikeWords } from "@lambda/contract/names";

/** The list from `account.preferences`; an invalid one counts as empty. */
export function unwantedWordsOf(preferences: string): string[] {
  const stored = (JSON.parse(preferences) as { unwantedWords?: unknown }).unwantedWords;
  return ChatPreferences.shape.unwantedWords.catch([]).parse(stored ?? []);
}

/** Whether a text contains one of the words as a whole word. Ignores case, accents and invisible characters, and reads 0 as o. */
export function containsUnwantedWord(text: string, words: readonly string[]): boolean {
  if (words.length === 0) return false;
  // Some symbols may stand for a letter or separate words, so both readings are tried.
  const plain = withoutInvisible(text);
  const readings = [lookalikeWords(plain), lookalikeWords(plain.replace(/[!|$@€¢]/g, " "))].map(
    (found) => ` ${found.join(" ")} `,
  );
  return words.some((word) => {
    const target = lookalikeWords(withoutInvisible(word)).join(" ");
    return target !== "" && readings.some((reading) => reading.includes(` ${target} `));
  });
}

const withoutInvisible = (text: string) => text.replace(/\p{Default_Ignorable_Code_Point}/gu, "");
