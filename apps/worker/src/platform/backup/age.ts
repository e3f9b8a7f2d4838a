/** How old the newest backup is, for the alert. A site that never had one counts from when that was first seen. */
import { LATEST_DATABASE_KEY } from "@lambda/contract/backup";
import type { Env } from "../env.ts";
import { gauge } from "../metrics/counts.ts";

const WAITING_KEY = "database/waiting.json";

/** Run by schedule. */
export async function measureBackup({ BACKUPS }: Env, now: number): Promise<void> {
  if (__DEVELOPMENT__) return;
  const stored = (await BACKUPS.get(LATEST_DATABASE_KEY)) ?? (await BACKUPS.get(WAITING_KEY));
  if (!stored) await BACKUPS.put(WAITING_KEY, JSON.stringify({ ts: now }));
  else gauge("backupAgeMs", now - (await stored.json<{ ts: number }>()).ts);
}
