/** Searching one's own messages: looks at a bounded stretch of them for each request, and says where to go on. */
import { SEARCH_SCAN_MAX } from "@lambda/contract/limits";
import type { Conversation } from "@lambda/contract/messages";
import { sql } from "kysely";
import { notBlockedBy, visibleTo } from "../../members/visibility/visibility.ts";
import type { MessageRow } from "../../platform/db/tables.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { type PartnerRow, toMessage, toPartner } from "./mappers.ts";
import { keptFor, MESSAGE } from "./queries.ts";

type Hit = Omit<Conversation, "unread">;

/**
 * Newest first over all conversations (received and sent), text compared without case. The cursor is the id below which
 * the next request goes on; absent when everything was looked at. Not by LIKE: D1 takes 50 bytes of a pattern.
 */
export async function searchMessages(
  ctx: MemberContext,
  query: string,
  before: number | undefined,
): Promise<{ items: Hit[]; nextCursor: number | null }> {
  const me = ctx.viewer.profileId;
  const below = before ?? Number.MAX_SAFE_INTEGER;
  const { rows } = await sql<MessageRow & PartnerRow & { found: number; scanned: number; last: number }>`
    with mine as materialized (
      select id from (
        select * from (select id from message indexed by message_recipient where recipient_id = ${me} and id < ${below}
                       order by id desc limit ${SEARCH_SCAN_MAX})
        union all
        select * from (select id from message indexed by message_sender where sender_id = ${me} and id < ${below}
                       and recipient_id is not null order by id desc limit ${SEARCH_SCAN_MAX}))
      order by id desc limit ${SEARCH_SCAN_MAX})
    select ${MESSAGE}, (select count(*) from mine) as scanned, (select min(id) from mine) as last,
      p.id as other_id, ${visibleTo(ctx)} as visible, p.profile_name, p.ts_seen, json_extract(p.pics_public, '$[0]') as pic
    from mine
    cross join message m on m.id = mine.id
    cross join profile p on p.id = case when m.sender_id = ${me} then m.recipient_id else m.sender_id end
    where instr(lower(m.body_text), lower(${query})) > 0 and ${keptFor(me)} and ${notBlockedBy(me, sql.ref("p.id"))}
    order by m.id desc`.execute(ctx.db);
  const items = rows.map((row) => {
    const other = toPartner(row, ctx.now);
    return { other, message: toMessage(row, me, other !== null) };
  });
  const end = rows[0];
  const scan = end ?? (await countScanned(ctx, below));
  return { items, nextCursor: scan.scanned < SEARCH_SCAN_MAX ? null : scan.last };
}

/** Without a hit there is no row that says how far the search got. */
async function countScanned(ctx: MemberContext, below: number): Promise<{ scanned: number; last: number | null }> {
  const me = ctx.viewer.profileId;
  const { rows } = await sql<{ scanned: number; last: number | null }>`
    select count(*) as scanned, min(id) as last from (
      select id from (
        select * from (select id from message indexed by message_recipient where recipient_id = ${me} and id < ${below}
                       order by id desc limit ${SEARCH_SCAN_MAX})
        union all
        select * from (select id from message indexed by message_sender where sender_id = ${me} and id < ${below}
                       and recipient_id is not null order by id desc limit ${SEARCH_SCAN_MAX}))
      order by id desc limit ${SEARCH_SCAN_MAX})`.execute(ctx.db);
  return rows[0] ?? { scanned: 0, last: null };
}
