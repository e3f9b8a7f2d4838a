import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path/posix";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

/** From the lowest to the highest: a file imports from its own floor and those below it. */
const FLOORS = ["platform", "members", "places", "social", "community", "moderation", "data-rights"];
/** The same within moderation, whose folders share one subject. */
const MODERATION = [
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
  "bans",
  "staff",
  "notice",
  "transparency",
  "own-record",
];

const SRC = fileURLToPath(import.meta.resolve("./"));

/** What the running worker is made of: every file that its entry reaches, with what it imports. */
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

interface Arrow {
  readonly from: string;
  readonly to: string;
}

/** Imports between the direct children of a folder, files and sub-folders alike. */
function arrowsWithin(folder: string, arrows: readonly Arrow[]): Map<string, Set<string>> {
  const childOf = (path: string) => (path.startsWith(folder) ? path.slice(folder.length).split("/")[0]! : undefined);
  const graph = new Map<string, Set<string>>();
  for (const { from, to } of arrows) {
    const [one, other] = [childOf(from), childOf(to)];
    if (one === undefined || other === undefined || one === other) continue;
    graph.set(one, (graph.get(one) ?? new Set()).add(other));
  }
  return graph;
}

/** The children of a folder that import each other in a ring, directly or over others. */
function ringsWithin(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] {
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

const imports = readProduction();
const arrows: Arrow[] = [...imports].flatMap(([from, targets]) => targets.map((to) => ({ from, to })));

/** Arrows that point up in an order of folders. Files beside the folders compose them and are above all. */
function upward(base: string, order: readonly string[]): string[] {
  const rank = (path: string) => {
    const [folder, ...rest] = path.slice(base.length).split("/");
    return rest.length === 0 ? order.length : order.indexOf(folder!);
  };
  return arrows
    .filter(({ from, to }) => from.startsWith(base) && to.startsWith(base) && rank(to) > rank(from))
    .map(({ from, to }) => `${from} -> ${to}`);
}

function foldersOf(base: string): string[] {
  const entries = readdirSync(join(SRC, base), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

describe.each([
  ["the worker", "", FLOORS],
  ["moderation", "moderation/", MODERATION],
])("the floors of %s", (_, base, order) => {
  it("hold every folder", () => {
    expect(foldersOf(base).sort()).toEqual([...order].sort());
  });

  it("have no arrow that points up", () => {
    expect(upward(base, order)).toEqual([]);
  });
});

describe("a folder of the worker", () => {
  const folders = new Set([...imports.keys()].flatMap((file) => parentsOf(file)));

  it.each([...folders].sort().map((folder) => [folder || "src", folder]))("%s has no ring", (_, folder) => {
    expect(ringsWithin(arrowsWithin(folder, arrows))).toEqual([]);
  });

  it("with a ring would be found, at any depth and over others", () => {
    const ring = [
      { from: "a/b/x.ts", to: "a/c/y.ts" },
      { from: "a/c/z.ts", to: "a/d.ts" },
      { from: "a/d.ts", to: "a/b/w.ts" },
    ];
    expect(ringsWithin(arrowsWithin("a/", ring)).sort()).toEqual(["b", "c", "d.ts"]);
  });
});

/** "a/b/c.ts" lies in "", "a/" and "a/b/". */
function parentsOf(file: string): string[] {
  const parts = file.split("/").slice(0, -1);
  return ["", ...parts.map((_, index) => `${parts.slice(0, index + 1).join("/")}/`)];
}
