/** Whether members are kept out while the site is brought back from a backup. The switch is in the backup bucket, since the database may be gone. */
import { MAINTENANCE_CACHED_MS, MAINTENANCE_KEY, type Maintenance, RESTORED_SHOWN_MS } from "@lambda/contract/backup";
import type { Env } from "./env.ts";
import { logFault } from "./log.ts";

const OFF: Maintenance = { on: false };
const READ_TIMEOUT_MS = 2_000;

/** Per isolate. A value and not a promise, which belongs to the request that began it. */
let known: { readonly at: number; readonly state: Maintenance } | undefined;

/** A switch that cannot be read stays as it was: a bucket that fails must not close the site. */
export async function readMaintenance({ BACKUPS }: Pick<Env, "BACKUPS">): Promise<Maintenance> {
  const now = Date.now();
  if (!__DEVELOPMENT__ && known && now - known.at < MAINTENANCE_CACHED_MS) return known.state;
  const before = known?.state;
  // Others go on with what was known while one asks.
  if (before) known = { at: now, state: before };
  const state = await read(BACKUPS, before ?? OFF);
  known = { at: now, state };
  return state;
}

async function read(bucket: R2Bucket, before: Maintenance): Promise<Maintenance> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("timed out")), READ_TIMEOUT_MS);
  });
  try {
    const stored = bucket.get(MAINTENANCE_KEY).then((object) => (object ? object.json<Maintenance>() : OFF));
    return await Promise.race([stored, late]);
  } catch (error) {
    logFault({ event: "maintenance" }, error);
    return before;
  } finally {
    clearTimeout(timer);
  }
}

/** The time to which the site went back, as long as pages say so. */
export async function restoredTo(env: Pick<Env, "BACKUPS">): Promise<string | undefined> {
  const { on, restoredTo: to, restoredAt } = await readMaintenance(env);
  return !on && to && restoredAt && Date.now() - Date.parse(restoredAt) < RESTORED_SHOWN_MS ? to : undefined;
}
