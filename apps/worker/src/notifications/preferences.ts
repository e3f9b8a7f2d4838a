/** What a member chose for messages and notifications, in `account.preferences`. */
import { ChatPreferences, FirstContact, PictureCover } from "@lambda/contract/messages";
import { PROTECTED_NOTIFICATION_KINDS } from "@lambda/contract/notification-kinds";
import { NotificationKind } from "@lambda/contract/notifications";
import { sql } from "kysely";
import { z } from "zod";
import type { Database } from "../platform/db/database.ts";

/** Some of these could be turned off once, and older pages and archives still name them. */
export function withoutProtected(off: readonly NotificationKind[]): NotificationKind[] {
  return off.filter((kind) => !PROTECTED_NOTIFICATION_KINDS.includes(kind));
}

/** An absent or invalid value counts as none. */
const Preferences = z.object({
  firstContact: FirstContact.catch(FirstContact.parse({})),
  coverPictures: PictureCover.catch("unknown"),
  phrases: ChatPreferences.shape.phrases.catch([]),
  unwantedWords: ChatPreferences.shape.unwantedWords.catch([]),
  notificationsOff: z.array(NotificationKind).catch([]).transform(withoutProtected),
});
type Preferences = z.output<typeof Preferences>;

export const parsePreferences = (stored: string): Preferences => Preferences.parse(JSON.parse(stored));

export async function getPreferences(db: Database, profileId: number): Promise<Preferences> {
  const { preferences } = await db
    .selectFrom("account")
    .select("preferences")
    .where("id", "=", profileId)
    .executeTakeFirstOrThrow();
  return parsePreferences(preferences);
}

/** Writes only the given keys, so that a concurrent save of other preferences is kept. */
export async function updatePreferences(db: Database, profileId: number, changes: Partial<Preferences>): Promise<void> {
  const preferences = Object.entries(changes).reduce(
    (stored, [key, value]) => sql<string>`json_set(${stored}, ${`$.${key}`}, json(${JSON.stringify(value)}))`,
    sql<string>`preferences`,
  );
  await db.updateTable("account").set({ preferences }).where("id", "=", profileId).execute();
}
