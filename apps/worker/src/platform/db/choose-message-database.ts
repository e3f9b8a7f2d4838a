/** Chooses the message database for a new pair, by the sizes that the schedule last measured. */
import { MINUTE_MS } from "@lambda/contract/limits";
import type { Database } from "./database.ts";
import { measureBytes } from "./statements.ts";
import type { MessageDatabaseRow } from "./tables.ts";

/** Fuller databases get no new pairs, because their existing conversations still grow. */
export const NEW_PAIRS_BELOW_BYTES = 4e9;
/** Databases whose sizes differ by less count as equal: new pairs are spread over them. */
const EQUAL_WITHIN_BYTES = 64e6;
/** A database without a measurement for this long counts as unavailable. */
const MEASURED_WITHIN_MS = 10 * MINUTE_MS;

/**
 * The emptiest of these databases, or 0 if there are none. New ones count as empty and unavailable ones are skipped; if all are full, the
 * least full is chosen, to keep space in the main database for its other tables.
 */
export function pickEmptiest(
  numbers: readonly number[],
  rows: readonly MessageDatabaseRow[],
  now: number,
  random: () => number = Math.random,
): number {
  const measured = new Map(rows.map((row) => [row.number, row]));
  const available = numbers.filter((number) => {
    const row = measured.get(number);
    return !row || now - row.ts_measured < MEASURED_WITHIN_MS;
  });
  const candidates = available.length > 0 ? available : numbers;
  const bytesOf = (number: number) => measured.get(number)?.bytes ?? 0;
  const least = Math.min(...candidates.map(bytesOf));
  const equal = candidates.filter((number) => {
    const bytes = bytesOf(number);
    return bytes <= least + EQUAL_WITHIN_BYTES && (bytes < NEW_PAIRS_BELOW_BYTES || least >= NEW_PAIRS_BELOW_BYTES);
  });
  return equal[Math.floor(random() * equal.length)] ?? 0;
}

export async function chooseMessageDatabase(
  main: Database,
  numbers: readonly number[],
  now: number = Date.now(),
): Promise<number> {
  if (numbers.length === 0) return 0;
  const rows = await main.selectFrom("message_database").selectAll().execute();
  return pickEmptiest(numbers, rows, now);
}

/** Scheduled: measures the message databases; one that does not respond keeps its last measurement. */
export async function measureMessageDatabases(
  databases: ReadonlyMap<number, D1Database>,
  db: Database,
  now: number,
): Promise<void> {
  const bound = [...databases];
  const sizes = await Promise.allSettled(bound.map(([, d1]) => measureBytes(d1)));
  const rows = bound.flatMap(([number], index) => {
    const size = sizes[index];
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
