import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BRAND_IDS, BRANDS } from "@lambda/brands";
import { ROOT } from "../site.ts";
import { startSeparateWorker, type TestWorker } from "../worker.ts";
import { FOURTH_BRAND } from "./brand.ts";

/** Starts a separate worker whose list of brands includes FOURTH_BRAND, as this process's own list does. */
export async function startFourBrandWorker(): Promise<{ worker: TestWorker; close(): Promise<void> }> {
  const directory = join(ROOT, ".wrangler", "four-brands");
  mkdirSync(directory, { recursive: true });
  const config = readFileSync(join(ROOT, "wrangler.toml"), "utf8")
    .replace(/^main = "/m, 'main = "../../')
    .replace(/^directory = "/gm, 'directory = "../../')
    .replace(/^\[define\]/m, `[alias]\n"@lambda/brands" = "${ROOT}packages/testing/src/fourth-brand/brands.ts"\n\n$&`);
  const configPath = join(directory, "worker.toml");
  writeFileSync(configPath, config);
  const worker = await startSeparateWorker([{ configPath }]);
  return {
    worker,
    close: async () => {
      await worker.close();
      rmSync(directory, { recursive: true, force: true });
      // Other test files may run in this process.
      (BRANDS as unknown as unknown[]).splice(BRANDS.indexOf(FOURTH_BRAND), 1);
      (BRAND_IDS as unknown as string[]).splice(BRAND_IDS.indexOf(FOURTH_BRAND.id), 1);
    },
  };
}
