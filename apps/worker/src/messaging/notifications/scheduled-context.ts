import { storedBrand } from "@lambda/brands";
import { openDatabase } from "../../platform/db/database.ts";
import type { Env } from "../../platform/env.ts";
import { logFault } from "../../platform/log.ts";
import type { NotifyContext } from "./notify.ts";

/** Mails and pushes that the jobs of a run do not wait for, by the run's environment. */
const workOfRuns = new WeakMap<Env, Promise<unknown>[]>();

/** A context for scheduled work, which has no request. The run ends with `finishScheduledWork`. */
export function scheduledContext(env: Env, brand: string, now: number): NotifyContext {
  const work = workOfRuns.get(env) ?? [];
  workOfRuns.set(env, work);
  return {
    env,
    d1: env.DB,
    db: openDatabase(env.DB),
    brand: storedBrand(brand),
    now,
    waitUntil: (promise) => void work.push(promise.catch((error) => logFault({ event: "scheduled-work" }, error))),
  };
}

/** Waits for what the jobs of a run left unfinished, because the platform may stop everything once the run has ended. */
export async function finishScheduledWork(env: Env): Promise<void> {
  // Work may add more work, which this loop reaches too.
  for (const work of workOfRuns.get(env) ?? []) await work;
}
