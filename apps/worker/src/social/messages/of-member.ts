/** All messages of one member, for the export of their data and the purge of their account. */
import { BULK_CHUNK_ROWS } from "@lambda/contract/limits";
import { NOBODY } from "@lambda/contract/messages";
import { type RawBuilder, sql } from "kysely";
import { notBlockedBy, type Onlooker, visibleTo } from "../../members/visibility/visibility.ts";
import type { Database } from "../../platform/db/database.ts";

/** Those behind an id, at most one chunk of them; without who the others are, where the member may not see them now. */
export function ownMessages(db: Database, id: number, after: number, onlooker: Onlooker) {
  const recipientSeen = sql<boolean>`(m.recipient_id is null or ${shown(onlooker, "recipient_id")})`;
  const senderSeen = shown(onlooker, "sender_id");
  const sent = db
    .selectFrom("message as m")
    .select(["m.id as at", "m.id", "m.sender_id"])
    .select(sql<number | null>`case when ${recipientSeen} then m.recipient_id else ${NOBODY} end`.as("recipient_id"))
    .select(sql<string>`case when m.unsend_due then '' else m.body_text end`.as("body_text"))
    .select(["m.picture_ids", "m.attachment", "m.brand", "m.ts_created", "m.ts_recipient_read"])
    .select(sql<number | null>`iif(m.unsend_due, m.ts_sender_deleted, m.ts_unsent)`.as("ts_unsent"))
    .where("m.sender_id", "=", id)
    .where("m.id", ">", after)
    .where((either) => either.or([either("m.ts_sender_deleted", "is", null), either("m.unsend_due", "=", 1)]))
    .orderBy("m.id")
    .limit(BULK_CHUNK_ROWS);
  const received = db
    .selectFrom("message as m")
    .select(["m.id as at", "m.id"])
    .select(sql<number>`case when ${senderSeen} then m.sender_id else ${NOBODY} end`.as("sender_id"))
    .select(["m.recipient_id", "m.body_text"])
    .select(sql<string>`case when ${senderSeen} then m.picture_ids else '[]' end`.as("picture_ids"))
    .select(sql<string | null>`case when ${senderSeen} then m.attachment end`.as("attachment"))
    .select(["m.brand", "m.ts_created", "m.ts_recipient_read", "m.ts_unsent"])
    .where("m.recipient_id", "=", id)
    .where("m.id", ">", after)
    .where("m.ts_recipient_deleted", "is", null)
    .where("m.ts_unsent", "is", null)
    .where("m.sender_id", "<>", id)
    .where(notBlockedBy(id, sql.ref("m.sender_id")))
    .orderBy("m.id")
    .limit(BULK_CHUNK_ROWS);
  return db
    .selectFrom(sent.as("s"))
    .selectAll()
    .unionAll(db.selectFrom(received.as("r")).selectAll())
    .orderBy("at")
    .limit(BULK_CHUNK_ROWS);
}

/** Whether the member whose export it is may see this side of `message m`. */
function shown(onlooker: Onlooker, side: "sender_id" | "recipient_id"): RawBuilder<boolean> {
  return sql`exists (select 1 from profile p where p.id = ${sql.ref(`m.${side}`)} and ${visibleTo(onlooker)})`;
}

/** Deletes some of a member's messages; answers whether there may be more. Many at once would hold the database up. */
export async function deleteSomeMessages(db: Database, id: number): Promise<boolean> {
  const rows = await db
    .deleteFrom("message")
    .where("id", "in", (some) =>
      some
        .selectFrom("message as m")
        .select("m.id")
        .where((side) => side.or([side("m.sender_id", "=", id), side("m.recipient_id", "=", id)]))
        .limit(BULK_CHUNK_ROWS),
    )
    .returning("id")
    .execute();
  return rows.length === BULK_CHUNK_ROWS;
}
