/** Whether members are kept out while the site is brought back from a backup. The switch is in the backup bucket, since the database may be gone. */
import { MAINTENANCE_CACHED_MS, MAINTENANCE_KEY, type Maintenance, RESTORED_SHOWN_MS } from "@lambda/contract/backup";
import type { Pause } from "./db/chunked-jobs.ts";
import type { Env } from "./env.ts";
import { logFault } from "./log.ts";

const OFF: Maintenance = { on: false };
const READ_TIMEOUT_MS = 2_000;

/** Per isolate. A value and not a promise, which belongs to the request that began it. */
let known: Knowledge | undefined;

interface Knowledge {
  readonly at: number;
  readonly state: Maintenance;
  /** Whether the switch could be read at that time. */
  readonly isSure: boolean;
}

/** A switch that cannot be read stays as it was: a bucket that fails must not close the site. */
export const readMaintenance = async (env: Pick<Env, "BACKUPS">): Promise<Maintenance> => (await look(env)).state;

/** For work that nobody waits for, which must not write into a database that may be being restored. */
export async function readSwitch(env: Pick<Env, "BACKUPS">): Promise<"on" | "off" | "unknown"> {
  const { state, isSure } = await look(env);
  if (!isSure) return "unknown";
  return state.on ? "on" : "off";
}

/** Asks for the switch again while a run of the schedule goes on, which may be longer than a restore waits. */
export function watchSwitch(env: Pick<Env, "BACKUPS">): Pause {
  let [isOn, at] = [false, Date.now()];
  const lookNow = async () => {
    at = Date.now();
    isOn = (await readSwitch(env)) !== "off";
    return isOn;
  };
  return {
    isOn: () => {
      if (Date.now() - at >= MAINTENANCE_CACHED_MS) void lookNow();
      return isOn;
    },
    look: lookNow,
  };
}

async function look({ BACKUPS }: Pick<Env, "BACKUPS">): Promise<Knowledge> {
  const now = Date.now();
  if (!__DEVELOPMENT__ && known && now - known.at < MAINTENANCE_CACHED_MS) return known;
  const before = known;
  // Others go on with what was known while one asks.
  if (before) known = { ...before, at: now };
  const state = await read(BACKUPS);
  const found: Knowledge = { at: now, state: state ?? before?.state ?? OFF, isSure: state !== undefined };
  known = found;
  return found;
}

/** Undefined if it cannot be read. */
async function read(bucket: R2Bucket): Promise<Maintenance | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("timed out")), READ_TIMEOUT_MS);
  });
  try {
    const stored = bucket.get(MAINTENANCE_KEY).then((object) => (object ? object.json<Maintenance>() : OFF));
    return await Promise.race([stored, late]);
  } catch (error) {
    logFault({ event: "maintenance" }, error);
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** The time to which the site went back, as long as pages say so. */
export async function restoredTo(env: Pick<Env, "BACKUPS">): Promise<string | undefined> {
  const { on, restoredTo: to, restoredAt } = await readMaintenance(env);
  return !on && to && restoredAt && Date.now() - Date.parse(restoredAt) < RESTORED_SHOWN_MS ? to : undefined;
}
