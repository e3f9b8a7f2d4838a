import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { ROOT } from "@lambda/testing/site";
import { buildBasemap } from "./build.ts";
import { importLocally } from "./import.ts";

const ARCHIVE = `${ROOT}.local/world.pmtiles`;

/** Builds the world basemap unless it is there, and puts it into the local bucket of `state` once. */
export async function putBasemap(state = `${ROOT}.wrangler/state`): Promise<void> {
  const stamp = `${state}/basemap-is-here`;
  if (existsSync(stamp)) return;
  if (!existsSync(ARCHIVE)) {
    console.log("Building the world basemap ...");
    mkdirSync(`${ROOT}.local`, { recursive: true });
    buildBasemap(ARCHIVE);
  }
  await importLocally(ARCHIVE, "world", state);
  mkdirSync(state, { recursive: true });
  writeFileSync(stamp, "");
}
