import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "@lambda/testing/site";
import { expect, it } from "vitest";
import { FLAGS } from "./install.mjs";

/** Without them a command stops by itself or only reads, as npm gives it no value, or it is not the operator's. */
const HARMLESS = ["local", "location", "prefix"];

it("npm run deploy --dry-run deploys nothing, although npm takes the flag for itself", () => {
  const { status, stderr } = spawnSync("npm", ["run", "--silent", "deploy", "--dry-run"], {
    cwd: ROOT,
    encoding: "utf8",
    env: { ...process.env, CLOUDFLARE_API_TOKEN: "" },
  });
  expect(stderr).toMatch(
    /^npm took --dry-run for itself, so nothing was done\. Flags come after --: npm run deploy -- --dry-run$/m,
  );
  expect(status).toBe(1);
});

it("knows every flag of a command", () => {
  const files = globSync("**/*.ts", { cwd: import.meta.dirname, exclude: ["**/*.test.ts", "**/screens.ts"] });
  const sources = files.map((file) => readFileSync(join(import.meta.dirname, file), "utf8"));
  const options = sources
    .filter((text) => text.includes("parseArgs("))
    .flatMap((text) => [...text.matchAll(/"?([\w-]+)"?: \{ type: "(?:boolean|string)"/g)].map(([, name = ""]) => name));
  expect(options.length).toBeGreaterThan(25);
  expect(options.filter((name) => !FLAGS.includes(name) && !HARMLESS.includes(name))).toEqual([]);
});
