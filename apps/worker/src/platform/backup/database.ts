/**
 * Exports each database once a night into a separate bucket. D1 creates the file, blocking the database meanwhile; the worker copies it part
 * by part, together with the row counts that prove a restore (packages/tooling/src/drill.ts).
 */
import { createHash } from "node:crypto";
import { type DatabaseBackup, databaseBackupPrefix, latestDatabaseBackupKey } from "@lambda/contract/backup";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@lambda/contract/limits";
import { type Env, messageDatabases } from "../env.ts";
import { forEachDespiteErrors } from "../for-each.ts";
import { toIsoDate } from "../iso-time.ts";
import { gauge } from "../metrics/counts.ts";
import { isKept } from "./retention.ts";
import { countRows } from "./statements.ts";

const API = "https://api.cloudflare.com/client/v4";
/** R2 requires parts of equal size, and an invocation has 128 MB of memory. */
const PART_BYTES = 16 * 1024 * 1024;
const POLL_MS = 2_000;
/** A cron invocation may run for 15 minutes. */
const POLLS_MAX = 300;

interface ExportStatus {
  readonly status?: "active" | "complete" | "error";
  readonly at_bookmark?: string;
  readonly error?: string;
  readonly result?: { readonly signed_url?: string };
}

/** No export starts after this long; the next run of the night continues. */
const START_WITHIN_MS = 5 * MINUTE_MS;
/** Time of day, UTC. */
const NIGHT_START_MS = HOUR_MS;

interface Source {
  /** 0 is the main database. */
  readonly number: number;
  readonly d1: D1Database;
  /** D1's id of the database. */
  readonly id: string;
}

/** Scheduled several times a night: exports the databases that have no export of this night yet, the main one first. */
export async function backUpDatabases(env: Env, now: number, api = API, pollMs = POLL_MS): Promise<void> {
  const night = now - (now % DAY_MS) + NIGHT_START_MS;
  const startBefore = Date.now() + START_WITHIN_MS;
  const ids = new Map((env.BACKUP_MESSAGES ?? "").split(" ").map((entry) => entry.split(":") as [string, string]));
  const messages = [...messageDatabases(env)].map(([number, d1]) => ({
    number,
    d1,
    id: ids.get(String(number)) ?? "",
  }));
  await forEachDespiteErrors([mainSource(env), ...messages], async (source) => {
    if (Date.now() >= startBefore) return;
    const stored = await env.BACKUPS.get(latestDatabaseBackupKey(source.number));
    if (stored && (await stored.json<{ ts: number }>()).ts >= night) return;
    await backUpDatabase(env, now, api, pollMs, source);
  });
}

const mainSource = (env: Env): Source => ({ number: 0, d1: env.DB, id: env.BACKUP_DATABASE ?? "" });

/** Does nothing without a token; the alert about a missing backup reports that. */
export async function backUpDatabase(
  env: Env,
  now: number,
  api = API,
  pollMs = POLL_MS,
  { number, d1, id }: Source = mainSource(env),
): Promise<void> {
  const { BACKUP_TOKEN, BACKUP_ACCOUNT, BACKUPS } = env;
  if (!BACKUP_TOKEN || !BACKUP_ACCOUNT || !id) return;
  const prefix = databaseBackupPrefix(number);
  const before = await countRows(d1);
  const url = await exportDatabase(`${api}/accounts/${BACKUP_ACCOUNT}/d1/database/${id}/export`, {
    token: BACKUP_TOKEN,
    pollMs,
  });
  const file = await fetch(url);
  if (!file.ok || !file.body) throw new Error(`the export timed out or is gone: ${file.status}`);
  const key = `${prefix}${toIsoDate(now)}.sql`;
  const { bytes, sha256 } = await upload(file.body, BACKUPS, key);
  const after = await countRows(d1);
  const rows = Object.fromEntries(
    Object.entries(before).map(([table, count]) => [table, [count, after[table] ?? null] as const]),
  );
  const backup: DatabaseBackup = { key, ts: now, bytes, sha256, rows, commit: env.GIT_COMMIT_HASH ?? "" };
  await BACKUPS.put(`${prefix}${toIsoDate(now)}.json`, JSON.stringify(backup));
  await BACKUPS.put(latestDatabaseBackupKey(number), JSON.stringify(backup));
  await deleteExpired(BACKUPS, prefix, now);
}

/** Polls until the file is ready: D1 abandons an export that is not polled. */
async function exportDatabase(url: string, { token, pollMs }: { token: string; pollMs: number }): Promise<string> {
  let bookmark: string | undefined;
  for (let poll = 0; poll < POLLS_MAX; poll += 1) {
    const response = await fetch(url, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ output_format: "polling", ...(bookmark && { current_bookmark: bookmark }) }),
    });
    const { result } = await response.json<{ result: ExportStatus | null }>();
    if (!response.ok || !result || result.status === "error") {
      throw new Error(`the export is not allowed or failed: ${response.status}`);
    }
    const file = result.result?.signed_url;
    if (result.status === "complete" && file) return file;
    bookmark = result.at_bookmark;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  throw new Error("the export timed out");
}

async function upload(body: ReadableStream<Uint8Array>, bucket: R2Bucket, key: string) {
  const hash = createHash("sha256");
  const multipart = await bucket.createMultipartUpload(key);
  const parts: R2UploadedPart[] = [];
  let bytes = 0;
  let buffer = new Uint8Array(PART_BYTES);
  let filled = 0;
  const uploadPart = async () => {
    parts.push(await multipart.uploadPart(parts.length + 1, buffer.slice(0, filled)));
    buffer = new Uint8Array(PART_BYTES);
    filled = 0;
  };
  try {
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      hash.update(chunk);
      bytes += chunk.byteLength;
      for (let at = 0; at < chunk.byteLength; ) {
        const piece = chunk.subarray(at, at + PART_BYTES - filled);
        buffer.set(piece, filled);
        filled += piece.byteLength;
        at += piece.byteLength;
        if (filled === PART_BYTES) await uploadPart();
      }
    }
    if (filled > 0 || parts.length === 0) await uploadPart();
    await multipart.complete(parts);
  } catch (error) {
    await multipart.abort();
    throw error;
  }
  return { bytes, sha256: hash.digest("hex") };
}

async function deleteExpired(bucket: R2Bucket, prefix: string, now: number): Promise<void> {
  const { objects } = await bucket.list({ prefix });
  const expired = objects
    .map(({ key }) => key)
    .filter((key) => {
      const [, day] = /^(\d{4}-\d\d-\d\d)\.(?:sql|json)$/.exec(key.slice(prefix.length)) ?? [];
      return day !== undefined && !isKept(day, now);
    });
  if (expired.length > 0) await bucket.delete(expired);
}

/** Scheduled: measures the age of each database's newest backup for the alert. A site that never had one counts from when this job first noticed. */
export async function measureBackup(env: Env, now: number): Promise<void> {
  if (__DEVELOPMENT__) return;
  for (const number of [0, ...messageDatabases(env).keys()]) {
    const missingSince = `${databaseBackupPrefix(number)}waiting.json`;
    const stored = (await env.BACKUPS.get(latestDatabaseBackupKey(number))) ?? (await env.BACKUPS.get(missingSince));
    if (!stored) await env.BACKUPS.put(missingSince, JSON.stringify({ ts: now }));
    else gauge("backupAgeMs", now - (await stored.json<{ ts: number }>()).ts);
  }
}
