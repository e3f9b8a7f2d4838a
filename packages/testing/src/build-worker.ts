/**
 * `node packages/testing/src/build-worker.ts FOLDER`: bundles the development worker for a run of tests, whose many starts would each do
 * it again. The bundle lies in FOLDER/bundle.
 */
import { join } from "node:path";
import { bundleWorker } from "./bundle-worker.ts";
import { ROOT } from "./site.ts";

const [folder = ""] = process.argv.slice(2);
bundleWorker(join(ROOT, "wrangler.toml"), join(folder, "bundle"));
