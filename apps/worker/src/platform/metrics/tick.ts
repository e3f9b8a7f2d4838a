/** Scheduled each minute, after all jobs: adds the database sizes and has the alerts checked. An idle site pays for few of these calls. */
import { MINUTE_MS } from "@lambda/contract/limits";
import { measureBytes } from "../db/statements.ts";
import { type Env, messageDatabases } from "../env.ts";
import type { Counts, GaugeName } from "../objects.ts";
import { hasEvents, metricsOf, takeCounts } from "./counts.ts";
import { mergeCounts } from "./merge.ts";

/** Twice within the time after which a missing tick is an incident. */
const IDLE_MINUTES_PER_TICK = 5;

export async function tickMetrics(env: Env, now: number, isIdle: boolean): Promise<void> {
  if (isIdle && !hasEvents() && Math.floor(now / MINUTE_MS) % IDLE_MINUTES_PER_TICK !== 0) return;
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
  await metricsOf(env).tick(mergeCounts(takeCounts(), measured.reduce(mergeCounts, {})), now);
}
