import { openDatabase } from "../db/database.ts";
import { decrypt, encrypt } from "../encryption.ts";
import type { Env } from "../env.ts";
import { hasOldVersions, newestKeyId } from "../keys.ts";
import { listOlder, RENEWED_COLUMNS, replaceOlder } from "./statements.ts";

/** Keeps a run's JSON within D1's limits. */
const CHUNK_ROWS_MAX = 200;

/**
 * Scheduled: encrypts anew what an older version of the site's secret encrypted, so that it is not needed any more. Fails for a value of an
 * unknown key, which is most likely a mistake in the secret.
 */
export async function renewEncrypted(env: Env, rows: number): Promise<boolean> {
  if (!hasOldVersions(env)) return false;
  const db = openDatabase(env.DB);
  const limit = Math.min(rows, CHUNK_ROWS_MAX);
  for (const column of RENEWED_COLUMNS) {
    const older = await listOlder(db, column, newestKeyId(env), limit);
    if (older.length === 0) continue;
    const encoding = column.textOf === undefined ? "hex" : "base64url";
    const renew = (value: string) =>
      encrypt(env, column.purpose, decrypt(env, column.purpose, Buffer.from(value, encoding)));
    await replaceOlder(
      db,
      column,
      older.map((row) => ({ ...row, renewed: renew(row.value).toString(encoding) })),
    );
    if (older.length === limit) return true;
  }
  return false;
}
