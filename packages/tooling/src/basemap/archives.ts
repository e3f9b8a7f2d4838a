import { closeSync, mkdtempSync, openSync, readSync, rmSync, statSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { R2Bucket } from "@cloudflare/workers-types";
import { ARCHIVE_HEADER_BYTES, readArchiveHeader } from "@lambda/contract/map-archives";
import { ROOT } from "@lambda/testing/site";
import { getPlatformProxy } from "wrangler";
import { bucketFlags } from "../deployment/config.ts";
import { runWrangler } from "../deployment/run-wrangler.ts";

/** Puts and removes map archives in R2, in the development bucket or with the operator's wrangler login. */

/** Must match wrangler.toml. */
export const BUCKET = "lambda-tiles";
/** R2 requires equal part sizes of at least 5 MiB, except for the last part. */
const PART_BYTES = 32 * 1024 * 1024;
/** Limit of `wrangler r2 object put`. */
const WRANGLER_PUT_MAX_BYTES = 300 * 1024 * 1024;

/** The archive's key in the bucket. The worker serves only keys of this form. */
export function archiveKey(name: string): string {
  if (!/^[a-z0-9-]{1,64}$/.test(name)) throw new Error(`"${name}" is no archive name: use a-z, 0-9 and "-"`);
  return `tiles/${name}.pmtiles`;
}

/** Throws unless the file is a PMTiles v3 archive of vector tiles. */
export function checkArchive(file: string): void {
  const header = Buffer.alloc(ARCHIVE_HEADER_BYTES);
  const handle = openSync(file, "r");
  readSync(handle, header, 0, ARCHIVE_HEADER_BYTES, 0);
  closeSync(handle);
  if (!readArchiveHeader(header)) throw new Error(`${file} is no PMTiles v3 archive of vector tiles (MVT)`);
}

/** Calls `use` with the development bucket. `state` is wrangler's persist folder. */
export async function withLocalBucket<Result>(
  use: (bucket: R2Bucket) => Promise<Result>,
  state: string = join(ROOT, ".wrangler/state"),
): Promise<Result> {
  // A configuration with only this bucket, because the project's own would also start its Durable Objects.
  const folder = mkdtempSync(join(tmpdir(), "basemap-"));
  const configPath = join(folder, "wrangler.json");
  const config = {
    name: "map",
    compatibility_date: "2026-01-01",
    r2_buckets: [{ binding: "TILES", bucket_name: BUCKET }],
  };
  writeFileSync(configPath, JSON.stringify(config));
  const proxy = await getPlatformProxy<{ TILES: R2Bucket }>({
    configPath,
    persist: { path: join(state, "v3") },
    remoteBindings: false,
  });
  try {
    return await use(proxy.env.TILES);
  } finally {
    await proxy.dispose();
    rmSync(folder, { recursive: true });
  }
}

/** Puts an archive of any size into the development bucket, as a multipart upload. */
export async function putLocally(bucket: R2Bucket, file: string, name: string): Promise<void> {
  checkArchive(file);
  const upload = await bucket.createMultipartUpload(archiveKey(name));
  const parts = [];
  const handle = openSync(file, "r");
  for (let offset = 0, size = statSync(file).size; offset < size; offset += PART_BYTES) {
    const part = Buffer.alloc(Math.min(PART_BYTES, size - offset));
    readSync(handle, part, 0, part.length, offset);
    parts.push(await upload.uploadPart(parts.length + 1, part));
  }
  closeSync(handle);
  await upload.complete(parts);
}

/** Puts an archive into the production bucket with the operator's wrangler login. */
export async function putRemotely(file: string, name: string, bucketName: string): Promise<void> {
  checkArchive(file);
  if (statSync(file).size > WRANGLER_PUT_MAX_BYTES) {
    throw new Error(
      `${file} is larger than the 300 MiB that wrangler uploads. Cut a smaller region, or upload it with an S3 client ` +
        `as ${archiveKey(name)} in the bucket ${bucketName} (docs/MAP.md).`,
    );
  }
  const options = ["--content-type", "application/vnd.pmtiles", ...bucketFlags(bucketName)];
  await runWrangler(["r2", "object", "put", `${bucketName}/${archiveKey(name)}`, "--file", file, ...options]);
}

/** Downloads an archive into a folder and returns the file's path. */
export async function download(url: string, folder: string): Promise<string> {
  const response = await fetch(url);
  if (!response.ok || !response.body) throw new Error(`${url} responded with ${response.status}`);
  const file = join(folder, "download.pmtiles");
  await writeFile(file, response.body);
  return file;
}
