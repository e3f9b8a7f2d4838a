import { mkdtempDisposableSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import {
  ARCHIVE_HEADER_BYTES,
  type MapArchives,
  type MapRegion,
  readArchiveHeader,
  WORLD_ARCHIVE,
} from "@lambda/contract/map-archives";
import { bucketFlags } from "../deployment/config.ts";
import { runWrangler } from "../deployment/run-wrangler.ts";
import { remindOfRemote } from "../deployment/site-file.ts";
import { sayFailures } from "../say-failures.ts";
import { archiveKey, BUCKET, checkArchive, download, putLocally, putRemotely, withLocalBucket } from "./archives.ts";

/**
 * `npm run streets -- add NAME FILE_OR_URL | list | remove NAME`: manages the regions for which the map has streets. Each is an extract
 * of OpenStreetMap in Protomaps' schema, in the development bucket or with --remote in the deployed one.
 */

const USAGE = `npm run streets -- add NAME FILE_OR_URL [--remote [--bucket ${BUCKET}]]
npm run streets -- list [--remote --site https://HOST]
npm run streets -- remove NAME [--remote [--bucket ${BUCKET}]]`;

const PREFIX = "tiles/";

type Print = (line: string) => void;

/** @throws Error with a message for the user */
export async function runStreets(args: string[], print: Print): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      remote: { type: "boolean", default: false },
      bucket: { type: "string", default: BUCKET },
      site: { type: "string" },
      /** wrangler's persist folder, if not the project's. */
      state: { type: "string" },
    },
  });
  const [verb, name, source] = positionals;
  if (verb === "add" && name && source) await add(name, source, values, print);
  else if (verb === "list")
    printRegions(values.remote ? await listRemotely(values.site) : await listLocally(values.state), print);
  else if (verb === "remove" && name) await remove(name, values, print);
  else throw new Error(USAGE);
  remindOfRemote(values.remote, print);
}

interface Target {
  readonly remote: boolean;
  readonly bucket: string;
  readonly state?: string | undefined;
}

async function add(name: string, source: string, { remote, bucket, state }: Target, print: Print): Promise<void> {
  archiveKey(name);
  using folder = mkdtempDisposableSync(join(tmpdir(), "streets-"));
  const file = /^https?:\/\//.test(source) ? await download(source, folder.path) : resolve(source);
  checkArchive(file);
  if (remote) await putRemotely(file, name, bucket);
  else await withLocalBucket((local) => putLocally(local, file, name), state);
  print(`${archiveKey(name)}: ${megabytes(statSync(file).size)}`);
}

async function remove(name: string, { remote, bucket, state }: Target, print: Print): Promise<void> {
  if (name === WORLD_ARCHIVE) throw new Error("The world is no region: without it the map is empty.");
  const key = archiveKey(name);
  if (remote) await runWrangler(["r2", "object", "delete", `${bucket}/${archiveKey(name)}`, ...bucketFlags(bucket)]);
  else
    await withLocalBucket(async (local) => {
      if (!(await local.head(key))) throw new Error(`There is no region "${name}".`);
      await local.delete(key);
    }, state);
  print(`Removed ${key}.`);
}

function listLocally(state?: string): Promise<readonly MapRegion[]> {
  return withLocalBucket(async (bucket) => {
    const { objects } = await bucket.list({ prefix: PREFIX });
    const regions: MapRegion[] = [];
    for (const { key, size, uploaded } of objects) {
      const start = await bucket.get(key, { range: { offset: 0, length: Math.min(size, ARCHIVE_HEADER_BYTES) } });
      const header = start && readArchiveHeader(new Uint8Array(await start.arrayBuffer()));
      const name = key.slice(PREFIX.length).replace(/\.pmtiles$/, "");
      if (header && name !== WORLD_ARCHIVE) regions.push({ name, ...header, bytes: size, tsInstalled: +uploaded });
    }
    return regions;
  }, state);
}

async function listRemotely(site: string | undefined): Promise<readonly MapRegion[]> {
  if (!site) throw new Error(`--site is missing.\n${USAGE}`);
  const response = await fetch(new URL("/tiles/archives.json", site));
  if (!response.ok) throw new Error(`${site} responded with ${response.status}`);
  return ((await response.json()) as MapArchives).regions;
}

function printRegions(regions: readonly MapRegion[], print: Print): void {
  if (regions.length === 0) print("No regions: the map has no streets.");
  for (const { name, bounds, maxZoom, bytes, tsInstalled } of regions) {
    const { west, south, east, north } = bounds;
    const day = new Date(tsInstalled).toISOString().slice(0, 10);
    print(`${name}: ${west},${south},${east},${north}, zoom ${maxZoom}, ${megabytes(bytes)}, installed ${day}`);
  }
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

if (import.meta.main) {
  sayFailures();
  await runStreets(process.argv.slice(2), console.log);
}
