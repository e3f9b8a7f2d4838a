/** What a sending writes where the messages of its pair are. */
import type { MessageAttachment, MessageDraft } from "@lambda/contract/messages";
import { sql } from "kysely";
import type { z } from "zod";
import { nextMessageId } from "../../platform/db/shards.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { carriedBy } from "./attachments.ts";
import { type Pair, versionOfChange } from "./heads.ts";

type Draft = z.output<typeof MessageDraft>;

export function insertMessageQuery(
  ctx: MemberContext,
  clientId: string,
  draft: Draft,
  to: {
    pair: Pair | null;
    recipientId: number | null;
    sector: number | null;
    attachment: MessageAttachment | null;
    flagged: boolean;
    filtered: boolean;
  },
) {
  const shard = to.pair?.shard ?? 0;
  const carries = draft.profilePicIds.length > 0 || to.attachment !== null;
  return ctx.db
    .insertInto("message")
    .values({
      id: nextMessageId(shard, ctx.now),
      sender_id: ctx.viewer.profileId,
      recipient_id: to.recipientId,
      low_id: to.pair?.low ?? null,
      high_id: to.pair?.high ?? null,
      client_id: clientId,
      body_text: draft.bodyText,
      picture_ids: JSON.stringify([...new Set(draft.profilePicIds)]),
      attachment: to.attachment && JSON.stringify(to.attachment),
      brand: ctx.brand.id,
      sector: to.sector,
      flagged: to.flagged ? 1 : 0,
      filtered: to.filtered ? 1 : 0,
      // Out of the recipient's sight like one that they deleted; their answers leave such a message out.
      ts_recipient_deleted: to.filtered ? ctx.now : null,
      ts_created: ctx.now,
      carried_id: carriedBy(draft, to.attachment),
      untold: to.pair && shard > 0 && carries ? versionOfChange(to.pair) : null,
    })
    .onConflict((conflict) => conflict.columns(["sender_id", "client_id"]).doNothing())
    .returningAll()
    .compile();
}

/**
 * Makes a message the latest of both sides' conversation, unread on the recipient's. Counting by "is its id beyond the latest"
 * makes it idempotent: a twin of the same request adds nothing. A filtered one is no news on the recipient's side.
 */
export function touchConversationsQuery(ctx: MemberContext, clientId: string, recipientId: number, filtered: boolean) {
  const me = ctx.viewer.profileId;
  const theirs = filtered ? sql`` : sql`, (${recipientId}, ${me}, 1)`;
  const sides = sql<{ column1: number; column2: number; column3: number }>`(values
    (${me}, ${recipientId}, 0)${theirs})`.as("side");
  return ctx.db
    .insertInto("conversation")
    .columns(["profile_id", "other_id", "last_message_id", "unread"])
    .expression((select) =>
      select
        .selectFrom("message as m")
        .crossJoin(sides)
        .select(["side.column1 as profile_id", "side.column2 as other_id", "m.id as last_message_id"])
        .select("side.column3 as unread")
        .where("m.sender_id", "=", me)
        .where("m.client_id", "=", clientId)
        .where("m.ts_unsent", "is", null),
    )
    .onConflict((conflict) =>
      conflict.columns(["profile_id", "other_id"]).doUpdateSet({
        unread: sql<number>`unread + excluded.unread * (excluded.last_message_id > last_message_id)`,
        last_message_id: sql<number>`max(last_message_id, excluded.last_message_id)`,
      }),
    )
    .compile();
}
