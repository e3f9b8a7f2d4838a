/** Finds what the databases still store about a member. */
import { messageDatabases } from "@lambda/worker/message-databases";
import type { TestWorker } from "./worker.ts";

/** Names of columns that contain the id of an account or profile. */
const MEMBER_ID_COLUMN =
  /(^|_)(profile|account|sender|recipient|liker|liked|author|about|other|owner|member|subject|reporter|actor|low|high)_id$/;

/**
 * Lists tables with a row that contains `word`, and columns (`table.column`) that contain the member's id, in all
 * databases.
 */
export async function listTraces({ env }: TestWorker, id: number, word: string): Promise<string[]> {
  const databases = [env.DB, ...messageDatabases(env).values()];
  const traces = await Promise.all(databases.map((d1) => listTracesIn(d1, id, word)));
  return [...new Set(traces.flat())].sort();
}

async function listTracesIn(d1: D1Database, id: number, word: string): Promise<string[]> {
  const { results: tables } = await d1
    .prepare(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '_cf_%'",
    )
    .all<{ name: string }>();
  const traces = new Set<string>();
  for (const { name } of tables) {
    const { results } = await d1.prepare(`select * from "${name}"`).all<Record<string, unknown>>();
    if (JSON.stringify(results).includes(word)) traces.add(name);
    for (const row of results) {
      if ((name === "account" || name === "profile") && row.id === id) traces.add(`${name}.id`);
      for (const [column, value] of Object.entries(row)) {
        if (MEMBER_ID_COLUMN.test(column) && value === id) traces.add(`${name}.${column}`);
      }
    }
  }
  return [...traces];
}
