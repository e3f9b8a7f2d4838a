import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { WORLD_ARCHIVE } from "@lambda/contract/map-archives";
import { ROOT } from "@lambda/testing/site";
import { putLocally, withLocalBucket } from "./archives.ts";
import { buildBasemap } from "./build.ts";

const WORLD_FILE = `${ROOT}.local/world.pmtiles`;
/** The demo's streets: an extract of a Protomaps daily build from February 2026, zooms 0 to 14. */
const DEMO_REGION = "san-francisco";
const DEMO_FILE = fileURLToPath(new URL("../../data/san-francisco.pmtiles", import.meta.url));

/** Puts the world basemap, which is built if missing, and the demo's streets into the local bucket of `state`, once. */
export async function putBasemap(state = `${ROOT}.wrangler/state`): Promise<void> {
  const stamp = `${state}/map-is-here`;
  if (existsSync(stamp)) return;
  if (!existsSync(WORLD_FILE)) {
    console.log("Building the world basemap ...");
    mkdirSync(`${ROOT}.local`, { recursive: true });
    buildBasemap(WORLD_FILE);
  }
  await withLocalBucket(async (bucket) => {
    await putLocally(bucket, WORLD_FILE, WORLD_ARCHIVE);
    await putLocally(bucket, DEMO_FILE, DEMO_REGION);
  }, state);
  mkdirSync(state, { recursive: true });
  writeFileSync(stamp, "");
}
