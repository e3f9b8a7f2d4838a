/** `npm run close-down [-- DAY | off]`: announces the end of the site, or calls it off (docs/OPERATIONS.md, Closing down). */
import { spawnSync } from "node:child_process";
import { createInterface } from "node:readline/promises";
import { CLOSING_NOTICE_MS, parseClosingDay } from "@lambda/contract/closing";
import { DAY_MS } from "@lambda/contract/limits";
import { ROOT } from "@lambda/testing/site";
import { requireSite, updateSite } from "./deployment/site-file.ts";
import { sayFailures } from "./say-failures.ts";

/** What the command's word, a day or `off`, does to the day announced so far. Throws if that day has come, or the new one is too near. */
export function planClosing(word: string, current: string, now: number) {
  if (now >= (parseClosingDay(current) ?? Number.POSITIVE_INFINITY))
    throw new Error(`The site closed on ${current}, and nothing can be called off.`);
  if (word === "off")
    return {
      value: "",
      says: "With this deployment the banner goes, anybody can join again, and the public log and a mail to each member say that the site stays.",
    };
  const time = /^\d{4}-\d\d-\d\d$/.test(word) ? (parseClosingDay(word) ?? Number.NaN) : Number.NaN;
  const first = new Date(now + CLOSING_NOTICE_MS + DAY_MS).toISOString().slice(0, 10);
  if (!(time >= Date.parse(first)))
    throw new Error(`"${word}" cannot be the day. Members have 30 days: ${first} is the first possible one.`);
  return {
    value: word,
    says: `From this deployment on every page and a mail to each member say that the site closes on ${word}, and nobody new can join.`,
  };
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

if (import.meta.main) {
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
}
