/** `npm run drill [-- --local]`: restores the newest backup on this machine and compares it (docs/OPERATIONS.md, Backup and restore). */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { listMessageDatabases } from "@lambda/testing/message-databases";
import { ROOT } from "@lambda/testing/site";
import { drill } from "./backup/drill.ts";
import { bucketFlags, readDeployedConfig } from "./deployment/config.ts";
import { runWrangler } from "./deployment/run-wrangler.ts";
import { sayFailures } from "./say-failures.ts";

sayFailures();

const BUCKET = "lambda-backups";
const { values } = parseArgs({ options: { local: { type: "boolean", default: false }, keep: { type: "string" } } });
const where = values.local ? ["--local"] : bucketFlags(BUCKET);

// The backup contains everything members wrote, so the folder is private and deleted afterwards unless --keep is given.
const folder = values.keep ?? mkdtempSync(join(tmpdir(), "drill-"));
try {
  const { d1_databases } = readDeployedConfig().env.production;
  const { backup, inventory, tables, messages, pictures, faults } = await drill({
    folder,
    fetchObject: async (key) => {
      const file = join(folder, key);
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      await runWrangler(["r2", "object", "get", `${BUCKET}/${key}`, "--file", file, ...where]);
      return file;
    },
    schema: readFileSync(join(ROOT, "schema.sql"), "utf8"),
    // A local site has no backups of message databases.
    messages: values.local ? [] : listMessageDatabases(d1_databases).map(({ number }) => number),
    now: Date.now(),
  });
  for (const { name, rows, sha256 } of tables) console.log(`${name}: ${rows} rows, ${sha256.slice(0, 16)}`);
  for (const { number, tables: own } of messages)
    for (const { name, rows, sha256 } of own)
      console.log(`messages ${number}, ${name}: ${rows} rows, ${sha256.slice(0, 16)}`);
  for (const { backup: own } of messages)
    console.log(`${own.key}, ${own.bytes} bytes, made ${new Date(own.ts).toISOString()} by ${own.commit}`);
  console.log(`${backup.key}, ${backup.bytes} bytes, made ${new Date(backup.ts).toISOString()} by ${backup.commit}`);
  console.log(`${pictures} pictures, ${inventory.objects} objects copied (${inventory.bytes} bytes)`);
  console.log(faults.length === 0 ? "Nothing is wrong with it." : `Wrong:\n- ${faults.join("\n- ")}`);
  if (faults.length > 0) process.exitCode = 1;
} finally {
  if (!values.keep) rmSync(folder, { recursive: true });
}
