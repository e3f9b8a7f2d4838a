/** Keeps the files of each build in the bucket, from where every version serves those that it lacks itself. */
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import type { Account } from "../account/client.ts";
import { type DataLocation, putObject } from "../account/resources.ts";

const FILES_BUCKET = "lambda-tiles";

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};
const UPLOADS_AT_ONCE = 8;

/** Names change with the content, so a file that is there is the same. */
export async function keepFiles(account: Account, dist: string, location: DataLocation): Promise<number> {
  const folder = join(dist, "assets");
  const waiting = readdirSync(folder);
  const count = waiting.length;
  const upload = async () => {
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      const type = TYPES[extname(name)] ?? "application/octet-stream";
      await putObject(account, FILES_BUCKET, location, {
        key: `assets/${name}`,
        bytes: readFileSync(join(folder, name)),
        type,
      });
    }
  };
  await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, upload));
  return count;
}
