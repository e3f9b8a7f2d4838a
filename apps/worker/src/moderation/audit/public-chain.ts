/**
 * The public chain: the audit log's entries about decided cases. It has its own numbering, so that neither a gap nor
 * its length reveals that a case is open.
 */
import type { AuditBody } from "@lambda/contract/transparency";
import { sql } from "kysely";
import type { Context } from "../../platform/context.ts";
import type { Database, Query } from "../../platform/db/database.ts";
import type { AuditEntryRow, PublicEntryRow } from "../../platform/db/tables.ts";
import { toIso } from "../../platform/iso-time.ts";
import { type AuditEvent, CHAIN_START, type LinkedEntry, linkEntry, publicTime } from "./chain.ts";

/** Events that make the whole case public. */
const CLOSING_ACTIONS = ["report.decided", "report.closed", "notice.decided"];

/** An entry for the public chain, before it has its place there. */
type NewPublicEntry = Omit<AuditBody, "seq" | "ts"> & { readonly entrySeq: number | null };

type PublicHead = Pick<PublicEntryRow, "seq" | "hash">;

/** The newest entry. While it is the same, so are all figures about what is decided. */
function findPublicHead(db: Database): Promise<PublicHead | undefined> {
  return db.selectFrom("public_entry").select(["seq", "hash"]).orderBy("seq", "desc").limit(1).executeTakeFirst();
}

/** Figures of each brand, kept in the isolate's memory as long as the chain's newest entry is the same, so that a hit reads one row. */
export function cachedByHead<Figures>(
  read: (ctx: Pick<Context, "db" | "brand">, head: PublicHead | undefined) => Promise<Figures>,
): (ctx: Pick<Context, "db" | "brand">) => Promise<Figures> {
  const cache = new Map<string, { readonly hash: string | undefined; readonly figures: Figures }>();
  return async (ctx) => {
    const head = await findPublicHead(ctx.db);
    const cached = cache.get(ctx.brand.id);
    if (cached && cached.hash === head?.hash) return cached.figures;
    const figures = await read(ctx, head);
    cache.set(ctx.brand.id, { hash: head?.hash, figures });
    return figures;
  };
}

/** Returns the queries that publish new entries and, when a case is decided, all of its withheld entries. */
export async function publishQueries(
  db: Database,
  entries: readonly LinkedEntry[],
  events: readonly AuditEvent[],
): Promise<Query[]> {
  const closed = new Set(
    events.filter((event) => CLOSING_ACTIONS.includes(event.action)).map((event) => event.caseRef),
  );
  const publishable = entries.filter((_, index) => {
    const event = events[index]!;
    return !event.confidential && (!event.undecided || closed.has(event.caseRef));
  });
  const refs = [...closed].filter((ref) => ref !== null);
  const withheld = refs.length === 0 ? [] : await listWithheld(db, refs);
  const now = entries[0]?.row.ts ?? 0;
  return appendPublicQueries(db, [...withheld, ...publishable.map((entry) => entry.row)].map(toPublic), now);
}

function listWithheld(db: Database, caseRefs: readonly string[]): Promise<AuditEntryRow[]> {
  return db
    .selectFrom("audit_entry as e")
    .selectAll("e")
    .where("e.case_ref", "in", [...caseRefs])
    .where(sql<boolean>`not exists (select 1 from public_entry x where x.entry_seq = e.seq)`)
    .orderBy("e.seq")
    .execute();
}

/** Adds to a filing from before receipts were random the hash that its reporter got. The public entry has the day of publication. */
function toPublic(row: AuditEntryRow): NewPublicEntry {
  const body = JSON.parse(row.body) as AuditBody;
  const { brand, action, caseRef, by, details } = body;
  const filed: AuditBody["details"] = action === "report.filed" ? { filed: row.hash } : {};
  return { entrySeq: row.seq, brand, action, caseRef, by, details: { ...filed, ...details }, private: body.private };
}

/**
 * Returns the queries that append entries. Concurrent writers collide on the sequence number, which rolls back the
 * loser's batch.
 */
async function appendPublicQueries(db: Database, entries: readonly NewPublicEntry[], now: number): Promise<Query[]> {
  if (entries.length === 0) return [];
  const last = await findPublicHead(db);
  const ts = toIso(publicTime(now));
  let previousHash = last?.hash ?? CHAIN_START;
  const queries: Query[] = [];
  for (const [index, entry] of entries.entries()) {
    const linked = await linkEntry(previousHash, { ...entry, seq: (last?.seq ?? 0) + 1 + index, ts });
    queries.push(db.insertInto("public_entry").values({ ...linked, entry_seq: entry.entrySeq }));
    previousHash = linked.hash;
  }
  return queries;
}
