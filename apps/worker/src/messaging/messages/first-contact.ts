/** Loads what decides whether a member may write to a recipient; `rules.ts` makes the decision. */
import { type CurveKey, pointOfKey } from "@lambda/geo/curve";
import { type RawBuilder, sql } from "kysely";
import { parsePreferences } from "../../notifications/preferences.ts";
import { bindNames, type Database, indexedBy } from "../../platform/db/database.ts";
import type { MessageDatabases } from "../../platform/db/message-databases.ts";
import { isChecked } from "../../visibility/is-checked.ts";
import { presentOn, type ViewerContext, visibleTo } from "../../visibility/visibility.ts";
import { pairDatabase, unansweredCount, wroteTo } from "../wrote-to.ts";
import { type Contact, checkContact, isFiltered } from "./rules.ts";

export interface ContactRow {
  readonly birthdate: string | null;
  /** Published positions of the sender and the recipient. */
  readonly key: CurveKey | null;
  readonly recipient_key: CurveKey | null;
  /** Null when there is no recipient whom the sender may see. */
  readonly preferences: string | null;
  /** Number of the sender's messages, counted up to the cap; null once the recipient has replied. */
  readonly unanswered: number | null;
  /** Whether the recipient wrote and the sender never did. */
  readonly is_first_answer: number | null;
  readonly matched: number | null;
  /** Whether the sender has the badge; asked only if the recipient wants it. */
  readonly checked: number | null;
  /** Whether a message of the sender to the recipient was filtered; covers only messages in the main database. */
  readonly has_filtered: number | null;
  /** The database of the pair's messages; null before their first one. */
  readonly database: number | null;
}

/** The columns of a ContactRow, of `selectRecipient` as `r` and of the sender's position as `s`. */
export const CONTACT_COLUMNS = [
  "s.key",
  "r.preferences",
  "r.recipient_key",
  "r.unanswered",
  "r.is_first_answer",
  "r.matched",
  "r.checked",
  "r.has_filtered",
  "r.database",
] as const;

/** A one-row subquery about the recipient, to be joined; empty when the sender may not see them. */
export function selectRecipient(db: Database, ctx: ViewerContext, recipientId: number, now: number) {
  const me = ctx.viewer.profileId;
  const likes = (from: RawBuilder<unknown>, to: RawBuilder<unknown>) =>
    sql`exists (select 1 from profile_like l where l.liker_id = ${from} and l.liked_id = ${to} and l.like_type = 'LIKE')`;
  const viewer = sql.val(me);
  const recipient = sql.ref("p.id");
  const hasBadge = bindNames(isChecked("$me", "$now"), { me, now });
  return db
    .selectFrom("profile as p")
    .innerJoin("account as a", "a.id", "p.id")
    .leftJoin("position as t", (join) => join.onRef("t.profile_id", "=", "p.id").on("t.ts_effective_until", ">", now))
    .select(["a.preferences", "t.key as recipient_key"])
    .select(unansweredCount(me, recipientId).as("unanswered"))
    .select(sql<0 | 1>`(${wroteTo(recipientId, me)} and not ${wroteTo(me, recipientId)})`.as("is_first_answer"))
    .select(sql<0 | 1>`${likes(recipient, viewer)} and ${likes(viewer, recipient)}`.as("matched"))
    .select(sql<0 | 1>`iif(a.preferences ->> '$.firstContact.checkedOnly', ${hasBadge}, 0)`.as("checked"))
    .select(
      sql<0 | 1>`exists (select 1 from message m indexed by message_filtered
        where m.sender_id = ${viewer} and m.recipient_id = ${recipientId} and m.filtered = 1)`.as("has_filtered"),
    )
    .select(pairDatabase(me, recipientId).as("database"))
    .where("p.id", "=", recipientId)
    .where(visibleTo(ctx));
}

/** The same for pairs in any database. It matters, and is queried, only while the sender has unanswered messages. */
export async function hasFilteredMessage(
  messageDatabases: MessageDatabases,
  { database, unanswered, has_filtered }: Pick<ContactRow, "database" | "unanswered" | "has_filtered">,
  senderId: number,
  recipientId: number,
): Promise<boolean> {
  if (!database || !unanswered) return has_filtered === 1;
  const row = await messageDatabases
    .open(database)
    .db.selectFrom(indexedBy("message", "m", "message_filtered"))
    .select("m.id")
    .where("m.sender_id", "=", senderId)
    .where("m.recipient_id", "=", recipientId)
    .where("m.filtered", "=", sql.lit(1))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Undefined when the sender may not see the recipient. */
export function toContact(row: ContactRow, hasFiltered: boolean): Contact | undefined {
  if (row.preferences === null) return undefined;
  const { firstContact: limits, unwantedWords: unwanted } = parsePreferences(row.preferences);
  const pointOf = (key: CurveKey | null) => (key === null ? null : pointOfKey(key));
  return {
    unanswered: row.unanswered,
    limits,
    unwanted,
    hasFiltered,
    from: { birthdate: row.birthdate, point: pointOf(row.key), matched: row.matched === 1, checked: row.checked === 1 },
    point: pointOf(row.recipient_key),
  };
}

/** Whether a message would be accepted and not filtered. Asked before the recipient is told that a member is typing. */
export async function canWriteTo(
  messageDatabases: MessageDatabases,
  ctx: ViewerContext,
  recipientId: number,
  now: number,
): Promise<boolean> {
  const { db } = messageDatabases.open(0);
  const me = ctx.viewer.profileId;
  const row = await db
    .selectFrom("profile as p")
    .leftJoin("position as s", (join) => join.onRef("s.profile_id", "=", "p.id").on("s.ts_effective_until", ">", now))
    .leftJoin(selectRecipient(db, ctx, recipientId, now).as("r"), (join) => join.onTrue())
    .select(["p.birthdate", ...CONTACT_COLUMNS])
    .where("p.id", "=", me)
    .where(presentOn(ctx.brand))
    .executeTakeFirst();
  const contact = row && toContact(row, await hasFilteredMessage(messageDatabases, row, me, recipientId));
  return contact !== undefined && checkContact(contact, now) === "allowed" && !isFiltered(contact, "");
}
