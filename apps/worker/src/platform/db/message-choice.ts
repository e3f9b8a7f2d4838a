/** Which message database a new pair's messages go to: by the bytes that the schedule last saw of each. */
import type { Database } from "./database.ts";
import { measureBytes } from "./statements.ts";

/** A database beyond it gets no new pairs: those that it has still grow. */
export const NEW_PAIRS_BELOW_BYTES = 4e9;
/** Of databases that differ by less none is the emptiest: new pairs are spread over them. */
const ALIKE_BYTES = 64e6;
/** One that did not say its size for so long does not answer. */
const MEASURED_WITHIN_MS = 10 * 60_000;

interface Measured {
  readonly number: number;
  readonly bytes: number;
  readonly ts_measured: number;
}

/**
 * The emptiest of these databases, or 0 where there is none. One that was bound a moment ago counts as empty, one that answers no more is
 * passed over, and where all are full it is the least full: the main database holds what others cannot.
 */
export function emptiest(
  numbers: readonly number[],
  rows: readonly Measured[],
  now: number,
  random: () => number = Math.random,
): number {
  const seen = new Map(rows.map((row) => [row.number, row]));
  const answering = numbers.filter((number) => {
    const row = seen.get(number);
    return !row || now - row.ts_measured < MEASURED_WITHIN_MS;
  });
  const able = answering.length > 0 ? answering : numbers;
  const bytesOf = (number: number) => seen.get(number)?.bytes ?? 0;
  const least = Math.min(...able.map(bytesOf));
  const alike = able.filter((number) => {
    const bytes = bytesOf(number);
    return bytes <= least + ALIKE_BYTES && (bytes < NEW_PAIRS_BELOW_BYTES || least >= NEW_PAIRS_BELOW_BYTES);
  });
  return alike[Math.floor(random() * alike.length)] ?? 0;
}

/** The shard for the messages of a new pair. */
export async function chooseShard(
  main: Database,
  numbers: readonly number[],
  now: number = Date.now(),
): Promise<number> {
  if (numbers.length === 0) return 0;
  const rows = await main.selectFrom("message_database").select(["number", "bytes", "ts_measured"]).execute();
  return emptiest(numbers, rows, now);
}

/** Run by schedule. A database that does not answer keeps what was seen of it last. */
export async function measureMessageDatabases(
  databases: ReadonlyMap<number, D1Database>,
  db: Database,
  now: number,
): Promise<void> {
  const bound = [...databases];
  const sizes = await Promise.allSettled(bound.map(([, d1]) => measureBytes(d1)));
  const rows = bound.flatMap(([number], at) => {
    const size = sizes[at];
    return size?.status === "fulfilled" ? [{ number, bytes: size.value, ts_measured: now }] : [];
  });
  if (rows.length > 0)
    await db
      .insertInto("message_database")
      .values(rows)
      .onConflict((conflict) =>
        conflict.column("number").doUpdateSet((old) => ({
          bytes: old.ref("excluded.bytes"),
          ts_measured: old.ref("excluded.ts_measured"),
        })),
      )
      .execute();
  const failed = sizes.find((size) => size.status === "rejected");
  if (failed) throw failed.reason;
}
