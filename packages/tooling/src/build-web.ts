import { spawnSync } from "node:child_process";
import { ROOT } from "@lambda/testing/site";

export const BUILD_WEB = ["run", "build", "--filter=@lambda/web", "--output-logs=errors-only"];

/** Builds the web application; turbo skips it when nothing that it reads has changed. */
export function buildWeb(): void {
  const { status, stdout, stderr } = spawnSync(`${ROOT}node_modules/.bin/turbo`, BUILD_WEB, {
    cwd: ROOT,
    encoding: "utf8",
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1" },
  });
  if (status !== 0) throw new Error(`the web build failed:\n${stdout}\n${stderr}`);
}
