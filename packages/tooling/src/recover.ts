/** `npm run recover -- ids | messages | trash --since DAY [--prefix KEYS] | sweep`: see docs/OPERATIONS.md, Backup and restore. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { listMessageDatabases } from "@lambda/testing/message-databases";
import { wrangler } from "@lambda/testing/site";
import { jurisdictionOf, readWranglerConfig } from "@lambda/testing/wrangler-config";
import {
  allowSweep,
  COPY_AGAIN,
  countLost,
  LIFT_IDS,
  NEWEST_MESSAGE,
  type Order,
  orderTrashBack,
  RESTORED_MARK,
} from "./recovery.ts";

const USAGE = `npm run recover -- messages [--remote]                           after a restore of any database, once all are at one time
npm run recover -- ids [--remote [--database lambda]]            after a restore, before members come back
npm run recover -- trash --since 2026-11-20 [--prefix pictures/] [--remote]   brings back what sweeps took since that day
npm run recover -- sweep [--remote]                              lets the next sweep take what it refused to take`;

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
const [verb] = positionals;

if (verb === "ids") {
  // First the bucket: nothing may be removed while ids are lifted.
  put(RESTORED_MARK);
  const where = values.remote ? ["--remote", "--env", "production"] : ["--local"];
  wrangler(["d1", "execute", values.database, ...where, "--yes", "--command", LIFT_IDS]);
  console.log("Ids go on a million higher, and no job removes pictures, evidence or accounts for a day.");
} else if (verb === "messages") {
  const config = readWranglerConfig();
  const bound = values.remote ? config.env.production.d1_databases : config.d1_databases;
  const [main] = bound;
  for (const { number, name } of listMessageDatabases(bound)) {
    const newest = Number(execute(name, NEWEST_MESSAGE).newest);
    const { lost } = execute(main.database_name, countLost(number, newest));
    execute(name, COPY_AGAIN);
    console.log(
      `${name}: the schedule copies its conversations again. ${lost} conversations end with a message that it no longer has.`,
    );
  }
} else if (verb === "trash" && values.since !== undefined) {
  put(orderTrashBack(values.since, values.prefix));
  console.log("The worker brings them back, 250 objects a minute; it logs trash-restored with finished: true.");
} else if (verb === "sweep") {
  put(allowSweep(Date.now()));
  console.log(
    "The sweeps of the next two nights take what looks orphaned, however much it is. It stays in the trash for 30 days.",
  );
} else throw new Error(USAGE);

function execute(database: string, command: string): Record<string, unknown> {
  const where = values.remote ? ["--remote", "--env", "production"] : ["--local"];
  const answer = wrangler(["d1", "execute", database, ...where, "--yes", "--json", "--command", command]);
  const [result] = JSON.parse(answer) as { results: Record<string, unknown>[] }[];
  return result?.results[0] ?? {};
}

function put({ key, body }: Order): void {
  const folder = mkdtempSync(join(tmpdir(), "recover-"));
  try {
    const file = join(folder, "order.json");
    writeFileSync(file, body);
    const where = values.remote ? ["--remote", ...jurisdictionOf(values.bucket)] : ["--local"];
    wrangler(["r2", "object", "put", `${values.bucket}/${key}`, "--file", file, ...where]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
