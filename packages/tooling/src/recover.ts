/** `npm run recover`: the steps after a restore or a wrong sweep (docs/OPERATIONS.md, Backup and restore). */
import { mkdtempDisposableSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { listMessageDatabases } from "@lambda/testing/message-databases";
import { localRunner, openTarget, remoteRunner } from "./deploy/target.ts";
import { bucketFlags, deployedFlags, readDeployedConfig } from "./deployment/config.ts";
import { runWrangler } from "./deployment/run-wrangler.ts";
import { remindOfRemote } from "./deployment/site-file.ts";
import { fulfillRequest } from "./member-requests.ts";
import type { RunStatement } from "./migration.ts";
import { sayFailures } from "./say-failures.ts";

const USAGE = `npm run recover -- save-deleted FILE [--remote]              before a restore: which members deleted themselves
npm run recover -- delete-again FILE [--remote]              after it, because it brings them back
npm run recover -- messages [--remote]                           after restoring any database, once all are at the same time
npm run recover -- ids [--remote [--database lambda]]            after a restore, before members come back
npm run recover -- trash --since 2026-11-20 [--prefix pictures/] [--remote]   restores what sweeps deleted since that day
npm run recover -- sweep [--remote]                              allows the next sweep to delete what it refused to delete`;

/** More ids than any site assigns between a backup and its restore. */
export const ID_STEP = 1_000_000;

/**
 * Raises the id counters of all tables, so that ids assigned after the backup, which clients and caches may remember, are never reused.
 * Tables that never had a row have no counter yet, so they get one.
 */
export const RAISE_IDS = [
  `UPDATE sqlite_sequence SET seq = seq + ${ID_STEP}`,
  `INSERT INTO sqlite_sequence (name, seq) SELECT name, ${ID_STEP} FROM sqlite_master
    WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%' AND name NOT IN (SELECT name FROM sqlite_sequence)`,
].join(";\n");

/** More changes than any conversation sees between a backup and its restore. */
const VERSION_STEP = 1_000_000;

/**
 * For a message database, after it or the main one was restored: makes its conversations newer than any copy, so that a cron job copies
 * them again.
 */
export const RECOPY_CONVERSATIONS = `UPDATE message_pair SET version = version + ${VERSION_STEP}, synced_version = 0`;

export const NEWEST_MESSAGE_QUERY = "SELECT ifnull(max(id), 0) AS newest FROM message";

/** For the main database: conversations whose last message is missing from a message database after its restore. */
export const countLostQuery = (number: number, newest: number) =>
  `SELECT count(*) AS lost FROM conversation WHERE last_message_id > ${newest} AND last_message_id >= ${2 ** 40} AND last_message_id % 64 = ${number}`;

/** An object in the pictures bucket that instructs the worker. */
export interface WorkerOrder {
  readonly key: string;
  readonly body: string;
}

/** A mark that matches no database, which stops deletions for a day (apps/worker/src/platform/bucket/mark.ts). */
export const RESTORED_MARK: WorkerOrder = {
  key: "jobs/database-mark.json",
  body: JSON.stringify({ token: "restored", since: 0 }),
};

/** Throws if `since` is not a day. */
export function restoreTrashOrder(since: string, prefix: string): WorkerOrder {
  if (!/^\d{4}-\d\d-\d\d$/.test(since)) throw new Error(`"${since}" is no day: write it as 2026-11-20`);
  return { key: "jobs/restore-trash.json", body: JSON.stringify({ since, prefix }) };
}

/** Valid for two nights: a sweep that is in progress, and the next. */
export function allowSweepOrder(now: number): WorkerOrder {
  return { key: "jobs/sweep-allowed.json", body: JSON.stringify({ until: now + 2 * 86_400_000 }) };
}

async function put({ key, body }: WorkerOrder, bucket: string, isRemote: boolean): Promise<void> {
  using folder = mkdtempDisposableSync(join(tmpdir(), "recover-"));
  const file = join(folder.path, "order.json");
  writeFileSync(file, body);
  const where = isRemote ? bucketFlags(bucket) : ["--local"];
  await runWrangler(["r2", "object", "put", `${bucket}/${key}`, "--file", file, ...where]);
}

if (import.meta.main) {
  sayFailures();
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      remote: { type: "boolean", default: false },
      database: { type: "string", default: "lambda" },
      bucket: { type: "string", default: "lambda-pictures" },
      since: { type: "string" },
      prefix: { type: "string", default: "" },
    },
  });
  const [verb, list] = positionals;
  const run: RunStatement = async (sql) =>
    (values.remote ? remoteRunner(await openTarget()) : localRunner(values.database))(sql);
  /** The first row. */
  const runIn = async ({ name, id }: { readonly name: string; readonly id: string }, sql: string) => {
    const runner = values.remote ? remoteRunner({ ...(await openTarget()), databaseId: id }) : localRunner(name);
    return (await runner(sql))[0];
  };

  if (verb === "save-deleted" && list) {
    const rows = await run("SELECT email, ts_deleted FROM account WHERE ts_deleted IS NOT NULL AND is_test = 0");
    writeFileSync(list, `${JSON.stringify(rows)}\n`, { mode: 0o600 });
    console.log(`${list} has ${rows.length} members. After the restore: npm run recover -- delete-again ${list}`);
  } else if (verb === "delete-again" && list) {
    const rows = JSON.parse(readFileSync(list, "utf8")) as { readonly email: string; readonly ts_deleted: number }[];
    for (const { email, ts_deleted: at } of rows) {
      const found = await run(`SELECT 1 FROM account WHERE email = '${email.replaceAll("'", "''")}'`);
      if (found.length > 0) console.log(await fulfillRequest({ request: "delete", email, at }, run));
      else console.log(`${email} has no account at that time.`);
    }
  } else if (verb === "ids") {
    // The bucket first, so that nothing is deleted while ids are raised.
    await put(RESTORED_MARK, values.bucket, values.remote);
    const where = values.remote ? ["--remote", ...deployedFlags()] : ["--local"];
    await runWrangler(["d1", "execute", values.database, ...where, "--yes", "--command", RAISE_IDS]);
    console.log("New ids start a million higher, and no job deletes pictures, evidence or accounts for a day.");
  } else if (verb === "messages") {
    const config = readDeployedConfig();
    const bound = values.remote ? config.env.production.d1_databases : config.d1_databases;
    for (const { number, ...database } of listMessageDatabases(bound)) {
      const newest = Number((await runIn(database, NEWEST_MESSAGE_QUERY))?.newest);
      const lost = (await run(countLostQuery(number, newest)))[0]?.lost;
      await runIn(database, RECOPY_CONVERSATIONS);
      console.log(
        `${database.name}: a cron job copies its conversations again. ${lost} conversations end with a message that it no longer has.`,
      );
    }
  } else if (verb === "trash" && values.since !== undefined) {
    await put(restoreTrashOrder(values.since, values.prefix), values.bucket, values.remote);
    console.log("The worker restores 250 objects a minute, and logs trash-restored with finished: true at the end.");
  } else if (verb === "sweep") {
    await put(allowSweepOrder(Date.now()), values.bucket, values.remote);
    console.log(
      "The sweeps of the next two nights delete everything that looks orphaned. It stays in the trash for 30 days.",
    );
  } else throw new Error(USAGE);
  remindOfRemote(values.remote);
}
