/**
 * The audit log: a chain in which each entry's hash covers the one before. What an entry says names nobody; who did it to whom
 * is committed to by a salted hash and kept apart, so that it can go with the member while the chain stays whole.
 */
import type { AuditBody } from "@lambda/contract/transparency";
import { batch, type Compiled } from "../../platform/db/batch.ts";
import type { Database } from "../../platform/db/database.ts";
import { randomHex, sha256 } from "../../platform/hash.ts";
import { type AuditEvent, CHAIN_START, type LinkedEntry, publicTime } from "./chain.ts";
import { publishQueries } from "./public-chain.ts";

/** Entries that came in between make us number ours again; more than this many in a row is a fault. */
const ATTEMPTS_MAX = 8;

/**
 * Runs queries and appends what they did to the chain, all or none. Answers the rows of the queries. A guard among the
 * queries (see `guard`) aborts both.
 */
export async function withAudit(
  ctx: { readonly d1: D1Database; readonly db: Database; readonly now: number },
  queries: readonly Compiled[],
  events: readonly AuditEvent[],
): Promise<unknown[][]> {
  for (let attempt = 1; ; attempt += 1) {
    const last = await ctx.db
      .selectFrom("audit_entry")
      .select(["seq", "hash"])
      .orderBy("seq", "desc")
      .limit(1)
      .executeTakeFirst();
    const entries = await link(events, ctx.now, last?.seq ?? 0, last?.hash ?? CHAIN_START);
    const published = await publishQueries(ctx.db, entries, events);
    try {
      const rows = await batch<unknown[][]>(ctx.d1, [
        ...queries,
        ...entries.flatMap((entry) => insertEntry(ctx.db, entry)),
        ...published,
      ]);
      return rows.slice(0, queries.length);
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || !/UNIQUE constraint failed: (audit|public)_entry/.test(String(error)))
        throw error;
    }
  }
}

async function link(events: readonly AuditEvent[], now: number, seq: number, hash: string): Promise<LinkedEntry[]> {
  const entries: LinkedEntry[] = [];
  let previousHash = hash;
  for (const [index, event] of events.entries()) {
    const { brand, action, caseRef, by, details } = event;
    const salt = randomHex(16);
    const secret = JSON.stringify({
      subjectId: event.subjectId ?? null,
      actorId: event.actorId ?? null,
      ...event.privateDetails,
    });
    const number = seq + 1 + index;
    const body = JSON.stringify({
      seq: number,
      ts: new Date(publicTime(now)).toISOString(),
      brand,
      action,
      caseRef,
      by,
      details,
      private: await sha256(`${salt}\n${secret}`),
    } satisfies AuditBody);
    const entryHash = await sha256(`${previousHash}\n${body}`);
    entries.push({
      row: {
        ...{ seq: number, ts: now, brand, action, body, hash: entryHash },
        ...{ case_ref: caseRef, previous_hash: previousHash },
      },
      secret: { subject_id: event.subjectId ?? null, actor_id: event.actorId ?? null, salt, details: secret },
    });
    previousHash = entryHash;
  }
  return entries;
}

function insertEntry(db: Database, { row, secret }: LinkedEntry): Compiled[] {
  return [
    db.insertInto("audit_entry").values(row).compile(),
    db
      .insertInto("audit_private")
      .values({ seq: row.seq, ...secret })
      .compile(),
  ];
}
