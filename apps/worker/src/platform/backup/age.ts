/** The age of the newest backup, for the alert. A site that never had one counts from when this job first noticed. */
import { databaseBackupPrefix, latestDatabaseBackupKey } from "@lambda/contract/backup";
import { type Env, messageDatabases } from "../env.ts";
import { gauge } from "../metrics/counts.ts";

/** Scheduled: measures the age of each database's backup; the gauge keeps the oldest. */
export async function measureBackup(env: Env, now: number): Promise<void> {
  if (__DEVELOPMENT__) return;
  for (const number of [0, ...messageDatabases(env).keys()]) {
    const missingSince = `${databaseBackupPrefix(number)}waiting.json`;
    const stored = (await env.BACKUPS.get(latestDatabaseBackupKey(number))) ?? (await env.BACKUPS.get(missingSince));
    if (!stored) await env.BACKUPS.put(missingSince, JSON.stringify({ ts: now }));
    else gauge("backupAgeMs", now - (await stored.json<{ ts: number }>()).ts);
  }
}
