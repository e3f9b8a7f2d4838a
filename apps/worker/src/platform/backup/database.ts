/**
 * The database's export, once a night, in a bucket of its own. The platform makes the file and answers nobody else meanwhile; here it is
 * only carried over, part by part, with what is needed to prove a restore (packages/tooling/src/drill.ts).
 */
import { createHash } from "node:crypto";
import { type DatabaseBackup, LATEST_DATABASE_KEY } from "@lambda/contract/backup";
import type { Env } from "../env.ts";
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

/** Run by schedule. Does nothing where no token was given: the alert of a missing backup says so. */
export async function backUpDatabase(env: Env, now: number, api = API, pollMs = POLL_MS): Promise<void> {
  const { BACKUP_TOKEN, BACKUP_ACCOUNT, BACKUP_DATABASE, BACKUPS } = env;
  if (!BACKUP_TOKEN || !BACKUP_ACCOUNT || !BACKUP_DATABASE) return;
  const before = await countRows(env.DB);
  const url = await exportDatabase(`${api}/accounts/${BACKUP_ACCOUNT}/d1/database/${BACKUP_DATABASE}/export`, {
    ...{ token: BACKUP_TOKEN, pollMs },
  });
  const file = await fetch(url);
  if (!file.ok || !file.body) throw new Error(`the export timed out or is gone: ${file.status}`);
  const key = `database/${dayOf(now)}.sql`;
  const { bytes, sha256 } = await carry(file.body, BACKUPS, key);
  const after = await countRows(env.DB);
  const rows = Object.fromEntries(
    Object.entries(before).map(([table, count]) => [table, [count, after[table] ?? null] as const]),
  );
  const backup: DatabaseBackup = { key, ts: now, bytes, sha256, rows, commit: env.GIT_COMMIT_HASH ?? "" };
  await BACKUPS.put(`database/${dayOf(now)}.json`, JSON.stringify(backup));
  await BACKUPS.put(LATEST_DATABASE_KEY, JSON.stringify(backup));
  await dropOld(BACKUPS, now);
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

async function dropOld(bucket: R2Bucket, now: number): Promise<void> {
  const { objects } = await bucket.list({ prefix: "database/" });
  const old = objects
    .map(({ key }) => key)
    .filter((key) => {
      const [, day] = /^database\/(\d{4}-\d\d-\d\d)\.(?:sql|json)$/.exec(key) ?? [];
      return day !== undefined && !isKept(day, now);
    });
  if (old.length > 0) await bucket.delete(old);
}
