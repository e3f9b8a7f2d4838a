import { spawnSync } from "node:child_process";
import { createWriteStream, mkdtempSync, openSync, readSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { getPlatformProxy } from "wrangler";

/**
 * Puts a map archive into R2, where the Worker serves it: node packages/tooling/src/basemap/import.ts FILE_OR_URL
 * [--name region] [--remote]. Local by default. It refuses what is not a PMTiles archive of vector tiles.
 */

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../../../..");
/** As in wrangler.toml. */
const BUCKET = "lambda-tiles";
/** All parts of a multipart upload but the last have one size, at least 5 MiB. */
const PART_BYTES = 32 * 1024 * 1024;
/** What `wrangler r2 object put` takes at most. */
const WRANGLER_PUT_MAX_BYTES = 300 * 1024 * 1024;
const HEADER_BYTES = 127;

/** The archive's key in the bucket; tiles.ts in the worker serves this pattern only. */
export function archiveKey(name: string): string {
  if (!/^[a-z0-9-]{1,64}$/.test(name)) throw new Error(`"${name}" is no archive name: use a-z, 0-9 and "-"`);
  return `tiles/${name}.pmtiles`;
}

/** Throws unless the file is a PMTiles v3 archive of vector tiles. */
export function checkArchive(file: string): void {
  const header = Buffer.alloc(HEADER_BYTES);
  const read = readSync(openSync(file, "r"), header, 0, HEADER_BYTES, 0);
  if (read < HEADER_BYTES || header.toString("latin1", 0, 7) !== "PMTiles" || header[7] !== 3) {
    throw new Error(`${file} is no PMTiles v3 archive`);
  }
  if (header[99] !== 1) throw new Error(`${file} holds no vector tiles (MVT)`);
}

/** Puts an archive into the development bucket, part by part, whatever its size. `state` is wrangler's persist folder. */
export async function importLocally(file: string, name: string, state = join(ROOT, ".wrangler/state")): Promise<void> {
  checkArchive(file);
  // A configuration of this bucket alone: the project's own would start its Durable Objects too.
  const folder = mkdtempSync(join(tmpdir(), "basemap-"));
  const configPath = join(folder, "wrangler.json");
  const config = {
    name: "map",
    compatibility_date: "2026-01-01",
    r2_buckets: [{ binding: "TILES", bucket_name: BUCKET }],
  };
  writeFileSync(configPath, JSON.stringify(config));
  const proxy = await getPlatformProxy<{ TILES: R2BucketLike }>({
    configPath,
    persist: { path: join(state, "v3") },
    remoteBindings: false,
  });
  try {
    const upload = await proxy.env.TILES.createMultipartUpload(archiveKey(name));
    const parts = [];
    const handle = openSync(file, "r");
    for (let at = 0, size = statSync(file).size; at < size; at += PART_BYTES) {
      const part = Buffer.alloc(Math.min(PART_BYTES, size - at));
      readSync(handle, part, 0, part.length, at);
      parts.push(await upload.uploadPart(parts.length + 1, part));
    }
    await upload.complete(parts);
  } finally {
    await proxy.dispose();
    rmSync(folder, { recursive: true });
  }
}

/** Puts an archive into the production bucket with the operator's wrangler login. */
export function importRemotely(file: string, name: string, bucketName: string): void {
  checkArchive(file);
  if (statSync(file).size > WRANGLER_PUT_MAX_BYTES) {
    throw new Error(
      `${file} is larger than the 300 MiB that wrangler uploads. Cut a smaller region, or upload it with an S3 client ` +
        `as ${archiveKey(name)} in the bucket ${bucketName} (docs/MAP.md).`,
    );
  }
  const wrangler = join(dirname(createRequire(import.meta.url).resolve("wrangler/package.json")), "bin/wrangler.js");
  const target = `${bucketName}/${archiveKey(name)}`;
  const { status } = spawnSync(
    process.execPath,
    [wrangler, "r2", "object", "put", target, "--file", file, "--content-type", "application/vnd.pmtiles", "--remote"],
    { cwd: ROOT, stdio: "inherit" },
  );
  if (status !== 0) throw new Error(`wrangler ended with ${status}`);
}

interface R2BucketLike {
  createMultipartUpload(key: string): Promise<{
    uploadPart(part: number, data: Uint8Array): Promise<{ partNumber: number; etag: string }>;
    complete(parts: { partNumber: number; etag: string }[]): Promise<unknown>;
  }>;
}

async function download(url: string, folder: string): Promise<string> {
  const response = await fetch(url);
  if (!response.ok || !response.body) throw new Error(`${url} answered ${response.status}`);
  const file = join(folder, "download.pmtiles");
  await pipeline(Readable.from(response.body), createWriteStream(file));
  return file;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      name: { type: "string", default: "region" },
      remote: { type: "boolean", default: false },
      bucket: { type: "string", default: BUCKET },
    },
  });
  const source = positionals[0];
  if (!source) throw new Error("usage: import.ts FILE_OR_URL [--name region] [--remote [--bucket lambda-tiles]]");
  const folder = mkdtempSync(join(tmpdir(), "basemap-"));
  try {
    const file = /^https?:\/\//.test(source) ? await download(source, folder) : resolve(source);
    if (values.remote) importRemotely(file, values.name, values.bucket);
    else await importLocally(file, values.name);
    console.log(`${archiveKey(values.name)}: ${(statSync(file).size / 1e6).toFixed(1)} MB`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}
