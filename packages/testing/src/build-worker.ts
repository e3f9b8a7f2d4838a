/**
 * `node packages/testing/src/build-worker.ts FOLDER`: bundles the development worker for a run of tests, whose many starts would each do
 * it again. The bundle lies in FOLDER/bundle.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "smol-toml";
import { ROOT, wrangler } from "./site.ts";
import { readWranglerConfig } from "./wrangler-config.ts";

const [folder = ""] = process.argv.slice(2);
const configPath = join(folder, "wrangler.toml");
const config = readWranglerConfig();
// Without the step that keeps a development build from being deployed: this one goes nowhere. Of no interest here are the pages.
const { build: _build, assets: _assets, ...rest } = config as typeof config & { readonly build?: object };
writeFileSync(configPath, stringify({ ...rest, main: join(ROOT, config.main) }));
wrangler(["deploy", "--dry-run", "--config", configPath, "--outdir", join(folder, "bundle")]);
