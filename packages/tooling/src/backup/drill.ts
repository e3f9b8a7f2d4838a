/** Restores a backup into a fresh database of this machine and says what is wrong with it; nothing of it touches the site. */
import { createHash } from "node:crypto";
import { createReadStream, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  type DatabaseBackup,
  LATEST_DATABASE_KEY,
  LATEST_INVENTORY_KEY,
  type PictureInventory,
} from "@lambda/contract/backup";
import {
  describeObjects,
  describeSchema,
  differencesBetween,
  OBJECTS,
  type SchemaObject,
} from "../schema-differences.ts";
import { checksums, restoreFrom } from "./database-dump.ts";

export interface Drill {
  /** Of the bucket of backups, into this folder; answers the file. */
  fetchObject(key: string): Promise<string>;
  /** For the restored database. */
  readonly folder: string;
  /** What this commit wants a database to be. */
  readonly schema: string;
  readonly now: number;
}

export interface DrillReport {
  readonly backup: DatabaseBackup;
  readonly inventory: PictureInventory;
  readonly tables: readonly { readonly name: string; readonly rows: number; readonly sha256: string }[];
  readonly pictures: number;
  /** Empty when the backup is worth its name. */
  readonly faults: readonly string[];
}

/** What is written while a table is counted twice may differ by so much. */
const MOVED_SHARE = 0.01;
const MOVED_FEW = 20;
const FAULTS_SHOWN = 10;
const OLDEST_MS = 1.5 * 86_400_000;

export async function drill(it: Drill): Promise<DrillReport> {
  const backup = await readJson<DatabaseBackup>(it, LATEST_DATABASE_KEY);
  const inventory = await readJson<PictureInventory>(it, LATEST_INVENTORY_KEY);
  const faults: string[] = [];
  if (it.now - backup.ts > OLDEST_MS) faults.push(`the newest export is of ${new Date(backup.ts).toISOString()}`);
  const dump = await it.fetchObject(backup.key);
  const sha256 = await hashOf(dump);
  if (sha256 !== backup.sha256) faults.push(`${backup.key} is not the file that was written: its checksum differs`);
  const restored = join(it.folder, "restored.sqlite");
  // Rows that name nothing are told of, and do not end the drill.
  await restoreFrom(dump, restored, { foreignKeys: false });
  const tables = [...checksums(restored)].map(([name, sum]) => ({ name, ...sum }));
  faults.push(...compareCounts(tables, backup), ...inspect(restored, it.schema));
  const { pictures, missing } = await comparePictures(it, restored, inventory);
  faults.push(...missing);
  return { backup, inventory, tables, pictures, faults };
}

async function readJson<Value>({ fetchObject }: Drill, key: string): Promise<Value> {
  return JSON.parse(readFileSync(await fetchObject(key), "utf8")) as Value;
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

/** Each table was counted before and after: what was restored must lie between, but for what came and went meanwhile. */
function compareCounts(tables: DrillReport["tables"], { rows }: DatabaseBackup): string[] {
  return Object.entries(rows).flatMap(([name, [before, after]]) => {
    const found = tables.find((table) => table.name === name);
    if (!found) return [`the table ${name} is missing`];
    if (before === null || after === null) return [];
    const slack = Math.max(MOVED_FEW, MOVED_SHARE * Math.max(before, after));
    const moved = before === after ? 0 : slack;
    const fits = found.rows >= Math.min(before, after) - moved && found.rows <= Math.max(before, after) + moved;
    return fits ? [] : [`${name} has ${found.rows} rows and had ${before} before the export and ${after} after it`];
  });
}

function inspect(file: string, schema: string): string[] {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const faults: string[] = [];
    const [integrity] = db.prepare("PRAGMA integrity_check").all() as { integrity_check: string }[];
    if (integrity?.integrity_check !== "ok") faults.push(`integrity: ${integrity?.integrity_check}`);
    const orphans = db.prepare("PRAGMA foreign_key_check").all() as { table: string; parent: string }[];
    if (orphans.length > 0)
      faults.push(`${orphans.length} rows name a row that is not there, first in ${orphans[0]?.table}`);
    const objects = db.prepare(OBJECTS).all() as unknown as SchemaObject[];
    const differences = differencesBetween(describeObjects(objects), describeSchema(schema));
    if (differences.length > 0) faults.push(`its schema is another than this commit's: ${differences.join(", ")}`);
    return faults;
  } finally {
    db.close();
  }
}

/** Whether the bucket of backups has the original of each picture that a row names. What came after the list was begun may be missing. */
async function comparePictures(it: Drill, restored: string, { lists, ts }: PictureInventory) {
  const keys = new Set<string>();
  for (const list of lists) {
    for (const line of readFileSync(await it.fetchObject(list), "utf8").split("\n"))
      keys.add(line.split("\t")[0] ?? "");
  }
  const db = new DatabaseSync(restored, { readOnly: true });
  try {
    const rows = db.prepare("SELECT id, profile_id, version FROM picture WHERE ts_created < ?").all(ts);
    const missing = rows
      .map(({ id, profile_id, version }) => `pictures/${profile_id}/${id}/${version}/original.webp`)
      .filter((key) => !keys.has(key));
    const shown = missing.slice(0, FAULTS_SHOWN).map((key) => `${key} has no copy`);
    const more = missing.length - shown.length;
    return { pictures: rows.length, missing: more > 0 ? [...shown, `and ${more} more`] : shown };
  } finally {
    db.close();
  }
}
