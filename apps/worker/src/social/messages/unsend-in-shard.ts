/** Lists due unsends in a message database. Only the main database knows who may see whom, so both are queried. */
import { BRANDS } from "@lambda/brands";
import { type RawBuilder, sql } from "kysely";
import { notBlocked, seenBy } from "../../members/visibility/visibility.ts";
import { indexedBy, rowsOf } from "../../platform/db/d1.ts";
import type { Database } from "../../platform/db/database.ts";
import type { MessageColumns } from "./mappers.ts";
import { MESSAGE_COLUMNS } from "./queries.ts";
import { listUnsendPairs, type UnsendPair } from "./statements.ts";

type Due = MessageColumns & { readonly recipient_id: number };

const PAIRS_PER_QUERY_MAX = 500;

export async function listUnsendDueInShard(main: Database, messages: Database, limit: number): Promise<Due[]> {
  const waiting = await listUnsendPairs(messages);
  const due: Due[] = [];
  for (let from = 0; from < waiting.length && due.length < limit; from += PAIRS_PER_QUERY_MAX) {
    const listed = BRANDS.map((brand) => sql`iif(${seenBy(brand, sql.ref("w.recipient_id"))}, ${brand.id}, null)`);
    const rows = await main
      .selectFrom(rowsOf(waiting.slice(from, from + PAIRS_PER_QUERY_MAX), ["sender_id", "recipient_id"], "w"))
      .innerJoin("profile as p", "p.id", "w.sender_id")
      .select(["w.sender_id", "w.recipient_id"])
      .select(sql<string>`json_array(${sql.join(listed)})`.as("brands"))
      .where(notBlocked(sql.ref("w.sender_id"), sql.ref("w.recipient_id")))
      .execute();
    const visible = rows.flatMap(({ brands, ...pair }) =>
      (JSON.parse(brands) as (string | null)[]).flatMap((brand) => (brand === null ? [] : [{ ...pair, brand }])),
    );
    if (visible.length > 0) due.push(...(await listDueOfPairs(messages, visible, limit - due.length)));
  }
  return due;
}

interface VisiblePair extends UnsendPair {
  readonly brand: string;
}

function listDueOfPairs(messages: Database, pairs: readonly VisiblePair[], limit: number): Promise<Due[]> {
  const recipient = sql.ref("m.recipient_id") as RawBuilder<number>;
  return messages
    .selectFrom(rowsOf(pairs, ["sender_id", "recipient_id", "brand"], "w"))
    .crossJoin(indexedBy("message", "m", "message_unsend_due"))
    .select(MESSAGE_COLUMNS)
    .select(sql<number>`${recipient}`.as("recipient_id"))
    .where("m.unsend_due", "=", sql.lit(1))
    .whereRef("m.sender_id", "=", "w.sender_id")
    .whereRef("m.recipient_id", "=", "w.recipient_id")
    .whereRef("m.brand", "=", "w.brand")
    .limit(limit)
    .execute();
}
