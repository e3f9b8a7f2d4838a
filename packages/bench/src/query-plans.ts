/** Prints the query plan of every statement of searches, position reports and cron jobs; none may scan a table. */
import { DatabaseSync } from "node:sqlite";
import { printLine } from "./figures.ts";
import { collectStatements } from "./privacy/statements.ts";

export async function run(): Promise<void> {
  const { schema, statements } = await collectStatements();
  const db = new DatabaseSync(":memory:");
  db.exec(schema);
  let scans = 0;
  for (const [label, sql] of statements) {
    const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[];
    const bad = plan.map(({ detail }) => detail).filter(isTableScan);
    scans += bad.length;
    printLine(label, bad.length > 0 ? `SCANS: ${bad.join("; ")}` : "no table is scanned");
  }
  printLine("statements that scan a table", String(scans));
  db.close();
}

/** Whether a plan step scans a table. Scans of constants, intermediate rows and json_each do not count. */
export function isTableScan(detail: string): boolean {
  const scanned = /^SCAN (\S+)/.exec(detail)?.[1];
  return (
    scanned !== undefined &&
    !/^(\d+|CONSTANT|span|first|shown|square|probe|taken|looked|j|bit|json_each|\(.*)$/.test(scanned)
  );
}
