import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Runs under the system's Node (20 or later) before anything is installed, so no dependencies and no TypeScript. */
export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const STAMP = `${ROOT}node_modules/.installed-lock`;

/** Of the operator's commands, and of wrangler where the guide names them. */
export const FLAGS = (
  "adopt answers ask at at-once bookmark bucket command database delete despite-faults dry-run file keep list looks lost only-visitor output pause " +
  "remote secrets-file settle since site state steps timestamp without only-checks"
).split(" ");

/** Ends a command whose flags npm took for itself, as it does before `--`: without them a dry run would deploy. */
export function rejectLostFlags() {
  const { env } = process;
  const lost = FLAGS.filter((flag) => env[`npm_config_${flag.replaceAll("-", "_")}`]).map((flag) => `--${flag}`);
  if (lost.length === 0) return;
  const example = `npm run ${env.npm_lifecycle_event} -- ${lost.join(" ")}`;
  console.error(`npm took ${lost.join(" and ")} for itself, so nothing was done. Flags come after --: ${example}`);
  process.exit(1);
}

/** Installs the packages of package-lock.json, unless it has not changed since the last installation. */
export function install() {
  rejectLostFlags();
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

const PARENT_WATCHED_MS = 500;

/**
 * Runs a TypeScript file of the project under the Node version of package.json, and exits with its exit code. Signals are for the command,
 * which may have something to undo; where this process is killed, the command's channel closes.
 *
 * @param stopsWithParent of a server, which nobody could stop any more once npm is gone
 */
export function run(file, { args = process.argv.slice(2), stopsWithParent = false } = {}) {
  const child = spawn(
    `${ROOT}node_modules/.bin/node`,
    ["--disable-warning=ExperimentalWarning", `${ROOT}${file}`, ...args],
    {
      cwd: ROOT,
      stdio: ["inherit", "inherit", "inherit", "ipc"],
      env: {
        ...process.env,
        PATH: `${ROOT}node_modules/.bin:${process.env.PATH}`,
        // Commands start many short processes of wrangler and vitest: each compiles some 10 MB of JavaScript without this cache.
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? `${ROOT}node_modules/.cache/compile`,
      },
    },
  );
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  if (stopsWithParent) {
    // Whoever stops npm by its id ends npm and its shell, which hands no signal on.
    const parent = process.ppid;
    const watch = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(watch);
      child.kill("SIGTERM");
    }, PARENT_WATCHED_MS);
  }
  child.once("error", (error) => {
    console.error(error.message);
    process.exit(1);
  });
  child.once("exit", (status) => process.exit(status ?? 1));
}
