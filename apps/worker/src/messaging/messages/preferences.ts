import { type ChatPreferences, PictureCover } from "@lambda/contract/messages";
import { sql } from "kysely";
import type { Database } from "../../platform/db/database.ts";
import { firstContactOf } from "./rules.ts";
import { unwantedWordsOf } from "./unwanted-words.ts";

export async function getChatPreferences(db: Database, profileId: number): Promise<ChatPreferences> {
  const { preferences } = await db
    .selectFrom("account")
    .select("preferences")
    .where("id", "=", profileId)
    .executeTakeFirstOrThrow();
  const { phrases, coverPictures } = JSON.parse(preferences) as { phrases?: string[]; coverPictures?: unknown };
  return {
    firstContact: firstContactOf(preferences),
    coverPictures: PictureCover.catch("unknown").parse(coverPictures),
    phrases: phrases ?? [],
    unwantedWords: unwantedWordsOf(preferences),
  };
}

/** Writes only the given keys, so that a concurrent save of other preferences is kept. */
export async function updateChatPreferences(
  db: Database,
  profileId: number,
  changes: Partial<ChatPreferences>,
): Promise<ChatPreferences> {
  const { firstContact, coverPictures, phrases, unwantedWords } = changes;
  let preferences = sql<string>`preferences`;
  if (firstContact)
    preferences = sql<string>`json_set(${preferences}, '$.firstContact', json(${JSON.stringify(firstContact)}))`;
  if (coverPictures) preferences = sql<string>`json_set(${preferences}, '$.coverPictures', ${coverPictures})`;
  if (phrases) preferences = sql<string>`json_set(${preferences}, '$.phrases', json(${JSON.stringify(phrases)}))`;
  if (unwantedWords)
    preferences = sql<string>`json_set(${preferences}, '$.unwantedWords', json(${JSON.stringify(unwantedWords)}))`;
  await db.updateTable("account").set({ preferences }).where("id", "=", profileId).execute();
  return getChatPreferences(db, profileId);
}
