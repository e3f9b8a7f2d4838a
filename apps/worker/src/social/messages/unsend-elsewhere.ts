/** What waits to be taken back in another database than the main one, which alone knows who sees whom. */
import { BRANDS } from "@lambda/brands";
import { type RawBuilder, sql } from "kysely";
import { listedOn, notBlocked } from "../../members/visibility/visibility.ts";
import { indexedBy, rowsOf } from "../../platform/db/d1.ts";
import type { Database } from "../../platform/db/database.ts";
import type { MessageColumns } from "./mappers.ts";
import { MESSAGE } from "./queries.ts";
import { listUnsendPairs, type WaitingPair } from "./statements.ts";

type Due = MessageColumns & { readonly recipient_id: number };

/** Pairs asked about in one question. */
const PAIRS_AT_ONCE = 500;

export async function listUnsendDueIn(main: Database, messages: Database, limit: number): Promise<Due[]> {
  const waiting = await listUnsendPairs(messages);
  const due: Due[] = [];
  for (let from = 0; from < waiting.length && due.length < limit; from += PAIRS_AT_ONCE) {
    const seen = await listSeen(main, waiting.slice(from, from + PAIRS_AT_ONCE));
    if (seen.length > 0) due.push(...(await listDueOf(messages, seen, limit - due.length)));
  }
  return due;
}

interface SeenPair extends WaitingPair {
  readonly brand: string;
}

/** On which sites the recipient of a pair sees its sender now. */
async function listSeen(main: Database, pairs: readonly WaitingPair[]): Promise<SeenPair[]> {
  const listed = BRANDS.map((brand) => sql`iif(${listedOn(brand)}, ${brand.id}, null)`);
  const rows = await main
    .selectFrom(rowsOf(pairs, ["sender_id", "recipient_id"], "w"))
    .innerJoin("profile as p", "p.id", "w.sender_id")
    .select(["w.sender_id", "w.recipient_id"])
    .select(sql<string>`json_array(${sql.join(listed)})`.as("brands"))
    .where(notBlocked(sql.ref("w.sender_id"), sql.ref("w.recipient_id")))
    .execute();
  return rows.flatMap(({ brands, ...pair }) =>
    (JSON.parse(brands) as (string | null)[]).flatMap((brand) => (brand === null ? [] : [{ ...pair, brand }])),
  );
}

function listDueOf(messages: Database, pairs: readonly SeenPair[], limit: number): Promise<Due[]> {
  const recipient = sql.ref("m.recipient_id") as RawBuilder<number>;
  return messages
    .selectFrom(rowsOf(pairs, ["sender_id", "recipient_id", "brand"], "w"))
    .crossJoin(indexedBy("message", "m", "message_unsend_due"))
    .select(MESSAGE)
    .select(sql<number>`${recipient}`.as("recipient_id"))
    .where("m.unsend_due", "=", sql.lit(1))
    .whereRef("m.sender_id", "=", "w.sender_id")
    .whereRef("m.recipient_id", "=", "w.recipient_id")
    .whereRef("m.brand", "=", "w.brand")
    .limit(limit)
    .execute();
}
