import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { SiteBrands } from "@lambda/brands";
import { ROOT } from "@lambda/testing/site";

export const BUILD_WEB = ["run", "build", "--filter=@lambda/web", "--output-logs=errors-only"];

/** Builds the web application in a separate process. turbo skips it if its inputs have not changed. Without `brands`, of the examples. */
export async function buildWeb(brands?: SiteBrands): Promise<void> {
  try {
    await promisify(execFile)(`${ROOT}node_modules/.bin/turbo`, BUILD_WEB, {
      cwd: ROOT,
      env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1", SITE_BRANDS: brands ? JSON.stringify(brands) : "" },
    });
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`the web build failed:\n${stdout}\n${stderr}`);
  }
}
