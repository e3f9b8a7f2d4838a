/** Scheduled each minute, after all jobs: adds the database sizes and has the alerts checked. */
import { measureBytes } from "../db/statements.ts";
import { type Env, messageDatabases } from "../env.ts";
import type { Counts, GaugeName } from "../objects.ts";
import { metricsOf, takeCounts } from "./counts.ts";
import { mergeCounts } from "./merge.ts";

export async function tickMetrics(env: Env, now: number): Promise<void> {
  await metricsOf(env).tick(mergeCounts(takeCounts(), await measureDatabases(env)), now);
}

async function measureDatabases(env: Env): Promise<Counts> {
  const databases: (readonly [GaugeName, D1Database])[] = [
    ["databaseBytes", env.DB],
    ...[...messageDatabases(env)].map(([number, d1]) => [`messageBytes${number}`, d1] as const),
  ];
  const measured = await Promise.all(
    databases.map(async ([name, d1]): Promise<Counts> => {
      try {
        return { [name]: await measureBytes(d1), databaseFailed: 0 };
      } catch {
        return { databaseFailed: 1 };
      }
    }),
  );
  return measured.reduce(mergeCounts, {});
}
