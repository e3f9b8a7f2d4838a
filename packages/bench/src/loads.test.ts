import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));

it("each bench can be loaded by Node itself, as its command does: a bundler forgives what Node does not", () => {
  const files = [...readFileSync(MAIN, "utf8").matchAll(/import\("(\.\/[\w-]+\.ts)"\)/g)].map(
    ([, file]) => new URL(file!, import.meta.url).href,
  );
  expect(files.length).toBeGreaterThan(20);
  const script = `for (const file of ${JSON.stringify(files)}) await import(file); process.exit(0);`;
  const node = fileURLToPath(new URL("../../../node_modules/.bin/node", import.meta.url));
  execFileSync(node, ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", script], {
    stdio: "pipe",
  });
});
