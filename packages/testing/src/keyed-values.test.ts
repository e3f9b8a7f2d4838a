/** Compares the list of values keyed by a secret of the server, in docs/SECURITY.md, with the purposes in the worker's code. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PURPOSES } from "@lambda/worker/keys";
import { expect, it } from "vitest";
import { ROOT } from "./site.ts";

/** Files that use HOLD_KEY or the secret of a push subscription, and their labels. */
const OTHERS = {
  "moderation/hold/seal.ts": ["legal hold", "legal hold names"],
  "notifications/push/consume.ts": ["topic"],
};
/** Files that only hand HOLD_KEY to another file, and the type of the bindings. */
const HANDING_ON = ["moderation/hold/start.ts", "moderation/staff/holds/opening.ts", "platform/env.ts"];

const directory = join(ROOT, "apps/worker/src");
const sources = globSync("**/*.ts", { cwd: directory })
  .filter((file) => !file.includes(".test."))
  .map((file) => ({ file, text: readFileSync(join(directory, file), "utf8") }));

it("docs/SECURITY.md lists every value that is keyed by a secret of the server, and what a new key does to it", () => {
  const page = readFileSync(join(ROOT, "docs/SECURITY.md"), "utf8");
  const [, section = ""] = /\n## Keyed values that follow a person\n([\s\S]*?)\n## /.exec(page) ?? [];
  const listed = section
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .flatMap((line) => {
      const [, labels = "", , , rotation = ""] = line.split("|");
      return [...labels.matchAll(/`([^`]+)`/g)].map(([, label]) => `${label}: ${rotation.trim().split(/[,:]/)[0]}`);
    });
  const purposes = Object.entries(PURPOSES).map(([purpose, rotation]) => `${purpose}: ${rotation}`);
  const held = Object.values(OTHERS).flat();
  expect(listed.filter((line) => !held.some((label) => line.startsWith(`${label}:`))).toSorted()).toEqual(
    purposes.toSorted(),
  );
  for (const label of held) expect(section).toContain(`\`${label}\``);
});

it("no other file of the worker uses HOLD_KEY, or makes a code of its own", () => {
  const using = sources.filter(({ text }) =>
    /\.HOLD_KEY\b|HOLD_KEY:|\bhmacSha256\(|createHmac\(/.test(stripComments(text)),
  );
  expect(using.map(({ file }) => file).toSorted()).toEqual(
    [
      ...Object.keys(OTHERS),
      ...HANDING_ON,
      "places/positions/place-memory.ts",
      "platform/keys.ts",
      "platform/mac.ts",
      "platform/rate-limits/sketch.ts",
    ].toSorted(),
  );
  for (const [file, labels] of Object.entries(OTHERS)) {
    const text = sources.find((source) => source.file === file)?.text;
    for (const label of labels) expect(text).toContain(label);
  }
});

function stripComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
}
