/**
 * Checks both chains, and keeps their ends in the backup bucket: whoever can write to the database alone can compute every hash anew, cut
 * the end off or go back to an earlier time, but cannot change what the bucket remembers.
 */
import type { AuditBody } from "@lambda/contract/transparency";
import type { Database } from "../../platform/db/database.ts";
import type { Env } from "../../platform/env.ts";
import { sha256 } from "../../platform/hash.ts";
import { toIso, toIsoDate } from "../../platform/iso-time.ts";
import { CHAIN_START, publicTime } from "./chain.ts";
import { CHAINS, type Entry, listEntries } from "./statements.ts";

const ENTRIES_PER_RUN = 1_000;

const ENDS_KEY = "log/ends.json";

interface Place {
  readonly seq: number;
  readonly hash: string;
}

/** Up to where a chain was checked: since it was last, and once more from its beginning, as the database could have been changed anywhere. */
interface Ends {
  readonly end: Place;
  readonly again: Place;
}

interface CheckedLog extends Partial<Record<(typeof CHAINS)[number], Ends>> {
  /** Of the check from the beginning: one a day. */
  readonly day: string;
}

const START: Place = { seq: 0, hash: CHAIN_START };

/**
 * Scheduled. Throws, naming the entries, if a chain does not continue what it was at the last run, or holds an entry that was not written
 * by this software: once for an end that is gone, and once a day for an entry.
 */
export async function checkLog(env: Env, db: Database, now: number): Promise<void> {
  const text = await (await env.BACKUPS.get(ENDS_KEY))?.text();
  const known = text === undefined ? undefined : (JSON.parse(text) as CheckedLog);
  let checked: CheckedLog = { day: toIsoDate(now) };
  const faults = new Set<string>();
  for (const chain of CHAINS) {
    const { end, again } = known?.[chain] ?? { end: START, again: START };
    const sameDay = known?.day === checked.day;
    const [newer, all] = [await checkFrom(db, chain, end), await checkFrom(db, chain, sameDay ? again : START)];
    for (const seq of [...newer.faults, ...all.faults]) faults.add(`${chain} ${seq}`);
    checked = { ...checked, [chain]: { end: newer.place, again: all.place } };
  }
  // What was remembered stays, to be compared with the backups.
  if (faults.size > 0 && text !== undefined) await env.BACKUPS.put(`log/before-${toIso(now)}.json`, text);
  await env.BACKUPS.put(ENDS_KEY, JSON.stringify(checked));
  if (faults.size > 0) throw new Error(`the log was changed: ${[...faults].join(", ")}`);
}

/** Checks the entries after a place, and that the place is still there. Returns how far it came and the entries that are wrong or gone. */
async function checkFrom(
  db: Database,
  chain: (typeof CHAINS)[number],
  from: Place,
): Promise<{ readonly place: Place; readonly faults: readonly number[] }> {
  const rows = await listEntries(db, chain, from.seq, ENTRIES_PER_RUN + 1);
  const [first] = rows;
  // From an end that was cut off nothing goes on.
  if (from.seq > 0 && first?.seq !== from.seq) return { place: START, faults: [from.seq] };
  const faults = from.seq > 0 && first?.hash !== from.hash ? [from.seq] : [];
  let place = from;
  for (const row of rows) {
    if (row.seq > from.seq && !(await continues(row, place))) faults.push(row.seq);
    place = { seq: row.seq, hash: row.hash };
  }
  return { place, faults };
}

/** Whether an entry follows the place, its columns say what its hash covers, and its private part is what it commits to. */
async function continues(row: Entry, { seq, hash }: Place): Promise<boolean> {
  const body = JSON.parse(row.body) as AuditBody;
  return (
    row.seq === seq + 1 &&
    row.previous_hash === hash &&
    row.hash === (await sha256(`${hash}\n${row.body}`)) &&
    body.seq === row.seq &&
    body.brand === row.brand &&
    body.action === row.action &&
    body.caseRef === row.case_ref &&
    // Entries from before full hours have the exact time.
    (row.ts === null || publicTime(row.ts) === publicTime(Date.parse(body.ts))) &&
    (row.details === null || (await isCommitted(row, row.details, body)))
  );
}

async function isCommitted(row: Entry, details: string, body: AuditBody): Promise<boolean> {
  const { subjectId = row.subject_id, actorId = row.actor_id } = JSON.parse(details) as Partial<
    Record<"subjectId" | "actorId", number | null>
  >;
  return (
    // An open case of a deleted member goes on under a stand-in, and a deleted admin has no id.
    (row.subject_id === subjectId || row.subject_lives === 0) &&
    (row.actor_id === actorId || row.actor_id === null) &&
    (await sha256(`${row.salt}\n${details}`)) === body.private
  );
}
