/**
 * Each database's export, once a night, in a bucket of its own. The platform makes the file and answers nobody else meanwhile; here it is
 * only carried over, part by part, with what is needed to prove a restore (packages/tooling/src/drill.ts).
 */
import { createHash } from "node:crypto";
import { type DatabaseBackup, databasePrefix, latestDatabaseKey } from "@lambda/contract/backup";
import { DAY_MS } from "@lambda/contract/limits";
import { type Env, messageDatabases } from "../env.ts";
import { dayOf, isKept } from "./retention.ts";
import { countRows } from "./statements.ts";

const API = "https://api.cloudflare.com/client/v4";
/** R2 takes parts of one size, and an invocation has 128 MB. */
const PART_BYTES = 16 * 1024 * 1024;
const POLL_MS = 2_000;
/** The clock gives an invocation fifteen minutes. */
const POLLS_MAX = 300;

interface Exported {
  readonly status?: "active" | "complete" | "error";
  readonly at_bookmark?: string;
  readonly error?: string;
  readonly result?: { readonly signed_url?: string };
}

/** After that none is begun any more: the next run of the night goes on. */
const BEGUN_WITHIN_MS = 5 * 60_000;
const NIGHT_BEGINS_MS = 3_600_000;

interface Source {
  /** 0 is the main one. */
  readonly number: number;
  readonly d1: D1Database;
  /** As the platform knows it. */
  readonly id: string;
}

/**
 * Run by schedule several times a night: what has no export of this night yet, the main one first. One that fails keeps none of the others
 * from its turn.
 */
export async function backUpDatabases(env: Env, now: number, api = API, pollMs = POLL_MS): Promise<void> {
  const night = now - (now % DAY_MS) + NIGHT_BEGINS_MS;
  const end = Date.now() + BEGUN_WITHIN_MS;
  const failed: unknown[] = [];
  for (const source of sourcesOf(env)) {
    if (Date.now() >= end) break;
    const stored = await env.BACKUPS.get(latestDatabaseKey(source.number));
    if (stored && (await stored.json<{ ts: number }>()).ts >= night) continue;
    await backUpDatabase(env, now, api, pollMs, source).catch((error) => failed.push(error));
  }
  if (failed.length > 0) throw failed[0];
}

function sourcesOf(env: Env): Source[] {
  const ids = new Map((env.BACKUP_MESSAGES ?? "").split(" ").map((word) => word.split(":") as [string, string]));
  const messages = [...messageDatabases(env)].map(([number, d1]) => ({
    number,
    d1,
    id: ids.get(String(number)) ?? "",
  }));
  return [mainOf(env), ...messages];
}

const mainOf = (env: Env): Source => ({ number: 0, d1: env.DB, id: env.BACKUP_DATABASE ?? "" });

/** Does nothing where no token was given: the alert of a missing backup says so. */
export async function backUpDatabase(
  env: Env,
  now: number,
  api = API,
  pollMs = POLL_MS,
  { number, d1, id }: Source = mainOf(env),
): Promise<void> {
  const { BACKUP_TOKEN, BACKUP_ACCOUNT, BACKUPS } = env;
  if (!BACKUP_TOKEN || !BACKUP_ACCOUNT || !id) return;
  const prefix = databasePrefix(number);
  const before = await countRows(d1);
  const url = await exportDatabase(`${api}/accounts/${BACKUP_ACCOUNT}/d1/database/${id}/export`, {
    ...{ token: BACKUP_TOKEN, pollMs },
  });
  const file = await fetch(url);
  if (!file.ok || !file.body) throw new Error(`the export timed out or is gone: ${file.status}`);
  const key = `${prefix}${dayOf(now)}.sql`;
  const { bytes, sha256 } = await carry(file.body, BACKUPS, key);
  const after = await countRows(d1);
  const rows = Object.fromEntries(
    Object.entries(before).map(([table, count]) => [table, [count, after[table] ?? null] as const]),
  );
  const backup: DatabaseBackup = { key, ts: now, bytes, sha256, rows, commit: env.GIT_COMMIT_HASH ?? "" };
  await BACKUPS.put(`${prefix}${dayOf(now)}.json`, JSON.stringify(backup));
  await BACKUPS.put(latestDatabaseKey(number), JSON.stringify(backup));
  await dropOld(BACKUPS, prefix, now);
}

/** Asks until the file is made: the platform gives up an export that nobody asks for. */
async function exportDatabase(url: string, { token, pollMs }: { token: string; pollMs: number }): Promise<string> {
  let bookmark: string | undefined;
  for (let poll = 0; poll < POLLS_MAX; poll += 1) {
    const answer = await fetch(url, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ output_format: "polling", ...(bookmark && { current_bookmark: bookmark }) }),
    });
    const { result } = await answer.json<{ result: Exported | null }>();
    if (!answer.ok || !result || result.status === "error") {
      throw new Error(`the export is not allowed or failed: ${answer.status}`);
    }
    const file = result.result?.signed_url;
    if (result.status === "complete" && file) return file;
    bookmark = result.at_bookmark;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  throw new Error("the export timed out");
}

async function carry(body: ReadableStream<Uint8Array>, bucket: R2Bucket, key: string) {
  const hash = createHash("sha256");
  const upload = await bucket.createMultipartUpload(key);
  const parts: R2UploadedPart[] = [];
  let bytes = 0;
  let part = new Uint8Array(PART_BYTES);
  let filled = 0;
  const send = async () => {
    parts.push(await upload.uploadPart(parts.length + 1, part.slice(0, filled)));
    part = new Uint8Array(PART_BYTES);
    filled = 0;
  };
  try {
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      hash.update(chunk);
      bytes += chunk.byteLength;
      for (let at = 0; at < chunk.byteLength; ) {
        const piece = chunk.subarray(at, at + PART_BYTES - filled);
        part.set(piece, filled);
        filled += piece.byteLength;
        at += piece.byteLength;
        if (filled === PART_BYTES) await send();
      }
    }
    if (filled > 0 || parts.length === 0) await send();
    await upload.complete(parts);
  } catch (error) {
    await upload.abort();
    throw error;
  }
  return { bytes, sha256: hash.digest("hex") };
}

async function dropOld(bucket: R2Bucket, prefix: string, now: number): Promise<void> {
  const { objects } = await bucket.list({ prefix });
  const old = objects
    .map(({ key }) => key)
    .filter((key) => {
      const [, day] = /^(\d{4}-\d\d-\d\d)\.(?:sql|json)$/.exec(key.slice(prefix.length)) ?? [];
      return day !== undefined && !isKept(day, now);
    });
  if (old.length > 0) await bucket.delete(old);
}
