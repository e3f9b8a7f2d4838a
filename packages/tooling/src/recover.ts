/** `npm run recover`: brings back what is lost (docs/OPERATIONS.md, Backup and restore). */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { MAINTENANCE_CACHED_MS } from "@lambda/contract/backup";
import { ROOT } from "@lambda/testing/site";
import { allowSweepOrder, restoreTrashOrder, type WorkerOrder } from "./backup/orders.ts";
import { openAgain, RESTORE_CASES, type RestoreCase, restore } from "./backup/restore.ts";
import { openTarget } from "./deploy/target.ts";
import { bucketFlags, deployedFlags } from "./deployment/config.ts";
import { runWrangler } from "./deployment/run-wrangler.ts";
import { remindOfRemote } from "./deployment/site-file.ts";
import { INNER_COMMAND, sayFailures } from "./say-failures.ts";

const USAGE = `npm run recover -- database [2026-11-20]            the database is lost: from the newest backup, or that of a day
npm run recover -- pictures                         the pictures bucket is lost, or objects of it
npm run recover -- everything [2026-11-20]          both are lost
npm run recover -- time 2026-11-20T18:00:00Z        both are there, and the site goes back to a time of the last 30 days
npm run recover -- open                             gives up a restore that has changed nothing yet, and lets members in
npm run recover -- trash --since 2026-11-20 [--prefix pictures/] [--remote]   restores what sweeps deleted since that day
npm run recover -- sweep [--remote]                 allows the next sweep to delete what it refused to delete`;

async function put({ key, body }: WorkerOrder, bucket: string, isRemote: boolean): Promise<void> {
  using folder = mkdtempDisposableSync(join(tmpdir(), "recover-"));
  const file = join(folder.path, "order.json");
  writeFileSync(file, body);
  const where = isRemote ? bucketFlags(bucket) : ["--local"];
  await runWrangler(["r2", "object", "put", `${bucket}/${key}`, "--file", file, ...where]);
}

/** In seconds: longer than a worker's knowledge of the switch is old, and than the requests that were under way. */
const SETTLE = String((3 * MAINTENANCE_CACHED_MS) / 1000);

async function restoreSite(
  what: RestoreCase,
  to: string | undefined,
  settle: string,
  despiteFaults: boolean,
  without: readonly string[],
): Promise<void> {
  const { account } = await openTarget();
  await restore({
    account,
    root: ROOT,
    what,
    to,
    despiteFaults,
    without,
    load: async ({ name }, file) => {
      await runWrangler(["d1", "execute", name, "--remote", ...deployedFlags(), "--yes", "--file", file]);
    },
    requireDeployable: () => deploy(["--only-checks"], {}),
    deploy: (pass) => deploy(["--only-visitor", "--pause", settle], { MAINTENANCE_PASS: pass }),
    settle: () => new Promise((resolve) => setTimeout(resolve, Number(settle) * 1000)),
    say: (line) => console.log(line),
  });
}

async function deploy(flags: readonly string[], variables: Readonly<Record<string, string>>): Promise<void> {
  const file = join(import.meta.dirname, "deploy.ts");
  const env = { ...process.env, ...INNER_COMMAND, ...variables };
  const child = spawn(process.execPath, [...process.execArgv, file, ...flags], { cwd: ROOT, stdio: "inherit", env });
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error("This version cannot be deployed yet.");
}

if (import.meta.main) {
  const isRestore = RESTORE_CASES.some((what) => process.argv[2] === what);
  sayFailures(
    isRestore ? "Once that is settled, the same command continues: what is done is not done twice." : undefined,
  );
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      remote: { type: "boolean", default: false },
      bucket: { type: "string", default: "lambda-pictures" },
      since: { type: "string" },
      prefix: { type: "string", default: "" },
      settle: { type: "string", default: SETTLE },
      without: { type: "string", multiple: true, default: [] },
      "despite-faults": { type: "boolean", default: false },
    },
  });
  const [verb, to] = positionals;
  if (RESTORE_CASES.includes(verb as RestoreCase)) {
    await restoreSite(verb as RestoreCase, to, values.settle, values["despite-faults"], values.without);
  } else if (verb === "open") {
    const { account } = await openTarget();
    await openAgain({ account, root: ROOT, say: (line) => console.log(line) });
  } else if (verb === "trash" && values.since !== undefined) {
    await put(restoreTrashOrder(values.since, values.prefix), values.bucket, values.remote);
    console.log("The worker restores 250 objects a minute, and logs trash-restored with finished: true at the end.");
    remindOfRemote(values.remote);
  } else if (verb === "sweep") {
    await put(allowSweepOrder(Date.now()), values.bucket, values.remote);
    console.log(
      "The sweeps of the next two nights delete everything that looks orphaned. It stays in the trash for 30 days.",
    );
    remindOfRemote(values.remote);
  } else throw new Error(USAGE);
}
