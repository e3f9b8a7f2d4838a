import { SourceMap, type SourceMapPayload } from "node:module";

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
