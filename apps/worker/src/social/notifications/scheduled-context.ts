import { BRANDS, type BrandId, getBrand } from "@lambda/brands";
import { openDatabase } from "../../platform/db/database.ts";
import type { Env } from "../../platform/env.ts";
import { logFault } from "../../platform/log.ts";
import type { NotifyContext } from "./notify.ts";

/** A context for scheduled work, which has no request. */
export function scheduledContext(env: Env, brand: string, now: number): NotifyContext {
  const known = BRANDS.some((candidate) => candidate.id === brand);
  return {
    env,
    d1: env.DB,
    db: openDatabase(env.DB),
    brand: getBrand(known ? (brand as BrandId) : "ember"),
    now,
    // A scheduled run ends with its own promise, so this work is best effort.
    waitUntil: (work) => void work.catch((error) => logFault({ event: "after-the-clock" }, error)),
  };
}
