/** For tests: where a database still speaks of a member. */
import { messageDatabases } from "@lambda/worker/message-databases";
import type { TestWorker } from "./worker.ts";

/** Columns that hold the id of an account or a profile. */
const NAMES_MEMBER =
  /(^|_)(profile|account|sender|recipient|liker|liked|author|about|other|owner|member|subject|reporter|actor|low|high)_id$/;

/** Tables with a row in which `word` stands, and columns (`table.column`) that hold the member's id, of the main database and those of messages. */
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
        if (NAMES_MEMBER.test(column) && value === id) traces.add(`${name}.${column}`);
      }
    }
  }
  return [...traces];
}
