/**
 * The audit log: a chain in which each entry's hash covers the previous one and commits to who did what to whom by a
 * salted hash. Those details are stored separately, so that they can be deleted with the member while the chain stays
 * intact.
 */
import { HOUR_MS } from "@lambda/contract/limits";
import { sql } from "kysely";
import { batch, type Database, type Query, retryIfOvertaken } from "../../platform/db/database.ts";
import { randomHex, sha256 } from "../../platform/hash.ts";
import { toIso } from "../../platform/iso-time.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { type AuditEvent, CHAIN_START, type LinkedEntry, linkEntry, publicTime } from "./chain.ts";
import { publishQueries } from "./public-chain.ts";

/**
 * Runs queries and appends their events to the chain in one atomic batch, which a failed guard among the queries aborts
 * (see `guardQuery`). Returns the rows of the queries.
 */
export async function withAudit(
  ctx: { readonly d1: D1Database; readonly db: Database; readonly now: number },
  queries: readonly Query[],
  events: readonly AuditEvent[],
): Promise<unknown[][]> {
  const append = async () => {
    const last = await ctx.db
      .selectFrom("audit_entry")
      .select(["seq", "hash"])
      .orderBy("seq", "desc")
      .limit(1)
      .executeTakeFirst();
    const entries = await linkEntries(events, ctx.now, last?.seq ?? 0, last?.hash ?? CHAIN_START);
    const published = await publishQueries(ctx.db, entries, events);
    const rows = await batch(ctx.d1, [
      ...queries,
      ...entries.flatMap((entry) => insertEntryQueries(ctx.db, entry)),
      ...published,
    ]);
    return rows.slice(0, queries.length);
  };
  // Concurrent entries took the same numbers.
  return retryIfOvertaken(append, (error) => /UNIQUE constraint failed: (audit|public)_entry/.test(String(error)));
}

/** What an admin did, by default outside of any case. */
export function staffEvent(ctx: MemberContext, action: string, more: Partial<AuditEvent> = {}): AuditEvent {
  const { brand, viewer } = ctx;
  return { brand: brand.id, action, by: "staff", caseRef: null, details: {}, actorId: viewer.profileId, ...more };
}

/** Selects the same that the same admin logged within the hour: they repeat a call whose answer was lost. */
export function selectSame({ db, now }: MemberContext, event: AuditEvent) {
  return db
    .selectFrom("audit_entry as e")
    .innerJoin("audit_private as s", "s.seq", "e.seq")
    .select("e.case_ref")
    .where("e.action", "=", event.action)
    .where("e.ts", ">", now - HOUR_MS)
    .where(sql`e.body ->> 'details'`, "=", JSON.stringify(event.details))
    .where("s.details", "=", secretOf(event));
}

function secretOf({ subjectId = null, actorId = null, privateDetails }: AuditEvent): string {
  return JSON.stringify({ subjectId, actorId, ...privateDetails });
}

async function linkEntries(
  events: readonly AuditEvent[],
  now: number,
  seq: number,
  hash: string,
): Promise<LinkedEntry[]> {
  const entries: LinkedEntry[] = [];
  let previousHash = hash;
  const ts = toIso(publicTime(now));
  for (const [index, event] of events.entries()) {
    const salt = randomHex(16);
    const details = secretOf(event);
    const hidden = await sha256(`${salt}\n${details}`);
    const linked = await linkEntry(previousHash, { ...event, seq: seq + 1 + index, ts, private: hidden });
    entries.push({
      row: { ...linked, ts: now },
      secret: { subject_id: event.subjectId ?? null, actor_id: event.actorId ?? null, salt, details },
    });
    previousHash = linked.hash;
  }
  return entries;
}

function insertEntryQueries(db: Database, { row, secret }: LinkedEntry): Query[] {
  return [db.insertInto("audit_entry").values(row), db.insertInto("audit_private").values({ seq: row.seq, ...secret })];
}
