/**
 * Starts a legal hold: copies of a case, encrypted under a key that nothing else of the site uses, which outlive the case, its
 * evidence and the accounts of both sides. docs/decisions/2026-11-22-legal-holds.md says when and for how long.
 */
import { HOLD_MS } from "@lambda/contract/limits";
import { sql } from "kysely";
import type { Database } from "../../platform/db/database.ts";
import { failedGuard, guardQuery } from "../../platform/db/guard.ts";
import type { LegalHoldItemRow, LegalHoldRow } from "../../platform/db/tables.ts";
import type { Env } from "../../platform/env.ts";
import { randomHex } from "../../platform/hash.ts";
import { pictureKey } from "../../social/pictures/store.ts";
import { withAudit } from "../audit/log.ts";
import { type HoldRecord, readRecord } from "./record.ts";
import { macOf, newestHoldKey, seal } from "./seal.ts";

export interface NewHold {
  readonly reportId: number;
  /** Why, for staff. */
  readonly reason: string;
  readonly now: number;
  /** The admin who asks for it. Without one the hold goes when the case is dismissed. */
  readonly staffId?: number;
}

/** Idempotent: again for the same case it copies what was added since. Throws when there is no such case. */
export async function startHold(env: Env, db: Database, wanted: NewHold): Promise<LegalHoldRow> {
  const record = await readRecord(db, wanted.reportId);
  const hold = (await findHold(db, wanted.reportId)) ?? (await insertHold(env, db, record, wanted));
  if (wanted.staffId !== undefined && hold.confirmed === 0) {
    await db.updateTable("legal_hold").set({ confirmed: 1 }).where("hold_ref", "=", hold.hold_ref).execute();
  }
  await keepCopies(env, db, hold, record, wanted.now);
  return hold;
}

export function findHold(db: Database, reportId: number): Promise<LegalHoldRow | undefined> {
  return db.selectFrom("legal_hold").selectAll().where("report_id", "=", reportId).executeTakeFirst();
}

async function insertHold(env: Env, db: Database, { report }: HoldRecord, wanted: NewHold): Promise<LegalHoldRow> {
  const { reason, now, staffId } = wanted;
  const { id, brand, case_ref, category } = report;
  const hold_ref = randomHex(12);
  const insert = db
    .insertInto("legal_hold")
    .values({
      hold_ref,
      report_id: id,
      case_ref,
      brand,
      rule: category,
      reason: reason.slice(0, 4000),
      confirmed: staffId === undefined ? 0 : 1,
      key_version: newestHoldKey(env.HOLD_KEY),
      salt: randomHex(32),
      ts_started: now,
      ts_until: now + HOLD_MS,
    })
    .compile();
  try {
    await withAudit(
      { d1: env.DB, db, now },
      [guardQuery(db, sql<boolean>`not exists (select 1 from legal_hold where report_id = ${id})`), insert],
      [
        {
          brand,
          action: "hold.started",
          by: staffId === undefined ? "clock" : "staff",
          confidential: true,
          caseRef: null,
          details: { hold: hold_ref, case: case_ref },
          actorId: staffId ?? null,
        },
      ],
    );
  } catch (error) {
    // Another start of the same hold was faster.
    if (!failedGuard(error)) throw error;
  }
  const hold = await findHold(db, id);
  if (!hold) throw new Error("the hold was erased while it started");
  return hold;
}

/** Objects go first: their names follow from what they hold, so that a start that breaks off is taken up by the next one. */
async function keepCopies(env: Env, db: Database, hold: LegalHoldRow, record: HoldRecord, now: number): Promise<void> {
  const rows = await db.selectFrom("legal_hold_item").select("mac").where("hold_ref", "=", hold.hold_ref).execute();
  const kept = new Set(rows.map(({ mac }) => mac));
  const keep = async (
    kind: LegalHoldItemRow["kind"],
    named: Uint8Array,
    bytes: Uint8Array,
    evidenceId: number | null,
  ) => {
    const mac = await macOf(env.HOLD_KEY, hold, named);
    if (kept.has(mac)) return;
    kept.add(mac);
    await env.PICTURES.put(heldKey(hold, mac), await seal(env.HOLD_KEY, hold, mac, bytes));
    await db
      .insertInto("legal_hold_item")
      .values({ hold_ref: hold.hold_ref, kind, evidence_id: evidenceId, mac, bytes: bytes.byteLength, ts_created: now })
      .onConflict((conflict) => conflict.columns(["hold_ref", "mac"]).doNothing())
      .execute();
  };
  for (const item of record.evidence) {
    const copy = item.r2_key === null ? null : await env.PICTURES.get(item.r2_key);
    if (copy) {
      const bytes = new Uint8Array(await copy.arrayBuffer());
      await keep("evidence", named(`evidence ${item.id}`, bytes), bytes, item.id);
    }
    const { version } = JSON.parse(item.body) as { version?: number };
    const picture = record.pictures.find(({ id }) => item.kind === "picture" && id === item.source_id);
    const original =
      picture && picture.version === version ? await env.PICTURES.get(pictureKey(picture, "original")) : null;
    if (original) {
      const bytes = new Uint8Array(await original.arrayBuffer());
      await keep("original", named(`original ${item.id}`, bytes), bytes, item.id);
    }
  }
  // A new record for what was filed or frozen since, not for each login of the member.
  const { filings, evidence } = record;
  await keep("record", encode({ filings, evidence }), encode({ ...record, tsKept: now }), null);
}

/** Where a copy lies in R2: no sweep of pictures or of evidence comes here. */
export function heldKey({ hold_ref }: Pick<LegalHoldRow, "hold_ref">, mac: string): string {
  return `hold/${hold_ref}/${mac}`;
}

function named(name: string, bytes: Uint8Array): Uint8Array {
  const prefix = new TextEncoder().encode(`${name}\n`);
  const all = new Uint8Array(prefix.length + bytes.length);
  all.set(prefix);
  all.set(bytes, prefix.length);
  return all;
}

function encode(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}
