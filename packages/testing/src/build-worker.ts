/**
 * `node build-worker.ts FOLDER`: bundles the development worker into FOLDER/bundle for a test run, which would otherwise bundle it at
 * each of its many starts.
 */
import { join } from "node:path";
import { bundleWorker } from "./bundle-worker.ts";
import { ROOT } from "./site.ts";

const [folder = ""] = process.argv.slice(2);
bundleWorker(join(ROOT, "wrangler.toml"), join(folder, "bundle"));
