/**
 * The audit log: a chain in which each entry's hash covers the one before. What an entry says in public names nobody; who did
 * it to whom is committed to by a salted hash and kept apart, so that it can go with the member while the chain stays whole.
 */
import { AUDIT_TIME_STEP_MS } from "@lambda/contract/limits";
import type { AuditBody } from "@lambda/contract/transparency";
import { batch, type Compiled } from "../../db/batch.ts";
import type { Database } from "../../db/database.ts";

export interface AuditEvent {
  readonly brand: string;
  readonly action: string;
  readonly by: AuditBody["by"];
  readonly caseRef: string | null;
  /** Public: rules, kinds, durations, counts. Never a name, an id, a text or an exact time of a member. */
  readonly details: AuditBody["details"];
  readonly subjectId?: number | null;
  /** The admin who did it. */
  readonly actorId?: number | null;
  /** Kept apart from the chain, with the subject. */
  readonly privateDetails?: Record<string, string | number | null>;
}

/** The hash before the first entry. */
const CHAIN_START = "0".repeat(64);

/** Entries that came in between make us number ours again; more than this many in a row is a fault. */
const TRIES = 8;

/**
 * Runs queries and appends what they did to the chain, all or none. Answers the rows of the queries. A guard among the
 * queries (see `guard`) aborts both.
 */
export async function withAudit(
  ctx: { readonly d1: D1Database; readonly db: Database; readonly now: number },
  queries: readonly Compiled[],
  events: readonly AuditEvent[],
): Promise<unknown[][]> {
  for (let tries = 1; ; tries += 1) {
    const last = await ctx.db
      .selectFrom("audit_entry")
      .select(["seq", "hash"])
      .orderBy("seq", "desc")
      .limit(1)
      .executeTakeFirst();
    const entries = await link(ctx.db, events, ctx.now, last?.seq ?? 0, last?.hash ?? CHAIN_START);
    try {
      const rows = await batch<unknown[][]>(ctx.d1, [...queries, ...entries]);
      return rows.slice(0, queries.length);
    } catch (error) {
      if (tries === TRIES || !/UNIQUE constraint failed: audit_entry/.test(String(error))) throw error;
    }
  }
}

async function link(db: Database, events: readonly AuditEvent[], now: number, seq: number, hash: string) {
  const queries: Compiled[] = [];
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
    queries.push(
      db
        .insertInto("audit_entry")
        .values({
          seq: number,
          ts: now,
          brand,
          action,
          case_ref: caseRef,
          body,
          previous_hash: previousHash,
          hash: entryHash,
        })
        .compile(),
      db
        .insertInto("audit_private")
        .values({
          seq: number,
          subject_id: event.subjectId ?? null,
          actor_id: event.actorId ?? null,
          salt,
          details: secret,
        })
        .compile(),
    );
    previousHash = entryHash;
  }
  return queries;
}

/** A time as the public chain tells it; the row of an entry keeps the exact one for staff. */
export function publicTime(time: number): number {
  return time - (time % AUDIT_TIME_STEP_MS);
}

export async function sha256(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function randomHex(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
}
