import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { normalizePath, type Plugin, transformWithOxc } from "vite";

/**
 * Builds maplibre-gl from its source so that the page and its web worker share one chunk. The two published builds duplicate 115 kB
 * (gzipped) of style, bucket and geometry code. Drops the map controls and the MLT tile decoder; development uses the published build.
 */

const require = createRequire(import.meta.url);
const SOURCE = normalizePath(dirname(require.resolve("maplibre-gl/package.json")));
const { version } = require("maplibre-gl/package.json") as { version: string };

const WORKER_URL = "maplibre-gl/dist/maplibre-gl-worker.mjs?url";
/** Source code that replaces a module, by module id. */
const MODULE_REPLACEMENTS: Readonly<Record<string, string>> = {
  "\0maplibre": `
    export { Map } from "${SOURCE}/src/ui/map.ts";
    export { addProtocol } from "${SOURCE}/src/source/protocol_crud.ts";
    import { config } from "${SOURCE}/src/util/config.ts";
    export const setWorkerUrl = (url) => { config.WORKER_URL = url; };`,
  "\0maplibre-version": `export default { version: ${JSON.stringify(version)} };`,
  "\0no-mlt": `
    export const GEOMETRY_TYPE = {};
    export function decodeTile() { throw new Error("MLT tiles are not supported"); }`,
};

/** maplibre-gl declares inherited fields without initializers; emitting them would overwrite what the parent constructor set. */
const TRANSFORM_OPTIONS = {
  sourcemap: false,
  typescript: { removeClassFieldsWithoutInitializer: true },
  assumptions: { setPublicClassFields: true },
} as const;

export function maplibrePlugin(): Plugin {
  return {
    name: "lambda:maplibre",
    apply: "build",
    enforce: "pre",
    resolveId(id, importer) {
      if (id === "maplibre-gl") return "\0maplibre";
      if (id === WORKER_URL) return "\0maplibre-worker-url";
      if (!importer?.startsWith(`${SOURCE}/src/`)) return null;
      if (id.endsWith("/package.json")) return "\0maplibre-version";
      return id === "@maplibre/mlt" ? "\0no-mlt" : null;
    },
    async load(id) {
      if (id === "\0maplibre-worker-url") {
        const worker = this.emitFile({ type: "chunk", id: `${SOURCE}/src/source/worker.ts`, name: "map-worker" });
        return `export default import.meta.ROLLUP_FILE_URL_${worker};`;
      }
      if (!id.startsWith(`${SOURCE}/src/`) || !id.endsWith(".ts")) return MODULE_REPLACEMENTS[id] ?? null;
      const { code } = await transformWithOxc(await readFile(id, "utf8"), id, TRANSFORM_OPTIONS);
      return { code, moduleType: "js" };
    },
  };
}
