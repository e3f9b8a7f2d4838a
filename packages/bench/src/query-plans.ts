/** The plan of every statement that a search, a report or the schedule sends; none may scan a table. */
import { DatabaseSync } from "node:sqlite";
import { line } from "./figures.ts";
import { watchStatements } from "./privacy/statements.ts";

export async function run(): Promise<void> {
  const { schema, statements } = await watchStatements();
  const db = new DatabaseSync(":memory:");
  db.exec(schema);
  let scans = 0;
  for (const [label, sql] of statements) {
    const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[];
    const bad = plan.map(({ detail }) => detail).filter(isTableScan);
    scans += bad.length;
    line(label, bad.length > 0 ? `SCANS: ${bad.join("; ")}` : "no table is scanned");
  }
  line("statements that scan a table", String(scans));
  db.close();
}

/** Scans of constants, of a statement's own intermediate rows and of json_each are no table scans. */
export function isTableScan(detail: string): boolean {
  const scanned = /^SCAN (\S+)/.exec(detail)?.[1];
  return (
    scanned !== undefined && !/^(\d+|CONSTANT|span|first|square|probe|taken|looked|j|bit|json_each|\(.*)$/.test(scanned)
  );
}
