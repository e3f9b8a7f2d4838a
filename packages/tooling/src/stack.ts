/**
 * `npm run stack -- "<error of a log line>"`: maps the stack frames of a logged error to source files. It rebuilds the bundle from the
 * current commit, so first check out the one that /api/version reports.
 */
import { mkdtempDisposableSync, readFileSync } from "node:fs";
import { SourceMap, type SourceMapPayload } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "@lambda/testing/site";
import { deployedFlags } from "./deployment/config.ts";
import { runWrangler } from "./deployment/run-wrangler.ts";
import { sayFailures } from "./say-failures.ts";

/** Formats a logged error with one frame per line, mapped to source files where possible. */
export function mapStackFrames(error: string, map: SourceMapPayload): string {
  const source = new SourceMap(map);
  return error
    .split(" | ")
    .map((part) => {
      const [, line, column] = /:(\d+):(\d+)\)?$/.exec(part) ?? [];
      if (line === undefined || column === undefined) return part;
      const entry = source.findEntry(Number(line) - 1, Number(column) - 1);
      if (!("originalSource" in entry)) return part;
      const file = entry.originalSource.replace(/^(?:\.\.\/)+/, "");
      return `${part.replace(/\s*\(.*$/, "")}  ${file}:${entry.originalLine + 1}`;
    })
    .join("\n");
}

if (import.meta.main) {
  sayFailures();

  const error = process.argv.slice(2).join(" ");
  if (!error) throw new Error('npm run stack -- "<error of a log line>"');

  using folder = mkdtempDisposableSync(join(tmpdir(), "stack-"));
  await runWrangler(["deploy", "--dry-run", "--outdir", folder.path, ...deployedFlags()]);
  const mapped = mapStackFrames(error, JSON.parse(readFileSync(join(folder.path, "index.js.map"), "utf8")));
  console.log(mapped.replaceAll(ROOT.slice(1), ""));
}
