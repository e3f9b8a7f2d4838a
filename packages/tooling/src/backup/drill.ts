/** Restores a backup into a fresh local database and reports what is wrong with it, without touching the site. */
import { createHash } from "node:crypto";
import { createReadStream, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  type DatabaseBackup,
  LATEST_PICTURE_INVENTORY_KEY,
  latestDatabaseBackupKey,
  type PictureInventory,
} from "@lambda/contract/backup";
import { messageSchema } from "@lambda/testing/message-databases";
import { listSchemaDifferences } from "../schema-differences.ts";
import { restoreDump, tableChecksums } from "./database-dump.ts";

export interface DrillOptions {
  /** Downloads an object from the backup bucket into the folder; returns the file's path. */
  fetchObject(key: string): Promise<string>;
  readonly folder: string;
  readonly schema: string;
  readonly messages?: readonly number[];
  readonly now: number;
}

type Tables = readonly { readonly name: string; readonly rows: number; readonly sha256: string }[];

/** Row counts may differ by this much, because of writes between two counts. */
const MOVED_SHARE = 0.01;
const MOVED_FEW = 20;
const FAULTS_SHOWN = 10;
const BACKUP_AGE_MAX_MS = 1.5 * 86_400_000;

/** `faults` is empty if the backup is good. */
export async function drill(it: DrillOptions) {
  const inventory = await readJson<PictureInventory>(it, LATEST_PICTURE_INVENTORY_KEY);
  const main = await restoreDatabase(it, 0, it.schema);
  const messages: { number: number; backup: DatabaseBackup; tables: Tables }[] = [];
  const faults = [...main.faults];
  for (const number of it.messages ?? []) {
    const { backup, tables, restored, faults: own } = await restoreDatabase(it, number, messageSchema(it.schema));
    messages.push({ number, backup, tables });
    faults.push(
      ...own.map((fault) => `messages ${number}: ${fault}`),
      ...comparePairs(main.restored, restored, number),
    );
  }
  const { pictures, missing } = await comparePictures(it, main.restored, inventory);
  faults.push(...missing);
  return { backup: main.backup, inventory, tables: main.tables, messages, pictures, faults };
}

async function restoreDatabase(it: DrillOptions, number: number, schema: string) {
  const backup = await readJson<DatabaseBackup>(it, latestDatabaseBackupKey(number));
  const faults: string[] = [];
  if (it.now - backup.ts > BACKUP_AGE_MAX_MS)
    faults.push(`the newest export is from ${new Date(backup.ts).toISOString()}`);
  const restored = join(it.folder, `restored-${number}.sqlite`);
  const { tables, faults: found } = await restoreBackup(await it.fetchObject(backup.key), restored, backup, schema);
  return { backup, tables, restored, faults: [...faults, ...found] };
}

/** @param schema of this commit; without it, the backup may be of an earlier one */
export async function restoreBackup(dump: string, restored: string, backup: DatabaseBackup, schema?: string) {
  const isWhole = (await hashOf(dump)) === backup.sha256;
  const faults = isWhole ? [] : [`${backup.key} is not the file that was written: its checksum differs`];
  // Foreign key violations are reported later instead of aborting the restore.
  await restoreDump(dump, restored, { foreignKeys: false });
  const tables = [...tableChecksums(restored)].map(([name, sum]) => ({ name, ...sum }));
  faults.push(...compareCounts(tables, backup), ...(await inspect(restored, schema)));
  return { tables, faults };
}

/** Checks the conversations that the main database assigns to a message database; a few from between the two exports may be missing. */
function comparePairs(main: string, messages: string, number: number): string[] {
  using db = new DatabaseSync(main, { readOnly: true });
  db.prepare("ATTACH ? AS messages").run(messages);
  const [row] = db
    .prepare(
      `SELECT count(*) AS pairs, count(*) FILTER (WHERE m.low_id IS NULL) AS missing
      FROM message_pair t LEFT JOIN messages.message_pair m ON m.low_id = t.low_id AND m.high_id = t.high_id WHERE t.shard = ?`,
    )
    .all(number);
  const [pairs, missing] = [Number(row?.pairs), Number(row?.missing)];
  const moved = Math.max(MOVED_FEW, MOVED_SHARE * pairs);
  return missing > moved
    ? [`messages ${number}: ${missing} of ${pairs} conversations that should be there are not`]
    : [];
}

async function readJson<Value>({ fetchObject }: DrillOptions, key: string): Promise<Value> {
  return JSON.parse(readFileSync(await fetchObject(key), "utf8")) as Value;
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

/** The restored row count of each table must lie between those before and after the export, give or take concurrent writes. */
function compareCounts(tables: Tables, { rows }: DatabaseBackup): string[] {
  return Object.entries(rows).flatMap(([name, [before, after]]) => {
    const restored = tables.find((table) => table.name === name);
    if (!restored) return [`the table ${name} is missing`];
    if (before === null || after === null) return [];
    const slack = Math.max(MOVED_FEW, MOVED_SHARE * Math.max(before, after));
    const moved = before === after ? 0 : slack;
    const fits = restored.rows >= Math.min(before, after) - moved && restored.rows <= Math.max(before, after) + moved;
    return fits ? [] : [`${name} has ${restored.rows} rows and had ${before} before the export and ${after} after it`];
  });
}

async function inspect(file: string, schema: string | undefined): Promise<string[]> {
  using db = new DatabaseSync(file, { readOnly: true });
  const faults: string[] = [];
  const [integrity] = db.prepare("PRAGMA integrity_check").all() as { integrity_check: string }[];
  if (integrity?.integrity_check !== "ok") faults.push(`integrity: ${integrity?.integrity_check}`);
  const orphans = db.prepare("PRAGMA foreign_key_check").all() as { table: string; parent: string }[];
  if (orphans.length > 0)
    faults.push(`${orphans.length} rows name a row that is not there, first in ${orphans[0]?.table}`);
  const differences =
    schema === undefined ? [] : await listSchemaDifferences(async (sql) => db.prepare(sql).all(), schema);
  if (differences.length > 0) faults.push(`its schema differs from this commit's: ${differences.join(", ")}`);
  return faults;
}

/** Whether the backup bucket has the original of each picture in the database, except those created after the inventory started. */
async function comparePictures(it: DrillOptions, restored: string, { lists, ts }: PictureInventory) {
  const keys = new Set<string>();
  for (const list of lists) {
    for (const line of readFileSync(await it.fetchObject(list), "utf8").split("\n"))
      keys.add(line.split("\t")[0] ?? "");
  }
  using db = new DatabaseSync(restored, { readOnly: true });
  const rows = db.prepare("SELECT id, profile_id, version FROM picture WHERE ts_created < ?").all(ts);
  const missing = rows
    .map(({ id, profile_id, version }) => `pictures/${profile_id}/${id}/${version}/original.webp`)
    .filter((key) => !keys.has(key));
  const shown = missing.slice(0, FAULTS_SHOWN).map((key) => `${key} has no copy`);
  const more = missing.length - shown.length;
  return { pictures: rows.length, missing: more > 0 ? [...shown, `and ${more} more`] : shown };
}
