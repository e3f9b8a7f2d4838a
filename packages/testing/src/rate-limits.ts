import { createHash } from "node:crypto";
import type { TestWorker } from "./worker.ts";

/** The object that counts a rate limit; the worker names it by a hash. */
export const limiterOf = ({ env }: Pick<TestWorker, "env">, name: string) =>
  env.RATE_LIMITER.getByName(createHash("sha256").update(name).digest("hex"));

/** Counts many hits of a rate limit in one call, in addition to earlier ones. */
export async function hitLimit(
  worker: Pick<TestWorker, "env">,
  name: string,
  hits: number,
  windowMs: number,
): Promise<void> {
  await limiterOf(worker, name).spend([{ name: "window", amount: hits, max: Number.MAX_SAFE_INTEGER, windowMs }]);
}
