/** Run by schedule each minute, last of all: adds what the clock itself measures, and lets the figures be looked at. */
import type { Env } from "../env.ts";
import type { Counts } from "../objects.ts";
import { metricsOf, takeCounts } from "./counts.ts";
import { merge } from "./merge.ts";
import { NOTHING } from "./statements.ts";

export async function tickMetrics(env: Env, now: number): Promise<void> {
  await metricsOf(env).tick(merge(takeCounts(), await measureDatabase(env)), now);
}

/** Reads no row: each answer of D1 says how large the database is. */
async function measureDatabase({ DB }: Env): Promise<Counts> {
  try {
    const { meta } = await DB.prepare(NOTHING).run();
    return { databaseBytes: Math.round(meta.size_after ?? 0), databaseFailed: 0 };
  } catch {
    return { databaseFailed: 1 };
  }
}
