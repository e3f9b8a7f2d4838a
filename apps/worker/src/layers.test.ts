import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path/posix";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

/** From the lowest to the highest: a file imports only from its own layer and those below it. */
const LAYERS = [
  "platform",
  "visibility",
  "notifications",
  "accounts",
  "places",
  "pictures",
  "messaging",
  "profiles",
  "games",
  "moderation",
  "data-rights",
];
/** The layers within moderation. */
const MODERATION_LAYERS = [
  "contact",
  "case",
  "audit",
  "evidence",
  "hold",
  "action",
  "effects",
  "jury",
  "appeal",
  "report",
  "known-pictures",
  "ban-evasion",
  "staff",
  "notices",
  "transparency",
  "own-record",
];

const SRC = fileURLToPath(import.meta.resolve("./"));

/** Every file reachable from the worker's entry, with its imports. */
function readProduction(): Map<string, string[]> {
  const imports = new Map<string, string[]>();
  const queue = ["index.ts"];
  for (let file = queue.pop(); file; file = queue.pop()) {
    if (imports.has(file)) continue;
    const source = readFileSync(join(SRC, file), "utf8");
    const targets = [...source.matchAll(/from "(\.[^"]+)"/g)].map(([, to]) => normalize(join(dirname(file!), to!)));
    imports.set(file, targets);
    queue.push(...targets);
  }
  return imports;
}

interface Import {
  readonly from: string;
  readonly to: string;
}

/** Imports between the direct children of a folder, files and subfolders alike. */
function importsWithin(folder: string, all: readonly Import[]): Map<string, Set<string>> {
  const childOf = (path: string) => (path.startsWith(folder) ? path.slice(folder.length).split("/")[0]! : undefined);
  const graph = new Map<string, Set<string>>();
  for (const { from, to } of all) {
    const [one, other] = [childOf(from), childOf(to)];
    if (one === undefined || other === undefined || one === other) continue;
    graph.set(one, (graph.get(one) ?? new Set()).add(other));
  }
  return graph;
}

/** The children of a folder that import each other in a cycle, directly or through others. */
function findCycles(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const reaches = (start: string) => {
    const reached = new Set<string>();
    const queue = [start];
    for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
      for (const next of graph.get(at) ?? []) {
        if (reached.has(next)) continue;
        reached.add(next);
        queue.push(next);
      }
    }
    return reached.has(start);
  };
  return [...graph.keys()].filter(reaches);
}

const importsByFile = readProduction();
const allImports: Import[] = [...importsByFile].flatMap(([from, targets]) => targets.map((to) => ({ from, to })));

/** Imports from a higher layer. Files next to the layers' folders compose them and rank above all. */
function findUpwardImports(base: string, order: readonly string[]): string[] {
  const rank = (path: string) => {
    const [folder, ...rest] = path.slice(base.length).split("/");
    return rest.length === 0 ? order.length : order.indexOf(folder!);
  };
  return allImports
    .filter(({ from, to }) => from.startsWith(base) && to.startsWith(base) && rank(to) > rank(from))
    .map(({ from, to }) => `${from} -> ${to}`);
}

function foldersOf(base: string): string[] {
  const entries = readdirSync(join(SRC, base), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

describe.each([
  ["the worker", "", LAYERS],
  ["moderation", "moderation/", MODERATION_LAYERS],
])("the layers of %s", (_, base, order) => {
  it("include every folder", () => {
    expect(foldersOf(base).sort()).toEqual([...order].sort());
  });

  it("never import from a layer above", () => {
    expect(findUpwardImports(base, order)).toEqual([]);
  });
});

describe("a folder of the worker", () => {
  const folders = new Set([...importsByFile.keys()].flatMap((file) => parentsOf(file)));

  it.each([...folders].sort().map((folder) => [folder || "src", folder]))("%s has no import cycle", (_, folder) => {
    expect(findCycles(importsWithin(folder, allImports))).toEqual([]);
  });

  it("is reported when it has a cycle, at any depth and through other files", () => {
    const cycle = [
      { from: "a/b/x.ts", to: "a/c/y.ts" },
      { from: "a/c/z.ts", to: "a/d.ts" },
      { from: "a/d.ts", to: "a/b/w.ts" },
    ];
    expect(findCycles(importsWithin("a/", cycle)).sort()).toEqual(["b", "c", "d.ts"]);
  });
});

it("only the platform and the changes of messages know of shards and replicas", () => {
  const knows = (file: string) =>
    /shard|Shard|[rR]eplicas?(?!t)/.test(
      readFileSync(join(SRC, file), "utf8").replace(/"[^"]*\/replication\/[^"]*"/g, ""),
    );
  const files = [...importsByFile.keys()].filter((file) => !file.startsWith("platform/"));
  expect(files.filter(knows)).toEqual(["messaging/messages/change.ts"]);
});

/** "a/b/c.ts" lies in "", "a/" and "a/b/". */
function parentsOf(file: string): string[] {
  const parts = file.split("/").slice(0, -1);
  return ["", ...parts.map((_, index) => `${parts.slice(0, index + 1).join("/")}/`)];
}
