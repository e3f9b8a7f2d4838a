/**
 * `npm run stack -- "<error of a log line>"`: says in which file and line of the source each frame was. The bundle is built again from this
 * commit, so check out the one that /api/version named first.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT, wrangler } from "@lambda/testing/site";
import { placeFrames } from "./frames.ts";

const error = process.argv.slice(2).join(" ");
if (!error) throw new Error('npm run stack -- "<error of a log line>"');

const folder = mkdtempSync(join(tmpdir(), "stack-"));
try {
  wrangler(["deploy", "--env", "production", "--dry-run", "--outdir", folder]);
  const placed = placeFrames(error, JSON.parse(readFileSync(join(folder, "index.js.map"), "utf8")));
  console.log(placed.replaceAll(ROOT.slice(1), ""));
} finally {
  rmSync(folder, { recursive: true });
}
