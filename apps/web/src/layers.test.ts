import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path/posix";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

/** From the top to the bottom: a file imports only from its own floor and those below it. Files beside the folders are the top. */
const FLOORS = ["app", "shell", "features", "components", "session", "api", "routing", "format", "device"];

interface Import {
  readonly from: string;
  readonly to: string;
}

/** A folder within `features`, or one beside it. */
function roomOf(path: string): string {
  const [folder = "", feature, ...rest] = path.split("/");
  if (feature === undefined) return "app";
  return folder === "features" && rest.length > 0 ? `features/${feature}` : folder;
}

const floorOf = (path: string): number => FLOORS.indexOf(roomOf(path).split("/")[0]!);

function findUpward(imports: readonly Import[]): string[] {
  return imports.filter(({ from, to }) => floorOf(to) < floorOf(from)).map(({ from, to }) => `${from} -> ${to}`);
}

/** Rooms that import each other. */
function findMutualPairs(imports: readonly Import[]): string[] {
  const arrows = new Set(imports.map(({ from, to }) => `${roomOf(from)} -> ${roomOf(to)}`));
  return [...arrows].filter((arrow) => {
    const [from = "", to = ""] = arrow.split(" -> ");
    return from < to && arrows.has(`${to} -> ${from}`);
  });
}

/** Every import of the application, types and screens that load later included. */
function readImports(): Import[] {
  const src = fileURLToPath(import.meta.resolve("./"));
  const files = globSync("**/*.{ts,tsx}", { cwd: src }).filter((file) => !/\.test\.tsx?$/.test(file));
  return files.flatMap((from) => {
    const source = readFileSync(join(src, from), "utf8");
    return [...source.matchAll(/(?:from |import\(|import )"(\.[^"?]+)/g)].map(([, to]) => ({
      from,
      to: normalize(join(dirname(from), to!)),
    }));
  });
}

const imports = readImports();

it("every folder is on a floor", () => {
  expect(imports.length).toBeGreaterThan(1000);
  expect(imports.filter(({ from, to }) => floorOf(from) < 0 || (floorOf(to) < 0 && !to.startsWith("../")))).toEqual([]);
});

it("no file imports from a floor above its own", () => {
  expect(findUpward(imports)).toEqual([]);
});

it("no two rooms import each other", () => {
  expect(findMutualPairs(imports)).toEqual([]);
});

it("an arrow up and a mutual pair are reported", () => {
  const wrong = [
    { from: "features/places/map/a.ts", to: "features/messaging/messages/b.ts" },
    { from: "features/messaging/messages/c.ts", to: "features/places/map/d.ts" },
    { from: "format/e.ts", to: "features/places/map/f.ts" },
    { from: "api/g.ts", to: "app.tsx" },
  ];
  expect(findUpward(wrong)).toEqual(["format/e.ts -> features/places/map/f.ts", "api/g.ts -> app.tsx"]);
  expect(findMutualPairs(wrong)).toEqual(["features/messaging -> features/places"]);
});
