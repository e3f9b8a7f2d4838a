/**
 * Starts a legal hold: encrypted copies of a case that outlive the case, its evidence and the accounts of both sides.
 * docs/decisions/2026-11-22-legal-holds.md says when and for how long.
 */
import { HOLD_MS } from "@lambda/contract/limits";
import type { Rule } from "@lambda/contract/moderation";
import { sql } from "kysely";
import type { NotifyContext } from "../../notifications/notify.ts";
import { pictureKey } from "../../pictures/store.ts";
import { type Database, guardQuery, openDatabase, passesGuards } from "../../platform/db/database.ts";
import type { LegalHoldItemRow, LegalHoldRow } from "../../platform/db/tables.ts";
import type { Env } from "../../platform/env.ts";
import { forEachDue } from "../../platform/for-each.ts";
import { randomHex } from "../../platform/hash.ts";
import { logFault } from "../../platform/log.ts";
import type { AuditEvent } from "../audit/chain.ts";
import { withAudit } from "../audit/log.ts";
import { type HoldRecord, readHoldRecord } from "./record.ts";
import { computeMac, newestHoldKey, seal } from "./seal.ts";

type HoldContext = Pick<NotifyContext, "env" | "d1" | "db" | "now">;

interface NewHold {
  readonly reportId: number;
  /** Shown to staff. */
  readonly reason: string;
  /** The admin who asks for the hold. A hold without one is automatic and ends when the case is dismissed. */
  readonly staffId?: number;
}

/** Idempotent: another call for the same case copies what was added since. Throws if there is no such case. */
export async function startHold(ctx: HoldContext, newHold: NewHold): Promise<LegalHoldRow> {
  const { db } = ctx;
  const record = await readHoldRecord(db, newHold.reportId);
  const hold = (await findHold(db, newHold.reportId)) ?? (await insertHold(ctx, record, newHold));
  if (newHold.staffId !== undefined && hold.confirmed === 0) {
    await db.updateTable("legal_hold").set({ confirmed: 1 }).where("hold_ref", "=", hold.hold_ref).execute();
  }
  await storeCopies(ctx, hold, record);
  return hold;
}

function findHold(db: Database, reportId: number): Promise<LegalHoldRow | undefined> {
  return db.selectFrom("legal_hold").selectAll().where("report_id", "=", reportId).executeTakeFirst();
}

async function insertHold(
  ctx: HoldContext,
  { report }: HoldRecord,
  { reason, staffId }: NewHold,
): Promise<LegalHoldRow> {
  const { env, db, now } = ctx;
  const { id, brand, case_ref, category } = report;
  const hold_ref = randomHex(12);
  const insert = db.insertInto("legal_hold").values({
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
  });
  const started: AuditEvent = {
    brand,
    action: "hold.started",
    by: staffId === undefined ? "clock" : "staff",
    confidential: true,
    caseRef: null,
    details: { hold: hold_ref, case: case_ref },
    actorId: staffId ?? null,
  };
  const isFirst = guardQuery(db, sql<boolean>`not exists (select 1 from legal_hold where report_id = ${id})`);
  // A concurrent start of the same hold may be faster.
  await passesGuards(withAudit(ctx, [isFirst, insert], [started]));
  const hold = await findHold(db, id);
  if (!hold) throw new Error("the hold was erased while it started");
  return hold;
}

/** Writes objects before their rows. Names are hashes of the content, so the next call can finish one that failed. */
async function storeCopies({ env, db, now }: HoldContext, hold: LegalHoldRow, record: HoldRecord): Promise<void> {
  const rows = await db.selectFrom("legal_hold_item").select("mac").where("hold_ref", "=", hold.hold_ref).execute();
  const stored = new Set(rows.map(({ mac }) => mac));
  const store = async (
    kind: LegalHoldItemRow["kind"],
    identity: Uint8Array,
    bytes: Uint8Array,
    evidenceId: number | null,
  ) => {
    const mac = computeMac(env.HOLD_KEY, hold, identity);
    if (stored.has(mac)) return;
    stored.add(mac);
    await env.PICTURES.put(holdObjectKey(hold, mac), seal(env.HOLD_KEY, hold, mac, bytes));
    await db
      .insertInto("legal_hold_item")
      .values({ hold_ref: hold.hold_ref, kind, evidence_id: evidenceId, mac, bytes: bytes.byteLength, ts_created: now })
      .onConflict((conflict) => conflict.columns(["hold_ref", "mac"]).doNothing())
      .execute();
  };
  for (const item of record.evidence) {
    const { version } = JSON.parse(item.body) as { version?: number };
    const picture = record.pictures.find(({ id }) => item.kind === "picture" && id === item.source_id);
    const original = picture && picture.version === version ? pictureKey(picture, "original") : null;
    for (const [kind, key] of [["evidence", item.r2_key] as const, ["original", original] as const]) {
      const object = key === null ? null : await env.PICTURES.get(key);
      if (!object) continue;
      const bytes = Buffer.from(await object.arrayBuffer());
      await store(kind, Buffer.concat([Buffer.from(`${kind} ${item.id}\n`), bytes]), bytes, item.id);
    }
  }
  // Identified by filings and evidence alone, so that a new login of the member does not add another record.
  const { filings, evidence } = record;
  await store("record", encode({ filings, evidence }), encode({ ...record, tsKept: now }), null);
}

/** The R2 key of a copy. Sweeps of pictures and evidence do not touch this prefix. */
export function holdObjectKey({ hold_ref }: Pick<LegalHoldRow, "hold_ref">, mac: string): string {
  return `hold/${hold_ref}/${mac}`;
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value));

/** Each case in which a minor was reported is held from the report on. */
const AUTOMATIC_HOLD_RULE: Rule = "minor";
const REASON = "A minor was reported.";
const STARTS_PER_RUN_MAX = 100;

/**
 * Call after a report is filed or joined: starts the hold that its rule requires, or adds to the case's existing hold.
 * A failure does not undo the report; `startMissingHolds` retries within the hour.
 */
export async function holdFiledCase(ctx: NotifyContext, reportId: number, rule: Rule): Promise<void> {
  try {
    if (rule === AUTOMATIC_HOLD_RULE || (await findHold(ctx.db, reportId)))
      await startHold(ctx, { reportId, reason: REASON });
  } catch (error) {
    logFault({ event: "hold" }, error);
  }
}

/** Scheduled: completes the holds of open cases about minors that did not start, or failed half-way. */
export async function startMissingHolds(env: Env, now: number): Promise<void> {
  const db = openDatabase(env.DB);
  const cases = await listCasesWithoutHold(db);
  await forEachDue(cases, ({ id: reportId }) => startHold({ env, d1: env.DB, db, now }, { reportId, reason: REASON }));
}

/** The first open cases about minors whose hold is missing or incomplete. */
export function listCasesWithoutHold(db: Database): Promise<{ id: number }[]> {
  return db
    .selectFrom("report as r")
    .select("r.id")
    .where("r.state", "in", ["staff", "jury"])
    .where("r.staff_only", "=", 1)
    .where(
      sql<boolean>`exists (select 1 from report_filing f where f.report_id = r.id and f.category = ${AUTOMATIC_HOLD_RULE})`,
    )
    .where(
      sql<boolean>`not exists (select 1 from legal_hold h join legal_hold_item i on i.hold_ref = h.hold_ref
        where h.report_id = r.id and i.kind = 'record' and i.ts_created >= (select max(ts_created) from report_filing where report_id = r.id))`,
    )
    .limit(STARTS_PER_RUN_MAX)
    .execute();
}
