import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ROOT } from "@lambda/testing/site";

/** Referred to, so that nothing collects and thereby opens them while the process lives. */
const locks: DatabaseSync[] = [];

/**
 * Keeps other copies of `npm start` and `npm run dev` off the local state until this process ends, however it ends: the system gives up the
 * lock of a file. Exits where another one has it.
 */
export function holdState(folder = join(ROOT, ".wrangler")): void {
  mkdirSync(folder, { recursive: true });
  const lock = new DatabaseSync(join(folder, "state.lock"));
  try {
    lock.exec("BEGIN EXCLUSIVE");
  } catch {
    console.error(`Another npm start or npm run dev uses the data in ${join(folder, "state")}: stop it first.`);
    process.exit(1);
  }
  locks.push(lock);
}
