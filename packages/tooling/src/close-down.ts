/** `npm run close-down [-- DAY | off]`: announces the end of the site, or calls it off (docs/OPERATIONS.md, Closing down). */
import { spawnSync } from "node:child_process";
import { createInterface } from "node:readline/promises";
import { ROOT } from "@lambda/testing/site";
import { planClosing } from "./closing.ts";
import { requireSite, updateSite } from "./deployment/site-file.ts";
import { sayFailures } from "./say-failures.ts";

sayFailures();

const { vars = {} } = requireSite(ROOT);
const current = vars.CLOSING_ON ?? "";
const [word] = process.argv.slice(2);
if (word === undefined) console.log(current === "" ? "The site stays." : `The site closes on ${current}.`);
else {
  const { value, says } = planClosing(word, current, Date.now());
  console.log(says);
  await confirm(word);
  updateSite(ROOT, { vars: { ...vars, CLOSING_ON: value } });
  // Also if it was written before: a deployment that failed is tried again.
  process.exitCode = spawnSync("npm", ["run", "deploy"], { cwd: ROOT, stdio: "inherit" }).status ?? 1;
}

/** A mail to every member cannot be taken back. */
async function confirm(text: string): Promise<void> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await Promise.race([
    lines.question(`Type ${text} again to go on: `),
    new Promise<string>((resolve) => lines.once("close", () => resolve(""))),
  ]);
  lines.close();
  if (answer.trim() !== text) throw new Error("That is not the same. Nothing was changed.");
}
