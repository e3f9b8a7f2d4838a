import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Runs under whatever Node is there (20 or later), before anything is installed: no dependencies, no TypeScript. */
export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const STAMP = `${ROOT}node_modules/.installed-lock`;

/** Installs what package-lock.json says, unless that was done before; a changed lock updates what is there. */
export function install() {
  const lock = createHash("sha256")
    .update(readFileSync(`${ROOT}package-lock.json`))
    .digest("hex");
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === lock) return;
  console.log("Installing the packages of package-lock.json ...");
  const command = existsSync(`${ROOT}node_modules`) ? ["install", "--no-save"] : ["ci"];
  const { status, error } = spawnSync("npm", [...command, "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: ROOT,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (error) console.error(error.message);
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(STAMP, lock);
}

/** Runs a TypeScript file of the project under the Node of package.json, and ends with its exit code. */
export function run(file, args = process.argv.slice(2)) {
  const { status, error } = spawnSync(
    `${ROOT}node_modules/.bin/node`,
    ["--disable-warning=ExperimentalWarning", `${ROOT}${file}`, ...args],
    {
      cwd: ROOT,
      stdio: "inherit",
      env: { ...process.env, PATH: `${ROOT}node_modules/.bin:${process.env.PATH}` },
    },
  );
  if (error) console.error(error.message);
  process.exit(status ?? 1);
}
