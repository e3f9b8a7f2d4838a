import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, parse as parsePath, resolve } from "node:path";
import { parse, stringify } from "smol-toml";
import { wrangler } from "./site.ts";

/** Bundles a worker into a folder as `wrangler deploy` does, and answers the bundle's file. */
export function bundleWorker(configPath: string, folder: string, env?: string): string {
  const config = parse(readFileSync(configPath, "utf8")) as { main: string; build?: object; assets?: object };
  // Without the step that keeps a development build from being deployed: this one goes nowhere. Of no interest here are the pages.
  const { build: _build, assets: _assets, ...rest } = config;
  mkdirSync(folder, { recursive: true });
  const placed = join(folder, "wrangler.toml");
  writeFileSync(placed, stringify({ ...rest, main: resolve(dirname(configPath), config.main) }));
  wrangler(["deploy", "--dry-run", "--config", placed, "--outdir", folder, ...(env ? ["--env", env] : [])]);
  return join(folder, `${parsePath(config.main).name}.js`);
}
