/** Searches a text as its reader would. SQLite knows the case of English letters alone, and no accents. */
import { type RawBuilder, sql } from "kysely";

/** Spanish letters; some thirty calls in each other are more than SQLite parses. Others are found as typed, and in another case. */
const PAIRS = ["áa", "ée", "íi", "óo", "úu", "üu", "ñn"].flatMap(([letter = "", plain = ""]) =>
  [letter, letter.toUpperCase()].map((one) => [one, plain] as const),
);

const plainLetters = (column: RawBuilder<unknown>): RawBuilder<unknown> =>
  PAIRS.reduce(
    (text, [letter, plain]) => sql`replace(${text}, ${sql.lit(letter)}, ${sql.lit(plain)})`,
    sql`lower(${column})`,
  );

/** The same as `plainLetters` in the database. */
const plainText = (text: string): string =>
  PAIRS.reduce((plainer, [letter, plain]) => plainer.replaceAll(letter, plain), text).replace(/[A-Z]+/g, (letters) =>
    letters.toLowerCase(),
  );

/** Whether a column contains a text, ignoring case and accents. LIKE would not do: D1 limits its pattern to 50 bytes. */
export function containsText(column: RawBuilder<unknown>, text: string): RawBuilder<boolean> {
  const lower = text.toLowerCase();
  const spellings = [text, lower, text.toUpperCase(), lower.replace(/^./u, (letter) => letter.toUpperCase())];
  const searched = plainLetters(column);
  const found = [...new Set(spellings.map(plainText))].map((spelling) => sql`instr(${searched}, ${spelling}) > 0`);
  return sql<boolean>`(${sql.join(found, sql` or `)})`;
}
