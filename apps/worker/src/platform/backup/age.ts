/** How old the newest backup of a database is, for the alert. A site that never had one counts from when that was first seen. */
import { databasePrefix, latestDatabaseKey } from "@lambda/contract/backup";
import { type Env, messageDatabases } from "../env.ts";
import { gauge } from "../metrics/counts.ts";

/** Run by schedule. The oldest of all databases counts. */
export async function measureBackup(env: Env, now: number): Promise<void> {
  if (__DEVELOPMENT__) return;
  for (const number of [0, ...messageDatabases(env).keys()]) {
    const waiting = `${databasePrefix(number)}waiting.json`;
    const stored = (await env.BACKUPS.get(latestDatabaseKey(number))) ?? (await env.BACKUPS.get(waiting));
    if (!stored) await env.BACKUPS.put(waiting, JSON.stringify({ ts: now }));
    else gauge("backupAgeMs", now - (await stored.json<{ ts: number }>()).ts);
  }
}
