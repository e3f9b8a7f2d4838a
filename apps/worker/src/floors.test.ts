import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path/posix";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

/** From the lowest to the highest: a file imports from its own floor and those below it. */
const FLOORS = ["platform", "members", "places", "social", "community", "moderation", "data-rights"];

/** Arrows that point up today. Take one out when it is gone; add none. */
const KNOWN = [
  // A consensus of players files a case.
  "community/games/effects.ts -> moderation/report/evidence.ts",
  "community/games/effects.ts -> moderation/report/file.ts",
];

const SRC = fileURLToPath(import.meta.resolve("./"));
/** Files at the top compose the floors and are above all. */
const floorOf = (path: string) => (path.includes("/") ? FLOORS.indexOf(path.split("/")[0] ?? "") : FLOORS.length);

/** What the running worker is made of: everything that its entry reaches. */
function production(): Map<string, string[]> {
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

describe("the floors of the worker", () => {
  const imports = production();

  it("hold every file", () => {
    const folders = readdirSync(SRC, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name).sort()).toEqual([...FLOORS].sort());
    expect([...imports.keys()].filter((file) => floorOf(file) < 0)).toEqual([]);
  });

  it("have no arrow that points up", () => {
    const up = [...imports].flatMap(([from, targets]) =>
      targets.filter((to) => floorOf(to) > floorOf(from)).map((to) => `${relative("", from)} -> ${to}`),
    );
    expect(up.sort()).toEqual(KNOWN);
  });
});
