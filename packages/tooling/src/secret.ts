/** `npm run secret -- NAME [--delete]`: changes a secret of the deployed worker (docs/OPERATIONS.md, A leak). */
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { changeSecret } from "./deploy/secret.ts";
import { runSmokeTest } from "./deploy/smoke.ts";
import { openTarget } from "./deploy/target.ts";
import { listOrigins } from "./deployment/site-file.ts";
import { sayFailures } from "./say-failures.ts";
import { ask } from "./setup/ask-hidden.ts";

sayFailures();

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { delete: { type: "boolean", default: false } },
});
const [name = ""] = positionals;
if (!name) throw new Error("Say npm run secret -- NAME [--delete]");
const { account, script, site } = await openTarget();
const { version, isNew } = await changeSecret(account, script, name, values.delete ? null : await readValue());
console.log(`${version} has all requests: the same code with ${values.delete ? "no" : "the new"} ${name}.`);
if (isNew) console.log(`The worker had no ${name} before. If that is a surprise, compare the name.`);
await runSmokeTest({ origins: listOrigins(site), script, version });
console.log("It answers.");

async function readValue(): Promise<string> {
  const value = process.stdin.isTTY ? await ask(`Value of ${name} (not shown): `) : await text(process.stdin);
  return value.trim();
}
