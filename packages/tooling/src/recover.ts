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
import {
  allowSweepOrder,
  countLostQuery,
  NEWEST_MESSAGE_QUERY,
  RAISE_IDS,
  RECOPY_CONVERSATIONS,
  RESTORED_MARK,
  restoreTrashOrder,
  type WorkerOrder,
} from "./recovery.ts";
import { sayFailures } from "./say-failures.ts";

sayFailures();

const USAGE = `npm run recover -- save-deleted FILE [--remote]              before a restore: which members deleted themselves
npm run recover -- delete-again FILE [--remote]              after it, because it brings them back
npm run recover -- messages [--remote]                           after restoring any database, once all are at the same time
npm run recover -- ids [--remote [--database lambda]]            after a restore, before members come back
npm run recover -- trash --since 2026-11-20 [--prefix pictures/] [--remote]   restores what sweeps deleted since that day
npm run recover -- sweep [--remote]                              allows the next sweep to delete what it refused to delete`;

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
  await put(RESTORED_MARK);
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
  await put(restoreTrashOrder(values.since, values.prefix));
  console.log("The worker restores 250 objects a minute, and logs trash-restored with finished: true at the end.");
} else if (verb === "sweep") {
  await put(allowSweepOrder(Date.now()));
  console.log(
    "The sweeps of the next two nights delete everything that looks orphaned. It stays in the trash for 30 days.",
  );
} else throw new Error(USAGE);
remindOfRemote(values.remote);

async function put({ key, body }: WorkerOrder): Promise<void> {
  using folder = mkdtempDisposableSync(join(tmpdir(), "recover-"));
  const file = join(folder.path, "order.json");
  writeFileSync(file, body);
  const where = values.remote ? bucketFlags(values.bucket) : ["--local"];
  await runWrangler(["r2", "object", "put", `${values.bucket}/${key}`, "--file", file, ...where]);
}
